/* A Java virtual machine in this process, and the agents that play in it: a module of Python in plain C.

   The machine is loaded when it is started, so that nothing here needs Java to be imported. There is one machine for
   a process, for good: Java can neither end it without the process nor take it along when the process forks. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <dlfcn.h>
#include <jni.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

typedef jint (*create_machine)(JavaVM **machine, void **env, void *arguments);

static JavaVM *machine;
static bool forked; /* the machine stayed behind in the parent */
static jclass runner_class;
static jmethodID open_method, ask_method, act_method, fault_method;

/* ---- the machine ---------------------------------------------------------------------------- */

/* Fills the options with the texts of a list, which has to outlive them; false with an error set. */
static bool read_options(PyObject *texts, JavaVMOption *options)
{
    for (Py_ssize_t k = 0; k < PyList_Size(texts); k++) {
        const char *text = PyUnicode_AsUTF8AndSize(PyList_GetItem(texts, k), NULL);
        if (!text)
            return false;
        options[k] = (JavaVMOption){.optionString = (char *)text};
    }
    return true;
}

/* Finds what is called later, and lets agents print no more than they may. */
static bool find_methods(JNIEnv *env)
{
    jclass found = (*env)->FindClass(env, "ludus/HostedRunner");
    if (!found)
        return false;
    open_method = (*env)->GetStaticMethodID(env, found, "open", "([B[B)Lludus/HostedRunner;");
    ask_method = (*env)->GetMethodID(env, found, "ask", "(I[B)[B");
    act_method = (*env)->GetMethodID(env, found, "act", "(JZ)I");
    fault_method = (*env)->GetMethodID(env, found, "fault", "()[B");
    jmethodID limit = (*env)->GetStaticMethodID(env, found, "limitPrints", "()V");
    if ((*env)->ExceptionCheck(env))
        return false;
    (*env)->CallStaticVoidMethod(env, found, limit);
    runner_class = (*env)->NewGlobalRef(env, found);
    return runner_class && !(*env)->ExceptionCheck(env);
}

static void note_fork(void) { forked = true; }

static bool create(create_machine function, PyObject *texts)
{
    jint count = (jint)PyList_Size(texts);
    JavaVMOption *options = calloc((size_t)count + 1, sizeof *options);
    JavaVMInitArgs arguments = {JNI_VERSION_10, count, options, JNI_FALSE};
    JNIEnv *env = NULL;
    jint error = options && read_options(texts, options) ? function(&machine, (void **)&env, &arguments) : JNI_ERR;
    free(options);
    if (error) {
        machine = NULL;
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_OSError, "Java gave up with error %d", (int)error);
        return false;
    }
    if (find_methods(env) && !pthread_atfork(NULL, NULL, note_fork))
        return true;
    (*env)->ExceptionClear(env);
    PyErr_SetString(PyExc_OSError, "the jar of Ludus cannot be read, or is that of another version");
    return false;
}

static PyObject *start(PyObject *module, PyObject *args)
{
    (void)module;
    const char *path;
    PyObject *texts;
    if (!PyArg_ParseTuple(args, "sO!", &path, &PyList_Type, &texts))
        return NULL;
    if (machine)
        Py_RETURN_NONE;
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    create_machine function = NULL;
    if (library)
        *(void **)&function = dlsym(library, "JNI_CreateJavaVM");
    if (!function) {
        PyErr_SetString(PyExc_OSError, dlerror());
        return NULL;
    }
    if (!create(function, texts))
        return NULL;
    Py_RETURN_NONE;
}

/* The way to Java of this thread, or NULL with an error set. */
static JNIEnv *enter(void)
{
    JNIEnv *env = NULL;
    if (!runner_class)
        PyErr_SetString(PyExc_OSError, "no Java virtual machine was started in this process");
    else if (forked)
        PyErr_SetString(PyExc_OSError, "the Java virtual machine is in the process that this one was forked from");
    else if ((*machine)->GetEnv(machine, (void **)&env, JNI_VERSION_10) &&
             (*machine)->AttachCurrentThreadAsDaemon(machine, (void **)&env, NULL))
        PyErr_SetString(PyExc_OSError, "this thread cannot call Java");
    return env;
}

/* ---- an agent ------------------------------------------------------------------------------- */

typedef struct {
    PyObject ob_base;
    jobject runner;
} Runner;

static jbyteArray to_java(JNIEnv *env, const char *bytes, Py_ssize_t length)
{
    jbyteArray array = (*env)->NewByteArray(env, (jsize)length);
    if (array)
        (*env)->SetByteArrayRegion(env, array, 0, (jsize)length, (const jbyte *)bytes);
    return array;
}

static PyObject *to_python(JNIEnv *env, jbyteArray array)
{
    jsize length = (*env)->GetArrayLength(env, array);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, length);
    if (bytes)
        (*env)->GetByteArrayRegion(env, array, 0, length, (jbyte *)PyBytes_AsString(bytes));
    (*env)->DeleteLocalRef(env, array);
    return bytes;
}

/* Raises what the agent failed with: a RuntimeError whose text is Java's. */
static PyObject *raise_fault(JNIEnv *env, Runner *self)
{
    bool thrown = (*env)->ExceptionCheck(env);
    (*env)->ExceptionClear(env);
    jbyteArray text = thrown ? NULL : (*env)->CallObjectMethod(env, self->runner, fault_method);
    (*env)->ExceptionClear(env);
    PyObject *bytes = text ? to_python(env, text) : PyBytes_FromString("has no memory left to say what failed");
    PyObject *message = bytes ? PyUnicode_FromEncodedObject(bytes, "utf-8", "replace") : NULL;
    if (message)
        PyErr_SetObject(PyExc_RuntimeError, message);
    Py_XDECREF(message);
    Py_XDECREF(bytes);
    return NULL;
}

static jobject new_runner(JNIEnv *env, jbyteArray place, jbyteArray name)
{
    jobject runner = NULL;
    if (place && name)
        runner = (*env)->CallStaticObjectMethod(env, runner_class, open_method, place, name);
    (*env)->ExceptionClear(env);
    jobject kept = runner ? (*env)->NewGlobalRef(env, runner) : NULL;
    (*env)->DeleteLocalRef(env, runner);
    return kept;
}

static int open_runner(PyObject *object, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    const char *place, *name;
    Py_ssize_t place_length, name_length;
    if (!PyArg_ParseTuple(args, "s#s#", &place, &place_length, &name, &name_length))
        return -1;
    JNIEnv *env = enter();
    if (!env)
        return -1;
    jbyteArray place_bytes = to_java(env, place, place_length), name_bytes = to_java(env, name, name_length);
    jobject runner = ((Runner *)object)->runner = new_runner(env, place_bytes, name_bytes);
    (*env)->DeleteLocalRef(env, place_bytes);
    (*env)->DeleteLocalRef(env, name_bytes);
    if (!runner)
        PyErr_SetString(PyExc_OSError, "Java cannot open the place of the agent");
    return runner ? 0 : -1;
}

static void close_runner(PyObject *object)
{
    Runner *self = (Runner *)object;
    PyTypeObject *type = Py_TYPE(object);
    JNIEnv *env = self->runner && !forked ? enter() : NULL;
    if (env)
        (*env)->DeleteGlobalRef(env, self->runner);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

static PyObject *ask(PyObject *object, PyObject *args)
{
    Runner *self = (Runner *)object;
    int kind;
    const char *content;
    Py_ssize_t length;
    if (!PyArg_ParseTuple(args, "iy#", &kind, &content, &length))
        return NULL;
    JNIEnv *env = enter();
    if (!env)
        return NULL;
    jbyteArray request = to_java(env, content, length), answer = NULL;
    if (request) {
        Py_BEGIN_ALLOW_THREADS
        answer = (*env)->CallObjectMethod(env, self->runner, ask_method, (jint)kind, request);
        Py_END_ALLOW_THREADS
        (*env)->DeleteLocalRef(env, request);
    }
    return answer ? to_python(env, answer) : raise_fault(env, self);
}

/* Nobody steps the world meanwhile: the lock of Python is kept. */
static PyObject *act(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    Runner *self = (Runner *)object;
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "act takes whether an episode begins, and the address of a world");
        return NULL;
    }
    unsigned long long world = PyLong_AsUnsignedLongLong(args[1]);
    JNIEnv *env = PyErr_Occurred() ? NULL : enter();
    if (!env)
        return NULL;
    jvalue values[] = {{.j = (jlong)world}, {.z = args[0] == Py_True}};
    jint buttons = (*env)->CallIntMethodA(env, self->runner, act_method, values);
    if (buttons < 0 || (*env)->ExceptionCheck(env))
        return raise_fault(env, self);
    return PyLong_FromLong(buttons);
}

static PyMethodDef runner_methods[] = {
    {"ask", ask, METH_VARARGS, "Return the answer to a request of a kind; raise RuntimeError if the agent failed."},
    {"act", (PyCFunction)(void (*)(void))act, METH_FASTCALL, "Return the buttons for the world at an address; raise RuntimeError if the agent failed."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot runner_slots[] = {
    {Py_tp_doc, "An agent in the Java virtual machine of this process: its jar or folder, and its class."},
    {Py_tp_init, open_runner},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_dealloc, close_runner},
    {Py_tp_methods, runner_methods},
    {0, NULL},
};

static PyType_Spec runner_spec = {"ludus.agents.foreign._machine.Runner", sizeof(Runner), 0, Py_TPFLAGS_DEFAULT,
                                  runner_slots};

static PyMethodDef methods[] = {
    {"start", start, METH_VARARGS, "Load a Java virtual machine with these options, unless there is one already."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_machine", "A Java virtual machine in this process.", -1, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__machine(void)
{
    PyObject *module = PyModule_Create(&definition);
    PyObject *type = module ? PyType_FromSpec(&runner_spec) : NULL;
    if (!type || PyModule_AddObject(module, "Runner", type)) {
        Py_XDECREF(module);
        return NULL;
    }
    return module;
}
