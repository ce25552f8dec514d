"""Programs of the registry of Rust, built once and kept under target/. For programs that have asked for their Python by
python_version.py."""

import shutil

import foreign_compiler


class NoProgram(Exception):
    """What was found, what was expected, and what to do, in one line."""


def installed(crate, version, name, folder):
    """The program `name` of this version of a crate, in the folder."""
    place = folder / f"{name}-{version}"
    program = place / "bin" / name
    if program.is_file():
        return program
    print(f"building {crate} {version}, once", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    build = folder / "build"
    options = ["--version", version, "--bin", name, "--root", str(place), "--target-dir", str(build), "--quiet"]
    # A mirror of the registry may lack the very versions that its lock file names.
    for locked in (["--locked"], []):
        # Clippy's driver, by which ./test compiles, would report the faults of others.
        code, text = foreign_compiler.run(["env", "-u", "RUSTC_WORKSPACE_WRAPPER", "cargo", "install", crate, *options, *locked], cwd=folder)
        if code == 0 and program.is_file():
            shutil.rmtree(build, ignore_errors=True)
            return program
    error = foreign_compiler.last_error(text)
    raise NoProgram(f"{crate} {version}: {error}; expected that crate of the registry; run this again when it can be reached")
