"""Commands of Banyan on many cores or machines, by Ray or HyperQueue.

    >>> import banyan.cluster
    >>> whole = banyan.cluster.run(
    ...     ["match", "connect-four", "mcgs", "uct", "--pairs", "200", "--budget", "playouts=1000"], "runs/long", shards=16, on="ray"
    ... )                                                                                                        # doctest: +SKIP
    >>> result = banyan.read(whole)                                                                              # doctest: +SKIP

The packages `ray` and `hyperqueue`, which `banyan` alone does not need, start the shards, watch them and start lost ones again.
"""

from __future__ import annotations

import importlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Union

from . import shard
from ._banyan import BanyanError

__all__ = ["Progress", "run"]

Path = Union[str, "os.PathLike[str]"]

# The commands with shards, with the options for the number of threads of each, and for silence.
COMMANDS: Dict[str, List[str]] = {
    "match": ["--quiet", "--jobs"],
    "sweep": ["--quiet", "--jobs"],
    "ablate": ["--quiet", "--jobs"],
    "ladder": ["--quiet", "--jobs"],
    "rate": ["--quiet", "--jobs"],
    "train": ["--threads"],
    "solve": ["--threads"],
}
# Options that a caller may not give, and what to do instead.
OURS = {
    "--shard": "give the number of shards as shards=",
    "--out": "give the folder as folder=",
    "--resume": "call again with the same folder, which continues",
    "--after": "all rounds of a rating are run by one call",
    "--jobs": "give the games at a time in each shard as jobs=",
    "--threads": "give the threads of each shard as jobs=",
    "--export": "export the whole, by banyan.read(FOLDER).export(FILE)",
    "--json": "read the whole, by banyan.read(FOLDER)",
}
PLAN, WHOLE = "shards.json", "whole"


@dataclass(frozen=True)
class Progress:
    """A part has arrived: that of ``shard``; ``done`` of ``shards`` are there. A rating has several rounds of parts."""

    shard: int
    done: int
    shards: int
    round: int


@dataclass(frozen=True)
class _Work:
    """What an engine is given: the ``task`` of `shard.play`, the ``shards`` to play, and the folder of the parts."""

    task: Dict[str, Any]
    shards: List[int]
    folder: str
    jobs: int
    cores: Optional[int]
    retries: int

    def with_files(self) -> Dict[str, Any]:
        """The task for a worker elsewhere: with the files of the rounds before, instead of their folder."""
        after = self.task.get("after")
        return {**self.task, "after": shard.files_of(after)} if after else self.task


@dataclass(frozen=True)
class _Run:
    """A call: the program of this machine, and what its parts have in common."""

    program: str
    task: Dict[str, Any]
    on: str
    jobs: int
    cores: Optional[int]
    retries: int
    callback: Optional[Callable[[Progress], Any]]


def run(
    command: Sequence[str],
    folder: Path,
    *,
    shards: int,
    on: str = "ray",
    jobs: int = 1,
    cores: Optional[int] = None,
    retries: int = 10,
    callback: Optional[Callable[[Progress], Any]] = None,
) -> str:
    """Runs a command of Banyan in ``shards`` parts, and returns the path of the whole, which `banyan.read` reads if it has games.

    ``command`` is the command line without ``banyan``: match, sweep, ablate, ladder, rate, train or solve --file, with its ``--seed``, and without
    ``--shard`` and ``--out``. The parts arrive in ``folder`` as ``part-1`` and so on, each complete or not at all, and are merged as ``whole``:
    a folder, or the file of solve. A rating has a folder for each round, ``round-1`` and so on; a training learns from the whole on this
    machine. After an interruption the same call continues: parts that have arrived are not played again.

    ``on`` is ``"ray"``: the cluster that `ray.init` has connected to, else that of $RAY_ADDRESS, else one that is started on this machine;
    or ``"hyperqueue"``: this machine. Every worker needs the command of the same version, as $BANYAN or on its PATH. ``jobs`` is the number
    of games that a shard plays at a time, and of cores that it gets. ``cores`` of this machine are used, all by default, by HyperQueue or a
    Ray that is started here. A shard whose process or worker was lost is played again, at most ``retries`` times.

    ``callback`` is called with the `Progress` whenever a part has arrived; an exception of it, like Ctrl-C, ends the run.
    """
    words = _checked(command, shards, jobs, retries)
    if on not in ENGINES:
        raise BanyanError(f"{on}: expected one of {', '.join(ENGINES)}; choose one as on=")
    program = shard.program()
    if not program:
        raise BanyanError("no program banyan: expected $BANYAN or banyan on the PATH, which also merges the parts; install it")
    version = shard.version(program)
    if not version.startswith("banyan "):
        raise BanyanError(f"{program}: {version}: expected a program that tells its version; install banyan anew")
    place = os.path.abspath(os.fspath(folder))
    task = {"command": words + COMMANDS[words[0]] + [str(jobs)], "shards": shards, "version": version}
    _plan(place, {"command": words, "shards": shards, "version": version})
    work = _Run(program, task, on, jobs, cores, retries, callback)
    return _rounds(work, place) if words[0] == "rate" else _whole(work, place)


def _whole(work: _Run, folder: str, number: int = 1) -> str:
    """Plays the parts of round ``number`` that are missing in the folder, and merges them."""
    whole = os.path.join(folder, WHOLE)
    if os.path.exists(whole):
        return whole
    os.makedirs(folder, exist_ok=True)
    missing = [one for one in range(1, work.task["shards"] + 1) if not os.path.exists(_part(folder, one))]
    if missing:
        _play(work, _Work(work.task, missing, folder, work.jobs, work.cores, work.retries), number)
    temporary = f".{WHOLE}-{uuid.uuid4().hex}"
    try:
        parts = [f"part-{one}" for one in range(1, work.task["shards"] + 1)]
        _call(work.program, ["merge", *parts, "--out", temporary], folder, "remove a part that does not belong here, and call again")
        if work.task["command"][0] == "train":
            words = [*work.task["command"], "--out", os.path.join(folder, temporary)]
            _call(work.program, words, None, "call again")
        shard.settle(os.path.join(folder, temporary), whole)
    finally:
        shutil.rmtree(os.path.join(folder, temporary), ignore_errors=True)
    return whole


def _rounds(work: _Run, folder: str) -> str:
    """Plays the rounds of a rating, each after the whole of the one before; the last one is the whole of all."""
    whole = os.path.join(folder, WHOLE)
    task = work.task
    for number in itertools.count(1):
        if os.path.exists(whole):
            break
        last = _whole(replace(work, task=task), os.path.join(folder, f"round-{number}"), number)
        with open(os.path.join(last, "rating.json"), encoding="utf-8") as file:
            if json.load(file)["finished"]:
                shard.keep(shard.files_of(last), whole)
        task = {**work.task, "after": last}
    return whole


def _checked(command: Sequence[str], shards: int, jobs: int, retries: int) -> List[str]:
    """The words of a command that can be run."""
    if isinstance(command, str):
        raise BanyanError(f"{command}: one text: expected the words of the command line in a list; write {command.split()!r}")
    words = [os.fspath(word) for word in command]
    if not words or words[0] not in COMMANDS:
        raise BanyanError(f"{words[0] if words else 'no command'}: expected one that has shards: {', '.join(COMMANDS)}; run others by the command itself")
    for word in words:
        option = word.split("=")[0]
        if option in OURS:
            raise BanyanError(f"{option}: expected a command without it; {OURS[option]}")
    for name, value, least in [("shards", shards, 1), ("jobs", jobs, 1), ("retries", retries, 0)]:
        if value < least:
            raise BanyanError(f"{name}={value}: expected {least} or more; choose another number")
    return words


def _part(folder: str, number: int) -> str:
    return os.path.join(folder, f"part-{number}")


def _plan(folder: str, plan: Dict[str, Any]) -> None:
    """Notes in the folder what its parts are of, or compares that with the note of an earlier call."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise BanyanError(f"{folder}: {error.strerror}: expected a folder that can be written; choose another") from error
    path = os.path.join(folder, PLAN)
    if os.path.exists(path):
        return _compare(path, plan)
    others = [name for name in sorted(os.listdir(folder)) if not name.startswith(".")]
    if others:
        raise BanyanError(f"{folder}: has {others[0]} and no {PLAN}: expected a new or empty folder, or that of an earlier call; choose another")
    temporary = f"{path}.{uuid.uuid4().hex}"
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(json.dumps(plan) + "\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
    shard.sync(folder)


def _compare(path: str, plan: Dict[str, Any]) -> None:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        before = {name: json.loads(text)[name] for name in plan}
    except (ValueError, LookupError, TypeError) as error:
        raise BanyanError(f"{path}: damaged: expected the file of an earlier call; choose another folder") from error
    for name, expected in plan.items():
        found, expected = (" ".join(value) if isinstance(value, list) else str(value) for value in (before[name], expected))
        if found != expected:
            raise BanyanError(f"{os.path.dirname(path)}: its {name}: {found}: expected {expected}; choose another folder, or call as before")


def _play(run: _Run, work: _Work, number: int) -> None:
    """Brings all missing parts of round ``number`` into the folder."""
    shards = work.task["shards"]
    waited = set(work.shards)
    with closing(ENGINES[run.on](work)) as outcomes:
        for outcome in outcomes:
            one = outcome["shard"]
            if "error" in outcome:
                raise BanyanError(f"shard {one}/{shards}: {outcome['error']}")
            if "files" in outcome:
                shard.keep(outcome["files"], _part(work.folder, one))
            waited.discard(one)
            if run.callback:
                run.callback(Progress(one, shards - len(waited), shards, number))


def _call(program: str, words: List[str], folder: Optional[str], advice: str) -> None:
    """Runs the command on this machine."""
    done = subprocess.run([program, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
    # A match can be merged with some of its pairs, which is no error of the command.
    lines = done.stderr.strip().splitlines()
    missing = [line for line in lines if " are missing" in line]
    if done.returncode != 0 or missing:
        errors = [line[7:] for line in lines if line.startswith("error: ")]
        text = (missing + errors + lines + [f"exit code {done.returncode}"])[0]
        raise BanyanError(f"banyan {words[0]}{f' in {folder}' if folder else ''}: {text}; {advice}")


def _package(name: str, oldest: Sequence[int]) -> Any:
    """A package that `banyan` alone does not need."""
    if sys.version_info[:2] < tuple(oldest):
        texts = [".".join(str(number) for number in version[:2]) for version in (sys.version_info, oldest)]
        raise BanyanError(f"Python {texts[0]}: expected {texts[1]} or newer for {name}; use that")
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise BanyanError(f"{error}: expected the package {name}; run pip install {name}") from error


def _lost(number: int, retries: int, why: str) -> Dict[str, Any]:
    text = f"lost {retries + 1} times, the last time because {why}: expected a worker that lives as long as a shard; "
    return {"shard": number, "error": text + "look for what ends it, such as too little memory, and call again"}


def _on_ray(work: _Work) -> Iterator[Dict[str, Any]]:
    """Shards as tasks of Ray, which starts lost ones again. Parts travel through its object store."""
    ray = _package("ray", (3, 10))
    ours = not ray.is_initialized()
    if ours:
        _connect(ray, work.cores)
    running: Dict[Any, int] = {}
    try:
        _expect_workers(ray, work.jobs)
        # The function itself travels, so that workers need no package of ours.
        ray.cloudpickle.register_pickle_by_value(shard)
        play = ray.remote(num_cpus=work.jobs, max_retries=work.retries, retry_exceptions=[ChildProcessError])(shard.play)
        task = ray.put(work.with_files())
        running = {play.options(name=f"banyan-{number}").remote(task, number): number for number in work.shards}
        while running:
            for done in ray.wait(list(running), num_returns=1)[0]:
                number = running[done]
                try:
                    outcome = ray.get(done)
                except ray.exceptions.RayError as error:
                    outcome = _lost(number, work.retries, str(error).strip().splitlines()[-1])
                del running[done]
                yield outcome
    finally:
        for one in running:
            ray.cancel(one, force=True)
        if ours:
            ray.shutdown()


def _connect(ray: Any, cores: Optional[int]) -> None:
    try:
        ray.init(log_to_driver=False, **({} if cores is None else {"address": "local", "num_cpus": cores}))
    except ConnectionError as error:
        raise BanyanError(f"{' '.join(str(error).split())}: expected a running cluster; start one, or unset RAY_ADDRESS") from error


def _expect_workers(ray: Any, jobs: int) -> None:
    largest = max((int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]), default=0)
    if largest < jobs:
        text = f"no worker of Ray has more than {largest} cores: expected {jobs}, as many as jobs=; "
        raise BanyanError(text + "start workers, by ray start --address=HEAD:PORT")


class _Ended(Exception):
    """Leaves a call of HyperQueue that waits."""


def _on_hyperqueue(work: _Work) -> Iterator[Dict[str, Any]]:
    """Shards as jobs of HyperQueue on this machine. They write their parts into the folder themselves."""
    hyperqueue = _package("hyperqueue", (3, 9))
    with tempfile.TemporaryDirectory(prefix="banyan-hyperqueue-") as place:
        cluster = hyperqueue.LocalCluster(place, hyperqueue.cluster.WorkerConfig(cores=work.cores))
        try:
            client = cluster.client()
            running: Dict[int, int] = {}
            attempts: Dict[int, int] = {}
            ready = list(work.shards)
            while ready or running:
                for number in ready:
                    attempts[number] = attempts.get(number, 0) + 1
                    running[_submit(hyperqueue, client, work, number, place)] = number
                ready = []
                for job in _ended_jobs(client, list(running)):
                    number = running.pop(job)
                    outcome = _outcome(place, number)
                    if outcome:
                        yield outcome
                    elif attempts[number] <= work.retries:
                        ready.append(number)
                    else:
                        with open(os.path.join(place, f"{number}.err"), encoding="utf-8", errors="replace") as file:
                            why = file.read().strip().splitlines() or ["its process was killed"]
                        yield _lost(number, work.retries, why[-1])
        finally:
            cluster.stop()


def _submit(hyperqueue: Any, client: Any, work: _Work, number: int, place: str) -> int:
    job = hyperqueue.Job(name=f"banyan-{number}")
    words = [sys.executable, shard.__file__, json.dumps(work.task), str(number), _part(work.folder, number)]
    out, err = (os.path.join(place, f"{number}.{name}") for name in ("out", "err"))
    resources = hyperqueue.ffi.protocol.ResourceRequest(cpus=work.jobs)
    job.program(words, env=dict(os.environ), stdout=out, stderr=err, resources=resources)
    return int(client.submit(job).id)


def _ended_jobs(client: Any, jobs: List[int]) -> List[int]:
    """Waits until at least one of the jobs has ended."""

    def look(states: Dict[int, Dict[str, Any]]) -> None:
        if any(state["completed"] for state in states.values()):
            ended.extend(job for job, state in states.items() if state["completed"])
            raise _Ended

    ended: List[int] = []
    try:
        # The client's own method draws a bar for every call.
        client.connection.wait_for_jobs(jobs, look)
    except _Ended:
        return ended
    return jobs


def _outcome(place: str, number: int) -> Optional[Dict[str, Any]]:
    """What a shard printed, or nothing if it was killed before."""
    with open(os.path.join(place, f"{number}.out"), encoding="utf-8") as file:
        text = file.read()
    outcome: Optional[Dict[str, Any]] = json.loads(text) if text.endswith("\n") else None
    return outcome


ENGINES: Dict[str, Callable[[_Work], Iterator[Dict[str, Any]]]] = {"ray": _on_ray, "hyperqueue": _on_hyperqueue}
