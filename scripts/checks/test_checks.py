"""Tests of ./test itself, with parts that are a matter of milliseconds, and of what all Python scripts have in common."""

import ast
import contextlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parent)]

import needs
import parts
import python_version
import run
import scripts_of_python
from needs import Broken, Missing
from parts import Part

ROOT = scripts_of_python.ROOT


class Lacking(needs.Need):
    """A need that is never met."""

    def __init__(self, refused=False):
        self.refused = refused

    def provide(self, place):
        raise Missing("nothing there", "get it", refused=self.refused)


def python(text):
    return [sys.executable, "-c", text]


def outcome_of(*chosen, strict=False):
    """Exit code and output of a run of the parts."""
    handlers = {number: signal.getsignal(number) for number in run.SIGNALS}
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            code = run.Run(chosen, needs.Place(ROOT, ROOT / "target"), strict).all()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    return code, output.getvalue()


def part(name, *commands, **others):
    return Part(name, "a check", lambda place: commands, **others)


GOOD, BAD = python(""), python("raise SystemExit(3)")


class Table(unittest.TestCase):
    def test_the_last_line_counts_the_parts(self):
        chosen = [part("good", GOOD), part("bad", GOOD, BAD), part("beside", GOOD, beside=True), part("lacking", needs=(Lacking(),))]
        code, output = outcome_of(*chosen)
        self.assertEqual(code, 1)
        self.assertEqual(output.splitlines()[-1], "2 passed, 1 failed, 1 skipped")
        self.assertRegex(output, r"\nbad +[0-9.]+  failed: exit code 3; ./test --only bad\n")
        self.assertRegex(output, r"\nlacking +[0-9.]+  skipped: nothing there; get it\n")

    def test_a_skipped_part_fails_in_ci_unless_it_is_optional_or_was_refused(self):
        lacking = part("lacking", needs=(Lacking(),))
        self.assertEqual(outcome_of(lacking)[0], 0)
        self.assertEqual(outcome_of(lacking, strict=True)[0], 1)
        self.assertEqual(outcome_of(part("optional", needs=(Lacking(),), optional=True), strict=True)[0], 0)
        self.assertEqual(outcome_of(part("refused", needs=(Lacking(refused=True),)), strict=True)[0], 0)

    def test_a_part_waits_for_the_one_before_and_is_left_out_after_its_failure(self):
        after = part("after", GOOD, after="before", beside=True)
        self.assertEqual(outcome_of(part("before", GOOD), after)[1].splitlines()[-1], "2 passed, 0 failed, 0 skipped")
        self.assertEqual(outcome_of(part("before", BAD), after)[1].splitlines()[-1], "0 passed, 1 failed, 1 skipped")
        ended = part("ended", GOOD, once_ended="before", beside=True)
        self.assertEqual(outcome_of(part("before", BAD), ended)[1].splitlines()[-1], "1 passed, 1 failed, 0 skipped")
        # A part that is not chosen is not waited for; a skipped one does not affect the next.
        self.assertEqual(outcome_of(after)[0], 0)
        self.assertEqual(outcome_of(part("before", needs=(Lacking(),)), after)[1].splitlines()[-1], "1 passed, 0 failed, 1 skipped")

    def test_an_unexpected_error_fails_its_part_and_is_not_waited_for(self):
        class Unwritable(needs.Need):
            name = "packages"

            def provide(self, place):
                raise PermissionError(13, "Permission denied", "node_modules")

        def fault(place):
            raise ValueError("a fault")

        for beside in (False, True):
            chosen = [part("unwritable", GOOD, needs=(Unwritable(),), beside=beside), Part("fault", "a check", fault, beside=beside), part("good", GOOD, beside=beside)]
            code, output = outcome_of(*chosen)
            self.assertEqual((code, output.splitlines()[-1]), (1, "1 passed, 2 failed, 0 skipped"))
            self.assertIn("failed: packages: [Errno 13] Permission denied: 'node_modules'\n", output)

    def test_a_program_that_is_missing_fails_its_part(self):
        self.assertIn("failed: [Errno 2]", outcome_of(part("none", ["./no-such-program"]))[1])


class Stops(unittest.TestCase):
    def test_what_runs_under_nohup_does_not_ignore_the_hangup(self):
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            code, _ = outcome_of(part("default", python("import signal; raise SystemExit(signal.getsignal(signal.SIGHUP) != signal.SIG_DFL)")))
        finally:
            signal.signal(signal.SIGHUP, before)
        self.assertEqual(code, 0)

    def test_a_signal_ends_what_runs_in_one_line(self):
        program = (
            "import signal, sys; sys.path[:0] = [sys.argv[1], sys.argv[1] + '/..']; import command, needs, parts; "
            # A shell may start background processes with Ctrl-C ignored.
            "signal.signal(signal.SIGINT, signal.default_int_handler); "
            "parts.ALL = [parts.Part('long', 'a check', lambda place: [['sh', '-c', 'echo $$; sleep 600']]), "
            "parts.Part('beside', 'a check', lambda place: [['sleep', '600']], beside=True)]; "
            "command.target_folder = lambda: needs.Path('target'); sys.exit(command.main([]))"
        )
        for number in (signal.SIGINT, signal.SIGTERM):
            folder = str(ROOT / "scripts/checks")
            process = subprocess.Popen([sys.executable, "-B", "-c", program, folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            lines = iter(process.stdout.readline, "")
            child = next(int(line) for line in lines if line.strip().isdigit())
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 128 + number)
            self.assertRegex(errors, r"\A\nerror: stopped by [^\n]+\n\Z")
            with self.assertRaises(ProcessLookupError):
                os.kill(child, 0)


class Installed(needs.Packages):
    """Packages whose installation is a function of a test."""

    debian = ()

    def __init__(self, install):
        super().__init__("packages", "packages", ("list",))
        self.install = lambda folder, place: install(folder)


class Installations(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.root = Path(self.temporary.name)
        (self.root / "list").write_text("one")
        self.place = needs.Place(self.root, self.root / "target")

    def test_packages_are_installed_once_and_again_for_another_list(self):
        calls = []
        packages = Installed(lambda folder: calls.append((folder / "package").write_text("")))
        packages.provide(self.place)
        packages.provide(self.place)
        self.assertEqual(len(calls), 1)
        (self.root / "list").write_text("two")
        packages.provide(self.place)
        self.assertEqual(len(calls), 2)

    def test_an_installation_that_ends_in_the_middle_is_not_taken_for_a_whole_one(self):
        def half(folder):
            (folder / "half").write_text("")
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            Installed(half).provide(self.place)
        self.assertFalse((self.root / "target/packages").exists())
        # As after a power failure.
        (self.root / "target/packages").mkdir()
        (self.root / "target/packages/half").write_text("")
        Installed(lambda folder: (folder / "whole").write_text("")).provide(self.place)
        self.assertEqual(sorted(path.name for path in (self.root / "target/packages").iterdir()), ["installed", "whole"])

    def test_a_device_without_space_is_named_in_one_line(self):
        def full(folder):
            raise OSError(28, "No space left on device", str(folder))

        with self.assertRaisesRegex(Missing, r"\A[^\n]*No space left on device; [^\n]*space[^\n]*\Z"):
            Installed(full).provide(self.place)

    def attempt(self, *answers):
        answers = iter(answers)
        place = SimpleNamespace(execute=lambda command: next(answers))
        needs.attempt("packages", "./test", ["install"], place)

    def test_a_refusal_is_tried_twice_and_another_failure_is_a_fault(self):
        refusals = (
            "npm error code ENOTFOUND",
            "npm ERR! code E403",
            "E: Failed to fetch http://deb.example/chromium.deb  Could not resolve",
            "ERROR: Could not find a version that satisfies the requirement open_spiel",
        )
        for text in refusals:
            self.attempt((1, text), (0, ""))
            with self.assertRaises(Missing) as refused:
                self.attempt((1, text), (1, text))
            self.assertTrue(refused.exception.refused, text)
        with self.assertRaisesRegex(Broken, "npm error code EUSAGE"):
            self.attempt((1, "npm error code EUSAGE\nnpm error package-lock.json is out of sync"))
        for text in ("npm error code ENOSPC", "OSError: [Errno 28] No space left on device"):
            with self.assertRaises(Missing) as full:
                self.attempt((1, text))
            self.assertFalse(full.exception.refused, text)


    def test_a_compiler_that_cannot_be_had_is_told_in_one_line_and_a_fault_is_one(self):
        for code, text, expected in ((3, "building\nerror: no compiler: E: refused\n", Missing), (1, "error: TypeError\n", Broken), (0, "", None)):
            place = needs.Place(ROOT, ROOT / "target", execute=lambda command: (code, text))
            with self.assertRaises(expected) if expected else contextlib.nullcontext() as raised:
                needs.WASM_TOOLS.provide(place)
            if expected is Missing:
                self.assertEqual((str(raised.exception), raised.exception.refused), ("no compiler: E: refused; scripts/wasm --tools", True))


class Programs(unittest.TestCase):
    def test_an_old_node_and_a_wrong_browser_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            node = Path(folder, "node")
            for version, refused in (("v16.20.2", True), ("v9.1.0", True), ("v18.19.1", True), ("v18.20.4", False), ("v104.1.0", False), ("nonsense", True)):
                node.write_text(f"#!/bin/sh\necho {version}\n")
                node.chmod(0o755)
                with mock.patch.dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"]):
                    with self.assertRaisesRegex(Missing, "expected 18.20 or later") if refused else contextlib.nullcontext():
                        needs.NODE.provide(None)
            with mock.patch.dict(os.environ, CHROMIUM=folder + "/none"):
                with self.assertRaisesRegex(Missing, "CHROMIUM=.*/none: no such program"):
                    needs.CHROMIUM.provide(None)
            with mock.patch.dict(os.environ, PATH=folder, CHROMIUM=""):
                self.assertFalse(needs.CHROMIUM.found())
                Path(folder, "google-chrome").symlink_to(node)
                self.assertEqual(needs.CHROMIUM.program(), f"{folder}/google-chrome")

    def test_an_unknown_part_is_refused_with_the_list_of_parts(self):
        for words, message in ((["--only", "nothing"], "--only nothing: expected one of format, "), (["--nothing"], "unrecognized arguments: --nothing; ")):
            found = subprocess.run([ROOT / "test", *words], capture_output=True, text=True)
            self.assertEqual((found.returncode, found.stdout, found.stderr.count("\n")), (2, "", 1))
            self.assertTrue(found.stderr.startswith("error: " + message), found.stderr)

    def test_every_part_is_listed_and_comes_after_what_it_waits_for(self):
        found = subprocess.run([ROOT / "test", "--list"], capture_output=True, text=True)
        names = [line.split()[0] for line in found.stdout.splitlines()]
        self.assertEqual(names, [part.name for part in parts.ALL])
        for n, each in enumerate(parts.ALL):
            self.assertLessEqual({each.after, each.once_ended} - {""}, set(names[:n]), each.name)


class OldPython(unittest.TestCase):
    def test_an_older_python_is_refused_in_one_line(self):
        for found, wanted, refused in (((3, 8, 18), (3, 9), "3.8: expected 3.9"), ((3, 9, 1), (3, 10), "3.9: expected 3.10"), ((3, 9, 0), (3, 8), ""), ((4, 0), (3, 9), "")):
            errors = io.StringIO()
            with mock.patch.object(sys, "version_info", found), contextlib.redirect_stderr(errors):
                with self.assertRaises(SystemExit) if refused else contextlib.nullcontext():
                    python_version.require(wanted)
            self.assertEqual(errors.getvalue().count("\n"), 1 if refused else 0)
            self.assertIn(refused, errors.getvalue())

    def test_every_script_is_read_by_the_python_that_it_is_written_for(self):
        scripts = scripts_of_python.all_scripts()
        self.assertGreater(len(scripts), 25)
        for path in scripts:
            ast.parse(path.read_text(), str(path), feature_version=scripts_of_python.declared(path))

    def test_every_program_asks_for_its_python_before_it_does_anything(self):
        for path in filter(scripts_of_python.is_program, scripts_of_python.all_scripts()):
            text = path.read_text()
            # A much older Python gets this far.
            tree = ast.parse(text, str(path), feature_version=(3, 6))
            calls = [node.lineno for node in tree.body if isinstance(node, ast.Expr) and ast.unparse(node).startswith("require(")]
            self.assertTrue(calls, f"{path}: expected a call of require() from scripts/python_version.py")
            before = {name.name for node in tree.body if isinstance(node, ast.Import) and node.lineno < calls[0] for name in node.names}
            self.assertLessEqual(before, {"sys", "os"}, path)


if __name__ == "__main__":
    unittest.main()
