/* Confines the calling process for good: its files by Landlock, its system calls by seccomp, its rights by dropping
   them, its scratch folder by a file system of its own. Linux only.

   A process that was confined cannot undo it, nor can what it starts. The numbers that the kernel's headers of an old
   system lack are written out here, so that the module builds wherever Python does. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* Landlock */

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, PATH_BENEATH = 1, ASK_VERSION = 1 };
enum {
    EXECUTE = 1 << 0, WRITE_FILE = 1 << 1, READ_FILE = 1 << 2, READ_DIR = 1 << 3, REMOVE_DIR = 1 << 4,
    REMOVE_FILE = 1 << 5, MAKE_DIR = 1 << 7, MAKE_REGULAR = 1 << 8, ALL_V1 = (1 << 13) - 1, REFER = 1 << 13,
    TRUNCATE = 1 << 14, IOCTL_DEVICE = 1 << 15,
};

typedef struct {
    uint64_t files, network, scoped;
} Ruleset;

typedef struct __attribute__((packed)) {
    uint64_t access;
    int32_t folder;
} PathRule;

static int landlock_version(void)
{
    long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    return version < 0 ? 0 : (int)version;
}

/* Everything that this kernel can refuse. */
static Ruleset strictest(int version)
{
    Ruleset rules = {ALL_V1, 0, 0};
    if (version >= 2)
        rules.files |= REFER;
    if (version >= 3)
        rules.files |= TRUNCATE;
    if (version >= 4)
        rules.network = 3; /* bind and connect */
    if (version >= 5)
        rules.files |= IOCTL_DEVICE;
    if (version >= 6)
        rules.scoped = 3; /* abstract sockets and signals to others */
    return rules;
}

static size_t ruleset_size(int version)
{
    return version >= 6 ? 24 : version >= 4 ? 16 : 8;
}

/* Adds a path; one that does not exist is left out. Returns false with an error set. */
static bool allow_path(int ruleset, const char *path, uint64_t access, uint64_t handled)
{
    int folder = open(path, O_PATH | O_CLOEXEC);
    if (folder < 0)
        return errno == ENOENT || PyErr_SetFromErrnoWithFilename(PyExc_OSError, path) != NULL;
    struct stat status;
    if (fstat(folder, &status) == 0 && !S_ISDIR(status.st_mode))
        access &= EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE;
    PathRule rule = {access & handled, folder};
    long answer = syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0);
    close(folder);
    return answer == 0 || PyErr_SetFromErrnoWithFilename(PyExc_OSError, path) != NULL;
}

static bool allow_paths(int ruleset, PyObject *paths, uint64_t access, uint64_t handled)
{
    for (Py_ssize_t k = 0; k < PyList_Size(paths); k++) {
        PyObject *bytes = NULL;
        if (!PyUnicode_FSConverter(PyList_GetItem(paths, k), &bytes))
            return false;
        bool added = allow_path(ruleset, PyBytes_AsString(bytes), access, handled);
        Py_DECREF(bytes);
        if (!added)
            return false;
    }
    return true;
}

static PyObject *confine_files(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *readable, *writable;
    if (!PyArg_ParseTuple(args, "O!O!", &PyList_Type, &readable, &PyList_Type, &writable))
        return NULL;
    int version = landlock_version();
    if (!version) {
        PyErr_SetString(PyExc_OSError, "this kernel has no Landlock");
        return NULL;
    }
    Ruleset rules = strictest(version);
    int ruleset = (int)syscall(CREATE_RULESET, &rules, ruleset_size(version), 0);
    if (ruleset < 0)
        return PyErr_SetFromErrno(PyExc_OSError);
    uint64_t reading = EXECUTE | READ_FILE | READ_DIR;
    uint64_t writing = READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | MAKE_REGULAR | MAKE_DIR | REMOVE_FILE | REMOVE_DIR;
    bool done = allow_paths(ruleset, readable, reading, rules.files) &&
                allow_paths(ruleset, writable, writing, rules.files);
    if (done && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(RESTRICT_SELF, ruleset, 0))) {
        PyErr_SetFromErrno(PyExc_OSError);
        done = false;
    }
    close(ruleset);
    if (!done)
        return NULL;
    return PyLong_FromLong(version);
}

/* seccomp. What is listed is allowed; some calls are allowed with certain arguments; all else fails with EPERM,
   and what only an attack would call ends the process. A process that may start programs has more calls: each new
   process waits for the listener's consent, and signals are left to Landlock, which keeps them in. */

static const int ALLOWED[] = {
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_close, SYS_fstat, SYS_lseek,
    SYS_newfstatat, SYS_statx, SYS_openat, SYS_getdents64, SYS_readlinkat, SYS_faccessat, SYS_getcwd, SYS_fcntl,
    SYS_dup, SYS_dup3, SYS_pipe2, SYS_eventfd2, SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl,
    SYS_epoll_pwait, SYS_ftruncate, SYS_fallocate, SYS_fsync, SYS_unlinkat, SYS_mkdirat, SYS_renameat, SYS_renameat2,
    SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk, SYS_mincore, SYS_membarrier,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_futex, SYS_set_robust_list,
    SYS_rseq, SYS_sched_yield, SYS_sched_getaffinity, SYS_getrandom, SYS_clock_gettime, SYS_clock_getres,
    SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_getrusage, SYS_times, SYS_getpid, SYS_gettid,
    SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_uname, SYS_sysinfo, SYS_exit, SYS_exit_group,
    SYS_set_tid_address, SYS_restart_syscall, SYS_getpgid, SYS_getsid, SYS_recvmsg, SYS_sendmsg, SYS_recvfrom,
    SYS_sendto, SYS_shutdown, SYS_get_robust_list,
#ifdef __x86_64__
    SYS_stat, SYS_lstat, SYS_open, SYS_access, SYS_readlink, SYS_getdents, SYS_poll, SYS_select, SYS_dup2, SYS_pipe,
    SYS_arch_prctl, SYS_epoll_wait, SYS_epoll_create, SYS_time, SYS_unlink, SYS_mkdir, SYS_rename, SYS_rmdir,
    SYS_getpgrp,
#endif
};

static const int ALLOWED_TO_PROGRAMS[] = {
    SYS_execve, SYS_wait4, SYS_waitid, SYS_kill, SYS_tkill, SYS_setsid, SYS_setpgid, SYS_prctl, SYS_umask, SYS_chdir,
    SYS_fchdir, SYS_capget, SYS_statfs, SYS_fstatfs, SYS_flock, SYS_getitimer, SYS_setitimer, SYS_timer_create,
    SYS_timer_settime, SYS_timer_gettime, SYS_timer_delete, SYS_timerfd_create, SYS_timerfd_settime,
    SYS_timerfd_gettime, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_rt_sigpending, SYS_signalfd4,
    SYS_sched_getscheduler, SYS_sched_getparam, SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_getcpu,
    SYS_getpriority, SYS_getresuid, SYS_getresgid, SYS_getgroups, SYS_fadvise64, SYS_sendfile, SYS_msync,
    SYS_memfd_create, SYS_faccessat2, SYS_close_range, SYS_pkey_alloc, SYS_pkey_free, SYS_pkey_mprotect,
    CREATE_RULESET, RESTRICT_SELF, /* a program is kept from the process that started it */
#ifdef __x86_64__
    SYS_alarm, SYS_pause, SYS_getrlimit, SYS_signalfd, SYS_eventfd,
#endif
};

static const int STARTS_PROCESS[] = {
    SYS_clone,
#ifdef __x86_64__
    SYS_fork, SYS_vfork,
#endif
};

static const int MISSING_TO_PROGRAMS[] = {SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register};

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

typedef struct {
    int number;
    const char *name;
} Call;

#define CALL(name) {SYS_##name, #name}
static const Call FATAL[] = {
    CALL(ptrace), CALL(process_vm_readv), CALL(process_vm_writev), CALL(io_uring_setup), CALL(io_uring_enter),
    CALL(io_uring_register), CALL(bpf), CALL(perf_event_open), CALL(userfaultfd), CALL(keyctl), CALL(add_key),
    CALL(request_key), CALL(mount), CALL(umount2), CALL(pivot_root), CALL(chroot), CALL(unshare), CALL(setns),
    CALL(init_module), CALL(finit_module), CALL(delete_module), CALL(kexec_load), CALL(reboot), CALL(swapon),
    CALL(swapoff), CALL(setuid), CALL(setgid), CALL(setreuid), CALL(setregid), CALL(setresuid), CALL(setresgid),
    CALL(setgroups), CALL(capset), CALL(settimeofday), CALL(clock_settime), CALL(clock_adjtime),
    CALL(open_by_handle_at), CALL(name_to_handle_at), CALL(kcmp), CALL(acct), CALL(quotactl), CALL(syslog),
};

enum { MOST_INSTRUCTIONS = 2 * (COUNT(ALLOWED) + COUNT(ALLOWED_TO_PROGRAMS) + COUNT(FATAL)) + 128 };

typedef struct {
    struct sock_filter code[MOST_INSTRUCTIONS];
    unsigned short length;
} Filter;

static void emit(Filter *filter, unsigned short code, uint8_t yes, uint8_t no, uint32_t value)
{
    filter->code[filter->length++] = (struct sock_filter){code, yes, no, value};
}

static void load(Filter *filter, size_t offset) { emit(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset); }

static void answer(Filter *filter, uint32_t action) { emit(filter, BPF_RET | BPF_K, 0, 0, action); }

static void answer_if_call(Filter *filter, int call, uint32_t action)
{
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (uint32_t)call);
    answer(filter, action);
}

static const uint32_t REFUSE = SECCOMP_RET_ERRNO | EPERM;
enum { NEW_LISTENER = 1 << 3, TSYNC_ESRCH = 1 << 4 };

/* Allows a call whose argument equals a value (or, masked, has all bits of it); refuses it otherwise. */
static void allow_if_argument(Filter *filter, int call, int argument, bool masked, uint32_t value)
{
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, masked ? 5 : 4, (uint32_t)call);
    load(filter, offsetof(struct seccomp_data, args) + 8 * (size_t)argument);
    if (masked)
        emit(filter, BPF_ALU | BPF_AND | BPF_K, 0, 0, value);
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
    answer(filter, SECCOMP_RET_ALLOW);
    answer(filter, REFUSE);
}

static void answer_if_calls(Filter *filter, const int *calls, int count, uint32_t action)
{
    for (int k = 0; k < count; k++)
        answer_if_call(filter, calls[k], action);
}

/* Allows a call whose argument, masked, is a value; leaves it to the next rules otherwise. */
static void allow_if_masked(Filter *filter, int call, int argument, uint32_t mask, uint32_t value)
{
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 5, (uint32_t)call);
    load(filter, offsetof(struct seccomp_data, args) + 8 * (size_t)argument);
    emit(filter, BPF_ALU | BPF_AND | BPF_K, 0, 0, mask);
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
    answer(filter, SECCOMP_RET_ALLOW);
    load(filter, offsetof(struct seccomp_data, nr));
}

static const uint32_t REQUESTS[] = {FIONBIO, FIONREAD, FIOCLEX, TIOCGWINSZ};
static const uint32_t THREAD = CLONE_THREAD | CLONE_VM | CLONE_SIGHAND;

/* What programs may do besides: they have threads of their own, and processes with the listener's consent. */
static void build_for_programs(Filter *filter)
{
    answer_if_calls(filter, ALLOWED_TO_PROGRAMS, COUNT(ALLOWED_TO_PROGRAMS), SECCOMP_RET_ALLOW);
    answer_if_calls(filter, MISSING_TO_PROGRAMS, COUNT(MISSING_TO_PROGRAMS), SECCOMP_RET_ERRNO | ENOSYS);
    answer_if_call(filter, SYS_tgkill, SECCOMP_RET_ALLOW);
    allow_if_masked(filter, SYS_clone, 0, THREAD, THREAD);
    for (int k = 0; k < COUNT(REQUESTS); k++)
        allow_if_masked(filter, SYS_ioctl, 1, UINT32_MAX, REQUESTS[k]);
    answer_if_calls(filter, STARTS_PROCESS, COUNT(STARTS_PROCESS), SECCOMP_RET_USER_NOTIF);
    allow_if_argument(filter, SYS_socketpair, 0, false, 1); /* AF_UNIX: pipes between own processes */
}

/* What the files of Java need besides: a pair of sockets that know each other alone, and copies by the kernel. */
static void build_for_java(Filter *filter)
{
    answer_if_call(filter, SYS_sendfile, SECCOMP_RET_ALLOW);
    allow_if_argument(filter, SYS_socketpair, 0, false, 1); /* AF_UNIX */
}

/* Builds the filter. An attack is answered by `fatal`: death, or a notice to who listens. */
static void build(Filter *filter, uint32_t fatal, bool programs, bool java)
{
    load(filter, offsetof(struct seccomp_data, arch));
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCHITECTURE);
    answer(filter, SECCOMP_RET_KILL_PROCESS);
    load(filter, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    emit(filter, BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000); /* the x32 interface */
    answer(filter, SECCOMP_RET_KILL_PROCESS);
#endif
    answer_if_calls(filter, ALLOWED, COUNT(ALLOWED), SECCOMP_RET_ALLOW);
    answer_if_call(filter, SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS); /* libc then calls clone */
    if (programs)
        build_for_programs(filter);
    for (int k = 0; k < COUNT(FATAL); k++)
        answer_if_call(filter, FATAL[k].number, fatal);
    allow_if_argument(filter, SYS_clone, 0, true, THREAD);                                 /* threads only */
    allow_if_argument(filter, SYS_prlimit64, 2, false, 0);                                 /* asking only */
    allow_if_argument(filter, SYS_tgkill, 0, false, (uint32_t)getpid());                   /* abort() */
    allow_if_argument(filter, SYS_ioctl, 1, false, 0x5401);                                /* isatty() */
    if (java)
        build_for_java(filter);
    answer(filter, REFUSE);
}

static long install(uint32_t fatal, unsigned int flags, bool programs, bool java)
{
    Filter filter = {.length = 0};
    build(&filter, fatal, programs, java);
    struct sock_fprog program = {filter.length, filter.code};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC | flags, &program);
}

/* Returns a descriptor that tells of fatal calls and new processes, or -1 where the kernel kills who makes a fatal call
   and tells nobody; a process that may start programs is then refused. */
static PyObject *confine_calls(PyObject *module, PyObject *args)
{
    (void)module;
    int programs, java;
    if (!PyArg_ParseTuple(args, "pp", &programs, &java))
        return NULL;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return PyErr_SetFromErrno(PyExc_OSError);
    long listener = install(SECCOMP_RET_USER_NOTIF, NEW_LISTENER | TSYNC_ESRCH, programs, java);
    if (listener >= 0)
        return PyLong_FromLong(listener);
    if (programs || install(SECCOMP_RET_KILL_PROCESS, 0, false, java))
        return PyErr_SetFromErrno(PyExc_OSError);
    return PyLong_FromLong(-1);
}

static bool starts_process(int number)
{
    for (int k = 0; k < COUNT(STARTS_PROCESS); k++)
        if (STARTS_PROCESS[k] == number)
            return true;
    return false;
}

/* Returns the name of the fatal call and 0; or no name and the number by which a new process is allowed. */
static PyObject *receive_notice(PyObject *module, PyObject *args)
{
    (void)module;
    int listener;
    if (!PyArg_ParseTuple(args, "i", &listener))
        return NULL;
    _Alignas(8) char bytes[512] = {0}; /* the kernel's record may grow */
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, bytes))
        return PyErr_SetFromErrno(PyExc_OSError);
    const struct seccomp_notif *notice = (const struct seccomp_notif *)(const void *)bytes;
    if (starts_process(notice->data.nr))
        return Py_BuildValue("sK", "", (unsigned long long)notice->id);
    for (int k = 0; k < COUNT(FATAL); k++)
        if (FATAL[k].number == notice->data.nr)
            return Py_BuildValue("si", FATAL[k].name, 0);
    return Py_BuildValue("Ni", PyUnicode_FromFormat("number %d", notice->data.nr), 0);
}

static PyObject *allow_process(PyObject *module, PyObject *args)
{
    (void)module;
    int listener;
    unsigned long long number;
    if (!PyArg_ParseTuple(args, "iK", &listener, &number))
        return NULL;
    struct seccomp_notif_resp response = {.id = number, .flags = 1}; /* the call goes on */
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response))
        return PyErr_SetFromErrno(PyExc_OSError);
    Py_RETURN_NONE;
}

static PyObject *has_seccomp(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    uint32_t action = SECCOMP_RET_KILL_PROCESS;
    return PyBool_FromLong(syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0);
}

/* Rights of root, which an agent never needs; that of reading stays, since Landlock says what may be read. */
static PyObject *drop_rights(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct rights[2];
    if (syscall(SYS_capget, &header, rights))
        return PyErr_SetFromErrno(PyExc_OSError);
    for (int k = 0; k < 2; k++) {
        rights[k].permitted &= k == 0 ? 1u << CAP_DAC_READ_SEARCH : 0;
        rights[k].effective &= rights[k].permitted;
        rights[k].inheritable = 0;
    }
    if (syscall(SYS_capset, &header, rights) || prctl(PR_SET_DUMPABLE, 1, 0, 0, 0))
        return PyErr_SetFromErrno(PyExc_OSError);
    Py_RETURN_NONE;
}

static bool write_map(const char *path, const char *format, unsigned int id)
{
    char text[64];
    int length = snprintf(text, sizeof text, format, id, id);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    bool written = file >= 0 && write(file, text, (size_t)length) == length;
    if (file >= 0)
        close(file);
    return written;
}

/* Gets mounts of its own, if need be as root of users of its own that has no more rights outside. */
static bool leave_mounts(void)
{
    uid_t user = geteuid();
    gid_t group = getegid();
    if (unshare(CLONE_NEWNS) == 0)
        return true;
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && write_map("/proc/self/setgroups", "deny", 0) &&
           write_map("/proc/self/uid_map", "%u %u 1", user) && write_map("/proc/self/gid_map", "%u %u 1", group);
}

static PyObject *mount_scratch(PyObject *module, PyObject *args)
{
    (void)module;
    const char *folder;
    unsigned long long bytes, files;
    if (!PyArg_ParseTuple(args, "sKK", &folder, &bytes, &files))
        return NULL;
    char options[96];
    snprintf(options, sizeof options, "mode=0700,size=%llu,nr_inodes=%llu", bytes, files);
    if (!leave_mounts() || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, options))
        return PyErr_SetFromErrno(PyExc_OSError);
    Py_RETURN_NONE;
}

static PyObject *find_landlock(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return PyLong_FromLong(landlock_version());
}

static PyMethodDef methods[] = {
    {"landlock_version", find_landlock, METH_NOARGS, "Return the version of the kernel's Landlock, 0 for none."},
    {"has_seccomp", has_seccomp, METH_NOARGS, "Return whether the kernel can filter system calls."},
    {"confine_files", confine_files, METH_VARARGS, "Allow the reading and the writing of these paths, and no more."},
    {"confine_calls", confine_calls, METH_VARARGS,
     "Refuse every system call that an agent does not need; return what tells of fatal ones, or -1."},
    {"receive_notice", receive_notice, METH_VARARGS,
     "Return the name of a fatal call, or none and the number of a process that is to be started."},
    {"allow_process", allow_process, METH_VARARGS, "Let a process be started of which a notice told."},
    {"drop_rights", drop_rights, METH_NOARGS, "Give up the rights of root, but for reading."},
    {"mount_scratch", mount_scratch, METH_VARARGS, "Mount an empty file system of a fixed size for this process."},
    {NULL, NULL, 0, NULL},
};
#else
static PyMethodDef methods[] = {{NULL, NULL, 0, NULL}};
#endif

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_confine", "Confines the calling process.", -1, methods,
                                        NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__confine(void) { return PyModule_Create(&definition); }
