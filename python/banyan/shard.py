"""What a worker of `banyan.cluster` does: one shard of a command, by the program `banyan` of the worker.

Ray sends this file to its workers, HyperQueue runs it as a program. It needs the standard library only, so that a worker needs Python and
the command, and no package of ours.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import uuid
from typing import Any, Dict, List

# What finished commands end with: 1 is a finding, such as a position that is not solved.
FINISHED = (0, 1)
# Starts a program that ends with the process that started it, also when that one is killed (Linux; elsewhere it plays on to its end,
# and its part is lost).
ATTACHED = """
import os, sys
parent = int(sys.argv[1])
try:
    import ctypes
    ctypes.CDLL(None).prctl(1, 15)
except (ImportError, OSError, AttributeError):
    pass
if os.getppid() == parent:
    os.execv(sys.argv[2], sys.argv[2:])
"""


def program() -> str:
    """The path of the command: $BANYAN, or `banyan` on the PATH; empty if there is none."""
    return shutil.which(os.environ.get("BANYAN") or "banyan") or ""


def version(path: str) -> str:
    """What the command says of its version, or why it does not run, in one line."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, errors="replace")
    except OSError as error:
        return str(error)
    return (done.stdout.strip() or done.stderr.strip() or f"no version, exit code {done.returncode}").splitlines()[-1]


def files_of(folder: str) -> Dict[str, bytes]:
    """The bytes of all files of a folder, by their paths in it."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder).replace(os.sep, "/")] = file.read()
    return found


def play(task: Dict[str, Any], shard: int) -> Dict[str, Any]:
    """Plays a shard in a temporary folder: `files` of its part, or an `error` that another attempt would meet again. A round of a rating
    is played `after` a folder here, or the files of one.

    Raises `ChildProcessError` if the command was killed, which another attempt may survive.
    """
    worker, path = platform.node(), program()
    if not path:
        return _error(shard, f"worker {worker}: no program banyan: expected $BANYAN or banyan on the PATH; install it there")
    found = version(path)
    if found != task["version"]:
        return _error(shard, f"worker {worker}: {found}: expected {task['version']}, as here; install the same version on every worker")
    with tempfile.TemporaryDirectory(prefix="banyan-shard-") as folder:
        part, after = os.path.join(folder, "part"), task.get("after")
        command: List[str] = [path, *task["command"], "--shard", f"{shard}/{task['shards']}", "--out", part]
        if isinstance(after, dict):
            keep(after, os.path.join(folder, "after"))
        if after:
            command += ["--after", after if isinstance(after, str) else os.path.join(folder, "after")]
        attached = [sys.executable, "-I", "-S", "-c", ATTACHED, str(os.getpid()), *command]
        done = subprocess.run(attached, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
        if done.returncode < 0 or done.returncode > 128:
            raise ChildProcessError(f"worker {worker}: banyan ended with {_ending(done.returncode)}")
        if done.returncode in FINISHED and os.path.isdir(part):
            return {"shard": shard, "files": files_of(part)}
    lines = done.stderr.strip().splitlines() or [f"error: banyan ended with exit code {done.returncode} and without a part"]
    return _error(shard, next((line[7:] for line in reversed(lines) if line.startswith("error: ")), lines[-1]))


def _error(shard: int, text: str) -> Dict[str, Any]:
    return {"shard": shard, "error": text}


def _ending(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def keep(files: Dict[str, bytes], place: str) -> None:
    """Writes a part into its place: a temporary folder beside it, everything to the disk, then one renaming. A part that is there already
    stays."""
    parent, name = os.path.split(os.path.abspath(place))
    temporary = os.path.join(parent, f".{name}-{uuid.uuid4().hex}")
    try:
        os.mkdir(temporary)
        for path, content in files.items():
            _write(os.path.join(temporary, *path.split("/")), content)
        settle(temporary, place)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def settle(temporary: str, place: str) -> None:
    """Renames a finished folder or file to its place, for good. A folder that is there already stays."""
    sync(temporary)
    try:
        os.rename(temporary, place)
    except OSError:
        if not os.path.isdir(place):
            raise
    sync(os.path.dirname(place))


def _write(path: str, content: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync(path: str) -> None:
    """Waits until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def main(words: List[str]) -> int:
    """The program: a task as JSON, the number of a shard and the place of its part. Prints the outcome as a line of JSON, nothing if it was
    killed or the command was."""
    shard, place = int(words[1]), words[2]
    try:
        outcome = play(json.loads(words[0]), shard)
    except ChildProcessError as killed:
        print(killed, file=sys.stderr)
        return 1
    if "files" in outcome:
        keep(outcome.pop("files"), place)
    print(json.dumps(outcome), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
