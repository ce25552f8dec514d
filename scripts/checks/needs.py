"""What parts of `./test` need beyond Rust: programs, which are found or installed from Debian, and packages, which are installed under
target/ when they are missing or listed otherwise than in the last run."""

import fcntl
import hashlib
import importlib
import importlib.util
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
CHROMIUM_OF_MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
# The oldest whose modules import JSON with an attribute, as the page does for its texts; Debian 12 has 18.20.4.
OLDEST_NODE = (18, 20)
# Messages of package managers if the network or the registry refuses.
REFUSED = re.compile(
    r"EAI_AGAIN|ENOTFOUND|ECONN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|\bE40[1347]\b|\bE5\d\d\b|network|Temporary failure|"
    "Could not resolve|Failed to fetch|Unable to fetch|Unable to locate package|no installation candidate|"
    "Could not find a version|No matching distribution|ConnectionError|HTTP error|HTTPError|timed out",
    re.IGNORECASE,
)
NO_SPACE = re.compile("ENOSPC|No space left on device|not enough free space|Disk quota exceeded", re.IGNORECASE)


class Missing(Exception):
    """A need that cannot be met: why, and the command that would help."""

    def __init__(self, reason, enable, refused=False):
        super().__init__(f"{reason}; {enable}")
        # The network or the registry refused twice.
        self.refused = refused


class Broken(Exception):
    """An installation that failed for another reason than the machine: a fault of the project."""


@dataclass
class Place:
    """Where the checks run."""

    root: Path
    target: Path
    # Whether programs may be installed from Debian.
    install: bool = False
    # Runs a command and returns its exit code and output; run.py ends processes that it started.
    execute: object = None

    @property
    def page(self):
        return self.root / "crates/web/page-tests"


def error_line(text):
    """The first line of the output of a program that begins like an error, or else the last one."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.match("npm err|error|E:", line, re.IGNORECASE)]
    return errors[0] if errors else (lines or ["no output"])[-1]


def attempt(what, enable, command, place, **options):
    """Runs a command of a package manager, twice if it is refused."""
    for _ in range(2):
        code, text = place.execute(command, **options)
        if code == 0:
            return
        if NO_SPACE.search(text):
            raise Missing(f"{what}: no space left on the device", f"free some space, then {enable}")
        if not REFUSED.search(text):
            raise Broken(f"{what}: {error_line(text)}")
    raise Missing(f"{what}: refused twice: {error_line(text)}", enable, refused=True)


class Need:
    """`name` is shown by --list; `debian` names packages that provide it; `provide` returns when it is there, or raises `Missing`."""

    name = ""
    debian = ()

    def found(self):
        return True

    def provide(self, place):
        if not self.found():
            raise Missing(f"{self.name} is missing", self.how_to_get())

    def how_to_get(self):
        return "./test --install" if self.debian and shutil.which("apt-get") else f"install {self.name}"


class Component(Need):
    """A program of the Rust toolchain."""

    def __init__(self, name, program):
        self.name, self.program = name, program

    def found(self):
        return shutil.which(self.program) is not None

    def how_to_get(self):
        return f"rustup component add {self.name}"


class Node(Need):
    name = "Node {}.{} or later".format(*OLDEST_NODE)
    debian = ("nodejs",)

    def program(self):
        return shutil.which("node") or shutil.which("nodejs")

    def found(self):
        return self.program() is not None

    def provide(self, place):
        super().provide(place)
        version = subprocess.run([self.program(), "--version"], capture_output=True, text=True).stdout.strip()
        number = re.match(r"v(\d+)\.(\d+)", version)
        if not number or tuple(map(int, number.groups())) < OLDEST_NODE:
            raise Missing(f"Node {version.lstrip('v')}: expected {self.name.removeprefix('Node ')}", "install a newer Node")


class Chromium(Need):
    name = "Chromium"
    # With a font of Chinese characters, so that the pages in Chinese are as wide as for their readers.
    debian = ("chromium", "fonts-wqy-microhei")

    def program(self):
        wanted = os.environ.get("CHROMIUM")
        names = (wanted,) if wanted else (*CHROMIUM_NAMES, CHROMIUM_OF_MAC)
        return next((path for path in map(shutil.which, names) if path), None)

    def found(self):
        return self.program() is not None

    def provide(self, place):
        wanted = os.environ.get("CHROMIUM")
        if wanted and not self.found():
            raise Missing(f"CHROMIUM={wanted}: no such program", "set CHROMIUM to the path of Chromium or Chrome")
        super().provide(place)

    def how_to_get(self):
        return super().how_to_get() + ", or CHROMIUM=PROGRAM ./test"


class Packages(Need):
    """A folder under target/ with what a list of packages asks for. A stamp, written last, has the digest of the list."""

    def __init__(self, name, folder, listed):
        self.name, self.folder_name, self.listed = name, folder, listed

    def folder(self, place):
        return place.target / self.folder_name

    def digest(self, place):
        text = b"".join((place.root / file).read_bytes() for file in self.listed)
        return hashlib.sha256(text + sys.version.encode()).hexdigest()

    def provide(self, place):
        folder, digest = self.folder(place), self.digest(place)
        stamp = folder / "installed"
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with open(f"{folder}.lock", "w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if not stamp.is_file() or stamp.read_text() != digest:
                    self.install_anew(folder, place)
                    stamp.write_text(digest)
        except OSError as error:
            raise Missing(f"{folder}: {error.strerror}", "make that folder writable, with space left, then ./test") from None

    def install_anew(self, folder, place):
        shutil.rmtree(folder, ignore_errors=True)
        try:
            folder.mkdir()
            self.install(folder, place)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def install(self, folder, place):
        raise NotImplementedError


class NpmPackages(Packages):
    debian = ("npm",)

    def found(self):
        return shutil.which("npm") is not None

    def provide(self, place):
        NODE.provide(place)
        if not self.found():
            raise Missing("npm is missing", self.how_to_get())
        super().provide(place)
        self.link(place)

    def install(self, folder, place):
        for file in self.listed:
            shutil.copy(place.root / file, folder)
        options = ["--no-audit", "--no-fund", "--no-progress", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"]
        attempt(self.name, "./test", ["npm", "ci", *options], place, cwd=folder)

    def link(self, place):
        """Node looks for packages beside the files that import them."""
        link, packages = place.page / "node_modules", self.folder(place) / "node_modules"
        if not link.is_symlink() or os.readlink(link) != str(packages):
            if link.is_symlink():
                link.unlink()
            elif link.exists():
                shutil.rmtree(link)
            link.symlink_to(packages)


class PythonPackages(Packages):
    debian = ("python3-venv",)

    def found(self):
        importlib.invalidate_caches()
        return importlib.util.find_spec("ensurepip") is not None and importlib.util.find_spec("venv") is not None

    def provide(self, place):
        if not self.found():
            raise Missing("module venv of Python is missing", self.how_to_get())
        super().provide(place)

    def python(self, place):
        return str(self.folder(place) / "bin/python")

    def install(self, folder, place):
        attempt(self.name, "./test", [sys.executable, "-m", "venv", str(folder)], place)
        options = ["--disable-pip-version-check", "--quiet", "--no-deps", "--only-binary=:all:", "--retries=1"]
        lists = [word for file in self.listed for word in ("-r", str(place.root / file))]
        attempt(self.name, "./test", [self.python(place), "-m", "pip", "install", *options, *lists], place)


class Positions(Need):
    name = "BANYAN_DATA"

    def found(self):
        return Path(os.environ.get("BANYAN_DATA") or "/nonexistent").is_dir()

    def provide(self, place):
        if not self.found():
            named = os.environ.get("BANYAN_DATA")
            raise Missing(f"BANYAN_DATA={named}: no such folder" if named else "BANYAN_DATA names no folder", "BANYAN_DATA=FOLDER ./test")


class Loopback(Need):
    """Without it, as in a network namespace just made, no server can be tested."""

    name = "network of this machine"

    def found(self):
        try:
            with socket.create_server(("127.0.0.1", 0)) as server:
                with socket.create_connection(server.getsockname(), timeout=5):
                    return True
        except OSError:
            return False

    def provide(self, place):
        if not self.found():
            raise Missing("127.0.0.1 cannot be reached", "ip link set lo up")


# The exit code of scripts/wasm without its tools.
NOT_TO_BE_HAD = 3


class WasmTools(Need):
    """The compiler for browsers and wasm-bindgen, which scripts/wasm gets once and keeps under target/."""

    name = "compiler for wasm32"

    def provide(self, place):
        code, text = place.execute([sys.executable, "-B", str(place.root / "scripts/wasm"), "--tools"])
        if code == NOT_TO_BE_HAD:
            raise Missing(error_line(text).removeprefix("error: "), "scripts/wasm --tools", refused=True)
        if code != 0:
            raise Broken(f"{self.name}: {error_line(text)}")


RUSTFMT = Component("rustfmt", "cargo-fmt")
CLIPPY = Component("clippy", "clippy-driver")
NODE = Node()
CHROMIUM = Chromium()
PAGE_PACKAGES = NpmPackages("npm packages of the page", "page", ("crates/web/page-tests/package.json", "crates/web/page-tests/package-lock.json"))
OPEN_SPIEL = PythonPackages("OpenSpiel", "peers", ("scripts/checks/open-spiel.txt",))
SCRIPT_PACKAGES = PythonPackages("packages of the scripts", "scripts", ("scripts/checks/scripts.txt",))
PYTHON_PACKAGES = PythonPackages("packages of the Python package", "python-packages", ("python/tests/packages.txt",))
WASM_TOOLS = WasmTools()
POSITIONS = Positions()
LOOPBACK = Loopback()


class Supply:
    """Provides each need once, whichever thread asks first. Programs from Debian come before what depends on them."""

    def __init__(self, place, wanted):
        self.place = place
        self.wanted = wanted
        self.results = {}
        self.locks = {need: threading.Lock() for need in wanted}
        self.debian_done = threading.Event()
        self.refusal = None

    def provide_all(self):
        """Provides what is wanted ahead of the parts, which get the reasons for what could not be had."""
        packages = [package for need in self.wanted if not need.found() for package in need.debian]
        try:
            if packages and self.place.install and shutil.which("apt-get"):
                install_from_debian(packages, self.place)
        except (Missing, Broken) as refusal:
            self.refusal = refusal
        finally:
            self.debian_done.set()
        for need in self.wanted:
            self.look_for(need)

    def provide(self, need):
        """Returns when the need is there; raises `Missing` or `Broken` otherwise."""
        if reason := self.look_for(need):
            raise reason

    def look_for(self, need):
        if need.debian:
            self.debian_done.wait()
        with self.locks[need]:
            if need not in self.results:
                try:
                    need.provide(self.place)
                    self.results[need] = None
                except (Missing, Broken) as reason:
                    self.results[need] = reason if need.found() else self.refusal or reason
                except OSError as error:
                    # Such as a checkout without write permission, or a file that is no program.
                    self.results[need] = Broken(f"{need.name}: {error}")
            return self.results[need]


def install_from_debian(packages, place):
    by_hand = "sudo apt-get install -y " + " ".join(packages)
    become = []
    if os.geteuid() != 0:
        become = ["sudo", "-n"]
        if not shutil.which("sudo") or place.execute([*become, "true"])[0] != 0:
            raise Missing(f"{', '.join(packages)}: only root may install it", by_hand)
    apt = [*become, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "Acquire::Retries=1"]
    install = ["install", "-y", "--no-install-recommends"]
    attempt("apt-get update", by_hand, [*apt, "update"], place)
    attempt("apt-get install", by_hand, [*apt, *install, "--download-only", *packages], place)
    # Interrupted, it would leave packages half installed.
    attempt("apt-get install", by_hand, [*apt, *install, "--no-download", *packages], place, to_its_end=True)
