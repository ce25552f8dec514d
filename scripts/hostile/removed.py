"""Folders and files that are removed, moved or replaced while a long command writes them: it notices, and its advice can be followed."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from random import Random

from harness import Ended, Trials, start_process
from long_commands import DONE, OUT, LongCommand, Undisturbed, all_commands, finish, one_line, prepare, remove


def run(trials: Trials) -> None:
    undisturbed = Undisturbed()

    def trial(trials: Trials, rng: Random, folder: Path) -> None:
        trials.n_runs += 1
        prepare(folder, rng)
        command = rng.choice(list(all_commands(rng).values()))
        expected, seconds = undisturbed.of(trials, command, folder)
        out, moved = folder / OUT, folder / "moved"
        start = time.monotonic()
        process = start_process(trials.banyan + command.begin, folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        while not out.exists() and process.poll() is None:
            time.sleep(0.001)
        time.sleep(rng.uniform(0, 0.9 * seconds))
        running = process.poll() is None
        what, how = change(rng, command, out, moved)
        try:
            output = process.communicate(timeout=DONE)
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            output, code = process.communicate(), None
        ended = Ended(process.args, code, *output, time.monotonic() - start)
        log = [{"args": command.begin, "changed": f"{what} {how}", "running": running, "code": code, "stderr": ended.stderr,
                "left": sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))}]
        if not trials.check(ended, command=command.name, log=log) or not running or what == "nothing":
            return
        complete = any(path.exists() and command.result(path) == expected for path in (out, moved))
        if ended.code == 0 and not complete:
            trials.fail(f"{command.name}: exit code 0 after {what} was {how}", log=log)
        elif ended.code == 2 and (fault := one_line(ended)):
            trials.fail(f"{command.name}: {fault} after {what} was {how}", log=log)
        elif ended.code == 0:
            return
        elif how == "moved":
            # A folder or file that is put back is resumed as if nothing had happened.
            back = out / command.files[0] if what == "file" and command.is_folder else out
            if back.exists():
                remove(back)
            moved.rename(back)
            finish(trials, command, folder, expected, log)
        elif how == "removed" and what == "output":
            finish(trials, command, folder, expected, log)

    trials.each(trial)


def change(rng: Random, command: LongCommand, out: Path, moved: Path) -> tuple[str, str]:
    """Removes, moves or replaces the output, or the first of its files."""
    how = rng.choice(["removed", "moved", "replaced"])
    what = "file" if command.is_folder and rng.random() < 0.5 else "output"
    path = out / command.files[0] if what == "file" else out
    if not path.exists():
        return "nothing", "changed"
    if how == "replaced" and path.is_dir():
        how = "removed"
    if how == "moved":
        path.rename(moved)
    else:
        try:
            remove(path)
        except OSError:
            remove(path)  # Something was written meanwhile.
        if how == "replaced":
            path.write_text("something else\n")
    return what, how
