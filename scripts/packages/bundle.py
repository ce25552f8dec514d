"""Archives whose bytes depend on the names and contents of the files alone, and the members of archives of every kind."""

import tarfile
import zipfile
from pathlib import PurePosixPath


def write(folder, path, top, epoch):
    """An archive of the folder, whose files have one time and one owner and are sorted, below one folder `top`."""

    def plain(member):
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        member.mtime = epoch
        member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
        return member

    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:xz", format=tarfile.USTAR_FORMAT, preset=9) as archive:
        for source in [folder, *sorted(folder.rglob("*"))]:
            archive.add(source, str(PurePosixPath(top) / source.relative_to(folder)), recursive=False, filter=plain)
    return path


def members(path):
    """Name and content of each file in an archive of tar or zip."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return [(name, archive.read(name)) for name in archive.namelist()]
    if tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            return [(member.name, archive.extractfile(member).read()) for member in archive if member.isfile()]
    return []
