"""Runs parts of `./test` in two threads: what uses the processor one after another with its output as it comes, and beside it the
installations and small parts, whose output follows at their end."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass

import needs
from needs import Broken, Missing

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
# Seconds for started processes to end by themselves once the checks are stopped.
PATIENCE = 15
# Seconds between two looks at whether a signal has come. (An exception of a signal's handler can be lost: just before a wait it is raised
# only after it, and in a finalizer it is ignored.)
LOOK = 0.2


class Stopped(Exception):
    """The checks are stopped by a signal."""

    def __init__(self, number):
        super().__init__({signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM", signal.SIGHUP: "SIGHUP"}[number])
        self.signal = int(number)


@dataclass
class Outcome:
    state: str
    reason: str = ""
    seconds: float = 0.0


class Run:
    """One run of the chosen parts. `strict`: a skipped part is a failure, unless it is optional or a download was refused twice."""

    def __init__(self, parts, place, strict=False):
        self.parts = parts
        self.place = place
        self.strict = strict
        self.outcomes = {}
        self.ended = {part.name: threading.Event() for part in parts}
        # Outputs of finished parts that ran beside the others.
        self.outputs = []
        self.processes = {}
        self.guard = threading.Lock()
        self.stopped = False
        # The signal that has come, which the main thread raises at its next look.
        self.signalled = None
        place.execute = self.execute_quietly
        self.supply = needs.Supply(place, list(dict.fromkeys(need for part in parts for need in part.needs)))

    def all(self):
        """Runs the parts, prints their table and returns the exit code."""
        for number in SIGNALS:
            # `nohup` ignores one. Started processes would inherit that, but not a handler that does nothing, and tests
            # send the signal.
            ignored = signal.getsignal(number) == signal.SIG_IGN
            signal.signal(number, do_nothing if ignored else self.stop)
        beside = threading.Thread(target=self.run_beside, daemon=True)
        try:
            beside.start()
            for part in self.parts:
                if not part.beside:
                    print(f"\n== {part.name}: {part.title}", flush=True)
                    self.run(part, None)
                    self.ended[part.name].set()
                    self.show_outputs()
            for part in self.parts:
                if part.beside and not self.ended[part.name].is_set():
                    print(f"\nwaiting for {part.name}: {part.title}", flush=True)
                    self.wait(self.ended[part.name].wait)
                    self.show_outputs()
            self.wait(lambda seconds: beside.join(seconds) or not beside.is_alive())
            self.show_outputs()
        except BaseException:
            self.end_processes()
            raise
        return self.print_table()

    def run_beside(self):
        try:
            self.supply.provide_all()
        except Exception as fault:
            # Each part checks its needs again.
            self.outputs.append(f"fault of ./test itself: {fault!r}\n")
        for part in self.parts:
            if part.beside:
                try:
                    with tempfile.TemporaryFile("w+", errors="replace") as output:
                        self.run(part, output)
                        output.seek(0)
                        self.outputs.append(f"\n== {part.name}: {part.title}\n{output.read()}")
                except OSError as error:
                    # There is no space for its output.
                    self.outcomes[part.name] = Outcome(FAILED, str(error))
                self.ended[part.name].set()

    def show_outputs(self):
        while self.outputs:
            sys.stdout.write(self.outputs.pop(0))
        sys.stdout.flush()

    def run(self, part, output):
        """Runs the part with its output to a file, or to that of this program, and records the outcome."""
        begun = time.monotonic()
        try:
            for name in (part.after, part.once_ended):
                if name in self.ended:
                    self.wait(self.ended[name].wait)
            begun = time.monotonic()
            if part.after in self.outcomes and self.outcomes[part.after].state == FAILED:
                raise Missing(f"{part.after} failed", f"./test --only {part.name}")
            for need in part.needs:
                self.supply.provide(need)
            begun = time.monotonic()
            outcome = self.run_commands(part, output)
        except Missing as missing:
            excused = part.optional or missing.refused or not self.strict
            outcome = Outcome(SKIPPED if excused else FAILED, str(missing))
        except (Broken, OSError) as broken:
            outcome = Outcome(FAILED, str(broken))
        except Stopped:
            raise
        except Exception as fault:
            # A part without an outcome would be waited for forever.
            outcome = Outcome(FAILED, f"fault of ./test itself: {fault!r}")
        outcome.seconds = time.monotonic() - begun
        if outcome.reason:
            print(f"{outcome.state}: {outcome.reason}", file=output, flush=True)
        self.outcomes[part.name] = outcome

    def run_commands(self, part, output):
        for command in part.commands(self.place):
            code = self.execute(command, stdout=output, stderr=output)
            if code != 0:
                return Outcome(FAILED, f"exit code {code}; ./test --only {part.name}")
        return Outcome(PASSED)

    def execute(self, command, to_its_end=False, cwd=None, **streams):
        """Runs a command in a session of its own, which a stop ends as a whole, and returns the exit code."""
        with self.guard:
            if self.stopped:
                return -signal.SIGTERM
            process = subprocess.Popen(command, cwd=cwd or self.place.root, stdin=subprocess.DEVNULL, start_new_session=True, **streams)
            self.processes[process] = to_its_end
        self.wait(lambda seconds: has_ended(process, seconds))
        with self.guard:
            del self.processes[process]
        return process.returncode

    def wait(self, ended):
        """Waits until `ended`, which waits for some seconds, is true; raises the signal that has come, in the main thread."""
        is_main = threading.current_thread() is threading.main_thread()
        while not (is_main and self.signalled) and not ended(LOOK):
            pass
        if is_main and self.signalled:
            raise self.signalled

    def execute_quietly(self, command, **options):
        """Runs a command and returns its exit code and output."""
        with tempfile.TemporaryFile("w+", errors="replace") as output:
            try:
                code = self.execute(command, stdout=output, stderr=output, **options)
            except OSError as error:
                return 127, f"error: {command[0]}: {error.strerror}"
            output.seek(0)
            return code, output.read()

    def stop(self, number, _frame):
        # A second Ctrl-C must not disturb the ending. (Not by SIG_IGN, which a process started meanwhile would inherit.)
        for each in SIGNALS:
            signal.signal(each, do_nothing)
        self.signalled = Stopped(number)

    def end_processes(self):
        """Ends what runs; a package manager that installs programs is waited for."""
        with self.guard:
            self.stopped = True
            running = dict(self.processes)
        for process, to_its_end in running.items():
            if to_its_end:
                print("waiting for the installation of programs to end", file=sys.stderr)
            else:
                signal_group(process, signal.SIGTERM)
        for process, to_its_end in running.items():
            try:
                process.wait(None if to_its_end else PATIENCE)
            except subprocess.TimeoutExpired:
                signal_group(process, signal.SIGKILL)

    def print_table(self):
        width = max(len(part.name) for part in self.parts)
        print(f"\n{'part':{width}}  seconds  result")
        counts = dict.fromkeys((PASSED, FAILED, SKIPPED), 0)
        for part in self.parts:
            outcome = self.outcomes[part.name]
            counts[outcome.state] += 1
            optional = " (optional)" if part.optional and outcome.state == SKIPPED else ""
            reason = f": {outcome.reason}" if outcome.reason else ""
            print(f"{part.name:{width}}  {outcome.seconds:7.1f}  {outcome.state}{optional}{reason}")
        print("\n" + ", ".join(f"{count} {state}" for state, count in counts.items()), flush=True)
        return 1 if counts[FAILED] else 0


def has_ended(process, seconds):
    """Whether a process ends within so many seconds."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def do_nothing(_number, _frame):
    pass


def signal_group(process, number):
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass
