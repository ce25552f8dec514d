"""Runs the checks of the project: `./test --help`."""

import os
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from python_version import require

require()

import command

sys.exit(command.main(sys.argv[1:]))
