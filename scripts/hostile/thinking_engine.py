"""A UGI engine of Connect Four that answers at once, or after the milliseconds given to it, but thinks for 30 seconds if there is a file
`think` in the folder of its script: it creates `thinking` there then."""

import sys
import time
from pathlib import Path

FOLDER = Path(sys.argv[0]).resolve().parent
DELAY = float((sys.argv[1:] or ["0"])[0]) / 1_000


def main() -> None:
    columns, stones = 7, []
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["ugi"]:
            say("id name Thinker\nid author nobody\noption name Game type combo default connect-four var connect-four\nugiok")
        elif words[:1] == ["setoption"] and "Game" in words:
            columns = int(words[-1].partition(":")[2].partition("x")[2] or 7)
        elif words[:1] == ["isready"]:
            say("readyok")
        elif words[:1] == ["position"]:
            stones = words[words.index("moves") + 1:] if "moves" in words else []
        elif words[:1] == ["go"]:
            if (FOLDER / "think").exists():
                (FOLDER / "thinking").touch()
                time.sleep(30)
            time.sleep(DELAY)
            heights = {str(column): stones.count(str(column)) for column in range(1, columns + 1)}
            say(f"bestmove {min(heights, key=heights.get)}")
        elif words[:1] == ["quit"]:
            return


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


main()
