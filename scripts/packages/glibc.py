"""Which versions of glibc a program or library for Linux needs, from the table of symbol versions in its file (ELF, 64 bits, little endian)."""

import re
import struct

# The type of the section with needed versions, and that of the dynamic section, with the entry that names a library.
NEEDED_VERSIONS, DYNAMIC, LIBRARY = 0x6FFFFFFE, 6, 1


class NotElf(Exception):
    """The file is no program of this kind."""


def sections(data):
    """Type, offset, size and linked section of each."""
    if data[:6] != b"\x7fELF\x02\x01":
        raise NotElf("no file in ELF for 64 bits, little endian")
    (table,) = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    found = []
    for n in range(count):
        kind, _, _, offset, length, link = struct.unpack_from("<IQQQQI", data, table + n * size + 4)
        found.append((kind, offset, length, link))
    return found


def text_at(data, offset):
    return data[offset : data.index(b"\0", offset)].decode()


def needed(data):
    """The libraries that the file is linked with, and the versions that it needs of each: `{"libc.so.6": {"GLIBC_2.28"}}`."""
    found = {}
    parts = sections(data)
    for kind, offset, length, link in parts:
        names = parts[link][1] if link < len(parts) else 0
        if kind == DYNAMIC:
            for at in range(offset, offset + length, 16):
                tag, value = struct.unpack_from("<qQ", data, at)
                if tag == LIBRARY:
                    found.setdefault(text_at(data, names + value), set())
        elif kind == NEEDED_VERSIONS:
            for library, versions in version_needs(data, offset, names):
                found.setdefault(library, set()).update(versions)
    return found


def version_needs(data, offset, names):
    """Each library with its versions: linked lists of libraries, and of versions in each."""
    while True:
        _, count, library, first, following = struct.unpack_from("<HHIII", data, offset)
        versions, at = [], offset + first
        for _ in range(count):
            name, step = struct.unpack_from("<II", data, at + 8)
            versions.append(text_at(data, names + name))
            at += step
        yield text_at(data, names + library), versions
        if not following:
            return
        offset += following


def newest(libraries):
    """The newest version of glibc among those, as a pair of numbers; (0, 0) for none."""
    numbers = [re.fullmatch(r"GLIBC_(\d+)\.(\d+)(\.\d+)?", version) for versions in libraries.values() for version in versions]
    return max(((int(number.group(1)), int(number.group(2))) for number in numbers if number), default=(0, 0))
