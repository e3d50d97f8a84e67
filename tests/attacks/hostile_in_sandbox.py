"""Attempts to get out of the sandbox, a function each: it returns if it has succeeded."""
# ruff: noqa
# mypy: ignore-errors

import ctypes
import mmap
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
HERE = Path(__file__).parent


def call(number, *arguments):
    answer = LIBC.syscall(number, *arguments)
    if answer < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return answer


def fork():
    if os.fork() == 0:
        os._exit(0)


def fork_bomb():
    for _ in range(1000):
        fork()


def vfork_by_number():
    call(58)


def clone_by_number():
    call(56, signal.SIGCHLD, 0, 0, 0, 0)


def clone3_by_number():
    call(435, (ctypes.c_uint64 * 11)(*([0] * 4), signal.SIGCHLD), 88)


def subprocess_run():
    subprocess.run(["/bin/true"], check=True)


def execute():
    os.execv(sys.executable, [sys.executable, "-c", "0"])


def system():
    if os.system("true") != 0:
        raise PermissionError("no shell")


def read_passwords():
    Path("/etc/passwd").read_text()


def read_home():
    os.listdir("/root" if os.getuid() == 0 else "/home")


def read_store():
    (HERE / "runs.db").read_bytes()


def read_secret():
    (HERE / "secret.key").read_text()


def read_parent_memory():
    Path(f"/proc/{os.getppid()}/mem").open("rb").read(1)


def read_parent_environment():
    Path(f"/proc/{os.getppid()}/environ").read_bytes()


def read_own_memory():
    open("/proc/self/mem", "r+b")


def read_processes():
    os.listdir("/proc")


def follow_link():
    (HERE / "link").read_text()


def make_link():
    os.symlink("/etc/passwd", HERE / "other_link")


def make_hard_link():
    os.link(__file__, HERE / "hard_link")


def write_own_folder():
    (HERE / "written.txt").write_text("x")


def write_own_code():
    Path(__file__).write_text("x")


def write_temporary():
    Path("/tmp/ludus-written").write_text("x")


def remove_own_code():
    os.remove(__file__)


def change_rights():
    os.chmod(__file__, 0o777)


def open_socket():
    socket.socket(socket.AF_INET, socket.SOCK_STREAM)


def open_udp_socket():
    socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)


def open_raw_socket():
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW)


def open_unix_socket():
    socket.socketpair()


def signal_parent():
    os.kill(os.getppid(), signal.SIGKILL)


def signal_group():
    os.killpg(os.getpgid(os.getppid()), signal.SIGKILL)


def signal_all():
    os.kill(-1, signal.SIGKILL)


def trace_parent():
    call(101, 16, os.getppid(), 0, 0)


def read_memory_of_parent():
    call(310, os.getppid(), 0, 0, 0, 0, 0)


def use_io_uring():
    call(425, 8, (ctypes.c_char * 120)())


def enter_user_namespace():
    call(272, 0x10000000)


def join_namespace():
    call(308, 3, 0)


def mount():
    call(165, b"none", b"/mnt", b"tmpfs", 0, 0)


def change_root():
    os.chroot("/")


def become_root():
    os.setuid(0)


def become_another():
    os.setresuid(1, 1, 1)


def load_bpf():
    call(321, 0, 0, 0)


def count_events():
    call(298, 0, 0, -1, -1, 0)


def handle_faults():
    call(323, 0)


def use_keys():
    call(250, 0, -3, 0)


def set_clock():
    time.clock_settime(time.CLOCK_REALTIME, 0)


def raise_priority():
    os.nice(-5)


def raise_scheduling():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def raise_limits():
    resource.setrlimit(resource.RLIMIT_AS, (-1, -1))


def raise_limits_of_parent():
    resource.prlimit(os.getppid(), resource.RLIMIT_AS, (2**20, 2**20))


def dump_core():
    if resource.getrlimit(resource.RLIMIT_CORE) == (0, 0):
        raise PermissionError("no cores")


def allocate():
    bytearray(2**40)


def allocate_bit_by_bit():
    blocks = []
    while len(blocks) < 4096:
        blocks.append(bytearray(2**24))


def map_much():
    mmap.mmap(-1, 2**40)


def start_threads():
    ends = threading.Event()
    for _ in range(5000):
        threading.Thread(target=ends.wait, daemon=True).start()


def leave_session():
    os.setsid()


def read_secrets_of_environment():
    if not any("SECRET" in name for name in os.environ):
        raise PermissionError("no secrets")


def read_secrets_of_memory():
    """Look where a process begins to keep its variables, and where the referee wrote to it."""
    LIBC.getauxval.restype = ctypes.c_ulong
    name_of_program = LIBC.getauxval(31)
    start = ctypes.string_at(name_of_program - 2048, 2048)
    memory = ctypes.c_void_p.from_address(id(find_channel()._take.__self__) + 16).value
    link = ctypes.string_at(memory, 512 * 1024)
    if b"PATH" not in start:
        raise AssertionError("that is not where the variables are")
    if b"SECRET_TOKEN" not in start + link:
        raise PermissionError("no secrets")


def share_memory():
    call(29, 1, 4096, 0o600 | 0o1000)


def make_device():
    os.mknod(HERE / "device", 0o600 | 0o020000, os.makedev(1, 1))


def change_name_of_host():
    socket.sethostname("mine")


def reboot():
    call(169, 0xFEE1DEAD, 672274793, 0x1234567, 0)


def personality():
    call(135, 0x0040000)


def recurse():
    recurse()


def endless_loop():
    while True:
        pass


def sleep_for_ever():
    time.sleep(10**6)


def write_much():
    for _ in range(100):
        os.write(1, b"x" * 2**20)
    raise PermissionError("nobody reads it")


def write_to_the_link():
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"\xff" * 4096)
        except OSError:
            pass
    raise PermissionError("that was no answer")


def close_the_link():
    os.closerange(3, 64)


def patch_ludus():
    import ludus.games.platformer as platformer
    import ludus.execution.stage as stage

    stage.play_match = platformer.World = None
    raise PermissionError("patched what nobody uses")


def recurse_for_ever():
    sys.setrecursionlimit(10**9)

    class Deep:
        def __repr__(self):
            return repr(self)

    repr(Deep())


def overrun_the_stack():
    ctypes.string_at(8)


def abort():
    os.abort()


def give_up():
    os._exit(7)


def kill_itself():
    signal.raise_signal(signal.SIGTERM)


def print_much():
    for _ in range(20_000):
        print("x" * 1000)
    raise PermissionError("nobody reads it")


def answer_much():
    return b"x" * 2**24


def find_channel():
    import gc

    return next(one for one in gc.get_objects() if type(one).__name__ == "SharedChannel")


def forge_a_result():
    find_channel()._post(0, 1, b'{"ending": "finished", "score": 1000000}')


def answer_in_advance():
    for _ in range(3):
        find_channel()._post(2**31, 1, b"i" + bytes(8))


def scribble_on_the_link():
    memory = ctypes.c_void_p.from_address(id(find_channel()._take.__self__) + 16).value
    slot = memory + 64 + 256 * 1024
    while True:
        for length in (-2, 2**31 - 1, 300_000, 101):
            ctypes.c_int32.from_address(slot + 8).value = length
            ctypes.c_uint32.from_address(slot).value += 1


def shrink_the_link():
    for descriptor in range(3, 64):
        try:
            os.ftruncate(descriptor, 0)
        except OSError:
            pass
    raise PermissionError("nothing shrinks")


def tamper_with_the_counter():
    import ludus.limits
    import ludus.agents.judge as judge

    ludus.limits.Usage.units = property(lambda usage: 0)
    for name in vars(judge):
        setattr(judge, name, None)
    sys.setprofile(None)
    raise PermissionError("counted where nobody looks")


def read_the_parents_link():
    os.readlink(f"/proc/{os.getppid()}/exe")


def escape_by_proc_root():
    os.listdir("/proc/self/root/etc")


def escape_by_working_directory():
    os.listdir("/proc/self/cwd/..")


def link_in_scratch():
    os.symlink("/etc", Path(os.environ["TMPDIR"]) / "etc")


def pipe_in_scratch():
    os.mkfifo(Path(os.environ["TMPDIR"]) / "pipe")


def run_from_scratch():
    program = Path(os.environ["TMPDIR"]) / "program"
    program.write_text("#!/bin/sh\n")
    os.chmod(program, 0o755)


def leave_scratch():
    (Path(os.environ["TMPDIR"]) / ".." / "beside").write_text("x")


def fill_scratch():
    for number in range(10):
        (Path(os.environ["TMPDIR"]) / str(number)).write_bytes(b"x" * 2**22)
    time.sleep(1)


def write_one_huge_file():
    with open(Path(os.environ["TMPDIR"]) / "huge", "wb") as file:
        file.truncate(2**34)


def use_message_queue():
    call(240, b"queue", os.O_CREAT | os.O_RDWR, 0o600, 0)


def lock_memory():
    call(149, 0, 4096)


def become_realtime_by_number():
    call(144, 0, 1, (ctypes.c_int * 1)(1))


def choose_processors():
    os.sched_setaffinity(0, {0})


def load_module():
    call(175, 0, 0, b"")


def stop_the_keeper():
    os.kill(os.getppid(), signal.SIGSTOP)


class Agent:
    """Tries one attempt an episode: the first for the first scenario, and so on."""

    name = "hostile"
    attempt = None

    def reset(self, scenario):
        if self.attempt in UNCLEAN:
            os._exit(0)  # the next attempt has a new process
        self.attempt = ATTEMPTS[int(scenario.name.split()[-1])]

    def act(self, observation):
        answer = globals()[self.attempt]()
        return "escaped" if answer is None else answer


UNCLEAN = ("patch_ludus", "start_threads", "tamper_with_the_counter", "fill_scratch")
HELPERS = ("call", "find_channel")
ATTEMPTS = [
    name
    for name, value in sorted(globals().items())
    if isinstance(value, type(call)) and value.__module__ == __name__ and name not in HELPERS
]
