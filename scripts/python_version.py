"""The oldest Python that the scripts of this repository run on. Each of them asks first, so that an older one is refused in one line
before anything is read or built:

    sys.path.append(FOLDER OF THIS FILE)
    from python_version import require
    require()

This file, and whatever else comes before that call, keeps to the syntax of Python 3.6.
"""

import sys

OLDEST = (3, 9)


def require(version=OLDEST, otherwise=""):
    """Ends the program with exit code 2 if Python is older than `version`, or than the oldest for all scripts. `otherwise` names what
    would do as well."""
    found = sys.version_info[:2]
    expected = max(tuple(version), OLDEST)
    if found < expected:
        texts = ["%d.%d" % pair for pair in (found, expected)]
        texts[1] += " or later" + (", or " + otherwise if otherwise else "")
        sys.stderr.write("error: %s: Python %s: expected %s\n" % (sys.executable or "python3", texts[0], texts[1]))
        sys.exit(2)
