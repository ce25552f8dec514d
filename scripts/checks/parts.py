"""The parts of `./test`, in the order of its table."""

import os
import shutil
import sys
from dataclasses import dataclass
from typing import Callable

from needs import CHROMIUM, CLIPPY, LOOPBACK, NODE, OPEN_SPIEL, PAGE_PACKAGES, POSITIONS, PYTHON_PACKAGES, RUSTFMT, SCRIPT_PACKAGES, WASM_TOOLS

# Tests that are separate parts, because not every machine has what they need: those with collected positions, and the
# package of the server.
COLLECTED = "collected::"
SERVER = "banyan-web"
HAS_TOMLLIB = sys.version_info >= (3, 11)
# The same profile and packages as for the tests, so that nothing is built twice.
BUILD = ["cargo", "build", "--workspace", "--profile=test", "--quiet"]


@dataclass(frozen=True)
class Part:
    """A check: its commands run one after another in the root of the repository, until one fails."""

    name: str
    title: str
    # Called when its needs are met: a list of commands.
    commands: Callable
    needs: tuple = ()
    # Parts that must have passed, and ended, before this one begins, if they run at all.
    after: str = ""
    once_ended: str = ""
    # Whether it runs beside the others, with its output shown at its end.
    beside: bool = False
    # Whether it may be skipped with CI=true.
    optional: bool = False


def tests(nextest, cargo):
    """A command of cargo-nextest, if it is there, or of `cargo test`, with the words that choose tests in each."""
    if shutil.which("cargo-nextest"):
        # One more than there are processors, as some tests wait for other programs.
        threads = (os.cpu_count() or 1) + 1
        return ["cargo", "nextest", "run", "--workspace", f"--test-threads={threads}", *nextest]
    return ["cargo", "test", "--lib", "--bins", "--tests", "--examples", *cargo]


def build(place):
    """Builds all tests, and the examples as programs, which tests run: `cargo test` compiles chosen examples for tests of their own."""
    examples = [] if shutil.which("cargo-nextest") else [[*BUILD, "--examples"]]
    return [*examples, tests(["--no-run"], ["--workspace", "--no-run"])]


def page_tests(place, folder):
    files = sorted((place.page / folder).glob("*.test.js"))
    return [NODE.program(), "--test", f"--test-reporter={os.environ.get('REPORTER', 'spec')}", *map(str, files)]


def typescript(place):
    return str(PAGE_PACKAGES.folder(place) / "node_modules/typescript/bin/tsc")


def type_checks(place):
    return [[NODE.program(), typescript(place), "-p", str(place.page / config)] for config in ("tsconfig.json", "tsconfig.tests.json")]


def script_tests(place):
    python = sys.executable if HAS_TOMLLIB else SCRIPT_PACKAGES.python(place)
    tests = ("scripts/checks/test_checks.py", "scripts/packages/test_packages.py", "bench/test_watch.py", "experiments/test_scripts.py")
    return [[python, "-B", test] for test in tests]


def browser(place):
    program = os.environ.get("BANYAN")
    build = [] if program else [[*BUILD, "--bin=banyan"]]
    environment = {"CHROMIUM": CHROMIUM.program(), "BANYAN": program or str(place.target / "debug/banyan")}
    return [*build, ["env", *map("=".join, environment.items()), *page_tests(place, "browser")]]


def wasm(place):
    """The module for Node, and the same requests to it and to a native program."""
    module = [sys.executable, "-B", "scripts/wasm", "--for=nodejs"]
    tests = [NODE.program(), "--test", f"--test-reporter={os.environ.get('REPORTER', 'spec')}", "crates/wasm/node-tests/answers.test.js"]
    return [module, [*BUILD, "--example=answers"], ["env", f"CARGO_TARGET_DIR={place.target}", *tests]]


def site(place):
    """The page without a server, with its engine, in a browser."""
    folder = str(place.target / "site")
    environment = {"CHROMIUM": CHROMIUM.program(), "SITE": folder}
    return [
        [sys.executable, "-B", "scripts/site", "--out", folder, "--plain"],
        ["env", *map("=".join, environment.items()), *page_tests(place, "site")],
    ]


def python(place):
    """The Python package from the library of the same build; `python/test` alone installs it as a user does."""
    library = str(place.target / "debug" / ("lib_banyan.dylib" if sys.platform == "darwin" else "lib_banyan.so"))
    tests = [sys.executable, "-B", "python/test", "--library", library, "--python", PYTHON_PACKAGES.python(place)]
    return [[*BUILD, "--lib"], ["env", f"CARGO_TARGET_DIR={place.target}", *tests]]


def npm(place):
    """The packed npm package, installed into an empty folder: its examples, types and errors."""
    environment = {"CARGO_TARGET_DIR": str(place.target), "TSC": typescript(place)}
    tests = [NODE.program(), "--test", f"--test-reporter={os.environ.get('REPORTER', 'spec')}", "crates/wasm/node-tests/package.test.js"]
    return [[sys.executable, "-B", "scripts/npm"], ["env", *map("=".join, environment.items()), *tests]]


def open_spiel(place):
    return [[*BUILD, "--example=random_games"], ["scripts/checks/open-spiel", OPEN_SPIEL.python(place), str(place.target / "debug/examples/random_games")]]


ALL = (
    Part("format", "format of the Rust code", lambda place: [["cargo", "fmt", "--all", "--check"]], (RUSTFMT,)),
    Part("page", "unit tests of the page", lambda place: [page_tests(place, "unit")], (NODE,), beside=True),
    Part("types", "types of the page", type_checks, (NODE, PAGE_PACKAGES), beside=True),
    Part("scripts", "tests of the scripts", script_tests, () if HAS_TOMLLIB else (SCRIPT_PACKAGES,), beside=True),
    Part(
        "oldest-python",
        "scripts against the oldest Python for them, by vermin",
        lambda place: [[SCRIPT_PACKAGES.python(place), "scripts/checks/oldest_python.py"]],
        (SCRIPT_PACKAGES,),
        beside=True,
    ),
    Part("lints", "build of all tests with the lints of Clippy", build, (CLIPPY,)),
    Part(
        "tests",
        "tests of the Rust code",
        lambda place: [
            tests(["-E", f"not test(/^{COLLECTED}/) & not package({SERVER})"], ["--workspace", f"--exclude={SERVER}", "--", "--skip", COLLECTED])
        ],
        after="lints",
    ),
    Part("server", "tests of the server", lambda place: [tests(["-E", f"package({SERVER})"], ["-p", SERVER])], (LOOPBACK,), after="lints"),
    Part("browser", "tours of the page in Chromium", browser, (NODE, PAGE_PACKAGES, CHROMIUM, LOOPBACK), after="lints", once_ended="server", beside=True),
    Part(
        "positions",
        "collected positions of others",
        lambda place: [tests(["-E", f"test(/^{COLLECTED}/)"], ["--workspace", COLLECTED])],
        (POSITIONS,),
        after="lints",
        optional=True,
    ),
    Part("wasm", "the engine in WebAssembly, by Node, against the native one", wasm, (NODE, WASM_TOOLS), after="lints"),
    Part("npm", "the npm package in an empty folder", npm, (NODE, PAGE_PACKAGES, WASM_TOOLS), after="wasm"),
    Part("site", "tours of the page without a server", site, (NODE, PAGE_PACKAGES, CHROMIUM, LOOPBACK, WASM_TOOLS), after="wasm"),
    Part("python", "the Python package: tests, examples, types", python, (PYTHON_PACKAGES,), after="lints"),
    Part("open-spiel", "10,000 games on each of five boards in OpenSpiel", open_spiel, (OPEN_SPIEL,), after="lints"),
    Part(
        "docs",
        "documentation and its examples",
        lambda place: [["env", "RUSTDOC=scripts/checks/rustdoc", "cargo", "test", "--workspace", "--doc", "--quiet"]],
        after="lints",
    ),
)
