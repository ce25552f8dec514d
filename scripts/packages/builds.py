"""Builds what scripts/release packs: the command, the Python package and the engine for browsers, such that the bytes depend on the sources
and the compiler alone, not on the folders."""

import os
import re
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

import bundle
import foreign_compiler
import glibc

# The oldest glibc that the packages run on: Debian 10, RHEL 8 and later.
GLIBC = (2, 28)
PROFILE = "dist"
# What every program for Linux with glibc is linked with, and nothing else.
LIBRARIES = re.compile(r"(libc|libm|libdl|libpthread|librt|libgcc_s)\.so\.\d+|ld-linux.*\.so\.\d+")
# Names of processors: Rust's, and Debian's.
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}
LICENSES = ("LICENSE-APACHE", "LICENSE-MIT")


class Failed(Exception):
    """A step that failed; its program has told why, or the text does."""


@dataclass(frozen=True)
class Build:
    """The sources, where they are built, and the folder that gets the packages."""

    root: Path
    target: Path
    out: Path
    # The target of Rust, such as x86_64-unknown-linux-gnu.
    triple: str
    version: str
    # Seconds since 1970 of the commit, the time of all packed files.
    epoch: int
    # The path with the tools first.
    path: str

    @property
    def processor(self):
        return self.triple.split("-")[0]

    @property
    def built(self):
        """Where cargo writes the command."""
        return self.target / self.triple / PROFILE

    @property
    def staged(self):
        """The files of the archive and of the Debian package, as below a prefix such as /usr."""
        return self.built / "package"

    def run(self, *command):
        done = subprocess.run([str(word) for word in command], cwd=self.root, env=environment(self))
        if done.returncode != 0:
            raise Failed("" if done.returncode > 0 else f"{command[0]}: ended by signal {-done.returncode}")


def host():
    """The target of Rust for this machine. Raises `Failed` if it is not Linux with glibc."""
    _, text = foreign_compiler.run(["rustc", "-vV"])
    found = re.search(r"^host: (.*)$", text, re.MULTILINE)
    if not found or not found.group(1).endswith("-linux-gnu"):
        raise Failed(f"{found.group(1) if found else 'rustc -vV'}: expected a machine with Linux and glibc, which the packages are for; run this there")
    return found.group(1)


def cargo_home():
    return Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")


def environment(build):
    """What cargo and the scripts get. Paths of this machine are in no package: of the sources, of the build and of the libraries."""
    # The last one that fits is used.
    prefixes = {folder: "registry" for folder in sorted((cargo_home() / "registry/src").glob("*"))}
    prefixes.update({build.root: "banyan", build.target: "target", build.target.resolve(): "target"})
    prefixes.update({(build.target / "wasm-tools").resolve(): "target/wasm-tools"})
    remapped = " ".join(f"--remap-path-prefix={folder}={name}" for folder, name in prefixes.items())
    # These join the flags of .cargo/config.toml; RUSTFLAGS would replace them.
    replaced = ("RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_TARGET", "PYTHONPATH")
    found = {name: value for name, value in os.environ.items() if name not in replaced}
    for triple in (build.triple, "wasm32-unknown-unknown"):
        found[f"CARGO_TARGET_{triple.upper().replace('-', '_')}_RUSTFLAGS"] = remapped
    settings = {"PATH": build.path, "CARGO_TARGET_DIR": build.target, "SOURCE_DATE_EPOCH": build.epoch, "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    return {**found, **{name: str(value) for name, value in settings.items()}}


def command(build):
    """Compiles the command, and stages it with its manual pages, completions, licences and documents."""
    build.run("cargo", "zigbuild", "--locked", f"--profile={PROFILE}", "-p", "banyan-cli", "--target", f"{build.triple}.{GLIBC[0]}.{GLIBC[1]}")
    program = build.built / "banyan"
    check_libraries(program.name, program.read_bytes())
    shutil.rmtree(build.staged, ignore_errors=True)
    place(program, build.staged / "bin/banyan")
    build.run(program, "man", "--out", build.staged / "share/man/man1")
    for shell, name in (("bash", "bash-completion/completions/banyan"), ("zsh", "zsh/site-functions/_banyan"), ("fish", "fish/vendor_completions.d/banyan.fish")):
        text = subprocess.run([program, "completions", shell], stdout=subprocess.PIPE, check=True).stdout
        path = build.staged / "share" / name
        path.parent.mkdir(parents=True)
        path.write_bytes(text)
    for name in ("README.md", "CHANGELOG.md", *LICENSES):
        place(build.root / name, build.staged / "share/doc/banyan" / name)
    for path in (build.root / "packaging").iterdir():
        place(path, build.staged / "share/doc/banyan/serve" / path.name)


def place(source, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, path)


def check_libraries(name, data):
    """Refuses a program or library that an older glibc cannot load, or that needs other libraries."""
    libraries = glibc.needed(data)
    others = sorted(library for library in libraries if not LIBRARIES.fullmatch(library))
    newest = glibc.newest(libraries)
    print(f"{name}: glibc {newest[0]}.{newest[1]}, linked with {', '.join(sorted(libraries))}", flush=True)
    if newest > GLIBC:
        raise Failed(f"{name}: needs glibc {newest[0]}.{newest[1]}: expected {GLIBC[0]}.{GLIBC[1]} at most; build it by cargo-zigbuild")
    if others or not libraries:
        raise Failed(f"{name}: linked with {', '.join(others) or 'nothing'}: expected libraries of glibc only; remove what needs them")


def check_paths(build, path):
    """Refuses a package that names a folder of this machine."""
    folders = {str(folder).encode() + b"/" for folder in (build.root, build.target, cargo_home())}
    for name, data in bundle.members(path):
        if any(folder in data for folder in folders):
            raise Failed(f"{path.name}: {name} names a folder of this machine: expected none; see environment() in scripts/packages/builds.py")


def archive(build):
    """The archive of the command: unpacked below a prefix, everything is where shells and man look."""
    name = f"banyan-{build.version}-{build.processor}-linux"
    return bundle.write(build.staged, build.out / f"{name}.tar.xz", f"banyan-{build.version}", build.epoch)


def deb(build):
    """The Debian package, from the metadata in crates/cli/Cargo.toml and the staged files."""
    path = build.out / f"banyan_{build.version}-1_{DEBIAN.get(build.processor, build.processor)}.deb"
    options = ["--no-build", "--no-strip", "--locked", f"--profile={PROFILE}", "--target", build.triple]
    build.run("cargo-deb", "deb", "-p", "banyan-cli", *options, "--output", path)
    return path


def wheel(build):
    """The Python package, and its sources."""
    options = ["--zig", "--locked", f"--profile={PROFILE}", "--compatibility", f"manylinux_{GLIBC[0]}_{GLIBC[1]}", "--target", build.triple]
    out = build.target / "release-wheel"
    shutil.rmtree(out, ignore_errors=True)
    build.run("maturin", "build", "--quiet", *options, "--manifest-path", "python/Cargo.toml", "--out", out)
    build.run("maturin", "sdist", "--manifest-path", "python/Cargo.toml", "--out", out)
    (found,), (sources,) = out.glob("*.whl"), out.glob("*.tar.gz")
    for name, data in bundle.members(found):
        if name.endswith(".so"):
            check_libraries(name, data)
    check_sources(sources)
    return [Path(shutil.copy(path, build.out)) for path in (found, sources)]


def check_sources(path):
    """Refuses sources of the Python package from which pip would build another library, or without licence."""
    with tarfile.open(path) as packed:
        top = path.name[: -len(".tar.gz")]
        names = packed.getnames()
        missing = [name for name in (".cargo/config.toml", "Cargo.lock", *LICENSES) if f"{top}/{name}" not in names]
        manifest = packed.extractfile(f"{top}/Cargo.toml").read().decode()
    if f"[profile.{PROFILE}]" not in manifest:
        missing.append(f"[profile.{PROFILE}] in Cargo.toml")
    if missing:
        raise Failed(f"{path.name}: no {', no '.join(missing)}: expected what pip builds the package with; see [tool.maturin] of python/pyproject.toml")


def engine(build):
    """The engine for browsers, which both following packages have."""
    build.run("scripts/wasm", "--for", "web")
    return build.target / "wasm-pkg/web"


def npm(build):
    """The package for JavaScript."""
    build.run("scripts/npm", "--module", build.target / "wasm-pkg/web")
    name = f"banyan-games-{build.version}.tgz"
    return Path(shutil.copy(build.target / "npm" / name, build.out))


def site(build):
    """The page without a server."""
    folder = build.target / "release-site"
    build.run("scripts/site", "--module", build.target / "wasm-pkg/web", "--out", folder)
    name = f"banyan-page-{build.version}"
    return bundle.write(folder, build.out / f"{name}.tar.xz", name, build.epoch)
