"""Tests of what scripts/release checks and packs, without a build."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "checks")]

import builds
import bundle
import glibc

ROOT = HERE.parents[1]


class Libraries(unittest.TestCase):
    @unittest.skipUnless(sys.platform == "linux", "reads a program of Linux")
    def test_the_versions_of_a_program_are_read(self):
        libraries = glibc.needed(Path("/bin/sh").read_bytes())
        self.assertIn("libc.so.6", libraries)
        self.assertGreaterEqual(glibc.newest(libraries), (2, 2))

    def test_a_file_that_is_no_program_is_refused(self):
        for data in (b"", b"#!/bin/sh\n", b"\x7fELF\x01\x01" + bytes(60)):
            with self.assertRaises(glibc.NotElf):
                glibc.needed(data)

    def test_the_newest_version_is_compared_by_numbers(self):
        self.assertEqual(glibc.newest({"libc.so.6": {"GLIBC_2.2.5", "GLIBC_2.28", "GLIBC_2.9"}, "libm.so.6": set()}), (2, 28))
        self.assertEqual(glibc.newest({"libgcc_s.so.1": {"GCC_3.0"}}), (0, 0))

    def test_what_an_old_system_lacks_is_refused(self):
        for libraries, refusal in (
            ({"libc.so.6": {"GLIBC_2.28"}, "ld-linux-x86-64.so.2": set()}, ""),
            ({"libc.so.6": {"GLIBC_2.34"}}, "needs glibc 2.34: expected 2.28 at most"),
            ({"libc.so.6": {"GLIBC_2.28"}, "libssl.so.3": set()}, "linked with libssl.so.3"),
            ({}, "linked with nothing"),
        ):
            with mock.patch.object(glibc, "needed", return_value=libraries), contextlib.redirect_stdout(io.StringIO()):
                with self.assertRaisesRegex(builds.Failed, refusal) if refusal else contextlib.nullcontext():
                    builds.check_libraries("banyan", b"")


class Archives(unittest.TestCase):
    def test_an_archive_depends_on_names_and_contents_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            packed = []
            for n, order in enumerate((("b", "a"), ("a", "b"))):
                source = Path(folder, str(n))
                (source / "bin").mkdir(parents=True)
                for name in order:
                    (source / "bin" / name).write_text(name)
                    os.utime(source / "bin" / name, (n, n))
                (source / "bin/a").chmod(0o755 if n else 0o700)
                packed.append(bundle.write(source, Path(folder, f"{n}.tar.xz"), "top", 1000))
            self.assertEqual(packed[0].read_bytes(), packed[1].read_bytes())
            self.assertEqual(bundle.members(packed[0]), [("top/bin/a", b"a"), ("top/bin/b", b"b")])


    def test_a_package_that_names_a_folder_of_this_machine_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            build = builds.Build(place / "sources", place / "target", place, "x86_64-unknown-linux-gnu", "0.1.0", 1000, "")
            for text, refused in (("banyan/crates/core", False), (f"{place}/sources/crates/core", True), (f"{builds.cargo_home()}/registry", True)):
                (place / "packed").mkdir(exist_ok=True)
                (place / "packed/file").write_text(text)
                package = bundle.write(place / "packed", place / "package.tar.xz", "top", build.epoch)
                with self.assertRaisesRegex(builds.Failed, "top/file names a folder") if refused else contextlib.nullcontext():
                    builds.check_paths(build, package)


class CommandLine(unittest.TestCase):
    def test_wrong_options_are_refused_in_one_line(self):
        for script, words, message in (
            ("scripts/release", ["--only", "nothing"], "--only nothing: expected some of archive,deb,"),
            ("scripts/release", ["--twice", "--uncommitted"], "--twice --uncommitted: expected one of them"),
            ("scripts/checks/test-packages", ["/nonexistent"], "/nonexistent: no such folder: expected one that scripts/release has written"),
            ("scripts/checks/test-service", ["--banyan", "/nonexistent"], "/nonexistent: no such file: expected the command"),
        ):
            found = subprocess.run([sys.executable, "-B", ROOT / script, *words], capture_output=True, text=True)
            self.assertEqual((found.returncode, found.stdout, found.stderr.count("\n")), (2, "", 1), script)
            self.assertIn(message, found.stderr)


if __name__ == "__main__":
    unittest.main()
