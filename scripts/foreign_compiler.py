"""A compiler for another target than this machine: the stable one with a library from rustup, or where rustup fetches none, Debian's
compiler for the web, which also builds the standard library. It is unpacked under target/, kept and used again; no root is needed.
For programs that have asked for their Python by python_version.py."""

import os
import re
import shutil
import subprocess
from pathlib import Path

# The first ones have the compiler and the sources of the standard library; those of the libraries that it is linked with have their
# version in the name. The last one has the dlltool with which the standard library for Windows is built.
PACKAGES = ("rustc-web", "rust-web-src", "libstd-rust-web-dev", "binutils-mingw-w64-x86-64")
# Seconds for rustup, which tries again for long where nothing answers.
PATIENCE = 120


class NoCompiler(Exception):
    """What was found, what was expected, and what to do, in one line."""


def ready(target, target_folder):
    """The environment of cargo and its options with which it compiles for `target`, a name such as wasm32-unknown-unknown; gets what is
    missing. Raises `NoCompiler`."""
    folder = Path(target_folder) / "wasm-tools/compiler"
    if has_library(target):
        return {}, []
    if not folder.is_dir():
        refusal = add_by_rustup(target)
        if refusal is None:
            return {}, []
        try:
            unpack(folder)
        except (NoCompiler, OSError) as error:
            raise NoCompiler(
                f"no compiler for {target}: rustup: {refusal}; Debian: {error}; expected either; run rustup target add {target}, or "
                "apt-get update as root, then this again"
            ) from None
    return environment(target, folder), ["-Zbuild-std=std,panic_abort"]


def has_library(target):
    """Whether the compiler on the path has the standard library for it."""
    code, text = run(["rustc", "--print", "target-libdir", "--target", target])
    return code == 0 and any(Path(text.strip()).glob("libstd-*"))


def add_by_rustup(target):
    """Why rustup cannot add the target; `None` if it has."""
    if not shutil.which("rustup"):
        return "not found"
    code, text = run(["rustup", "target", "add", target], timeout=PATIENCE)
    return None if code == 0 and has_library(target) else last_error(text)


def environment(target, folder):
    """That of Debian's compiler."""
    libraries = {str(found.parent) for name in ("librustc_driver*", "libLLVM*.so*") for found in (folder / "usr/lib").rglob(name)}
    found = {
        "RUSTC": str(folder / "usr/bin/rustc"),
        "LD_LIBRARY_PATH": os.pathsep.join(sorted(libraries)),
        # For the unstable option that builds the standard library.
        "RUSTC_BOOTSTRAP": "1",
        "PATH": os.environ.get("PATH", "") + os.pathsep + str(folder / "usr/bin"),
    }
    if target.startswith("wasm32"):
        # It brings no linker for this target.
        _, root = run(["rustc", "--print", "sysroot"])
        name = "CARGO_TARGET_" + target.upper().replace("-", "_") + "_LINKER"
        linkers = sorted(Path(root.strip()).glob("lib/rustlib/*/bin/rust-lld"))
        if not linkers:
            raise NoCompiler(f"{root.strip()}: no rust-lld: expected a toolchain of rustup; run rustup toolchain install stable")
        found[name] = str(linkers[0])
    return found


def unpack(folder):
    """Debian's compiler, complete once its folder has its name."""
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        raise NoCompiler("no apt-get")
    unfinished = folder.with_name(folder.name + "~")
    shutil.rmtree(unfinished, ignore_errors=True)
    downloads = unfinished / "packages"
    downloads.mkdir(parents=True)
    code, text = run(["apt-get", "download", "-qq", *PACKAGES, *libraries_of("libstd-rust-web-dev")], cwd=downloads)
    if code != 0:
        shutil.rmtree(unfinished)
        raise NoCompiler(last_error(text))
    for package in sorted(downloads.glob("*.deb")):
        code, text = run(["dpkg-deb", "-x", str(package), str(unfinished)])
        if code != 0:
            raise NoCompiler(last_error(text))
    shutil.rmtree(downloads)
    unfinished.rename(folder)


def libraries_of(package):
    """The packages with a version in their name that it depends on: the standard library, and LLVM, which that depends on."""
    names = []
    for pattern in (r"libstd-rust-web-[0-9.]+", r"libllvm[0-9]+"):
        _, text = run(["apt-cache", "depends", names[-1] if names else package])
        names += re.findall(rf"Depends: ({pattern})$", text, re.MULTILINE)[:1]
    return names


def run(command, timeout=None, cwd=None):
    """Exit code and output of a command."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout, cwd=cwd, errors="replace")
    except subprocess.TimeoutExpired:
        return 1, f"error: no answer within {timeout} s"
    except OSError as error:
        return 127, f"error: {command[0]}: {error.strerror}"
    return done.returncode, done.stdout


def last_error(text):
    """The line of the output of a program that tells why it failed."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.match("error|E:", line)]
    return re.sub("^(error|E): *", "", (errors or lines or ["no output"])[-1])
