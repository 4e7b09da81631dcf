"""Builds every codec of `schema` with sanitizers, and gives it messages that are cut short, changed or of random bytes.

Exit status 1 at the first finding, 2 where a sanitizer is not here.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from support.fanout import unsanitized
from support.schema_fuzz import SANITIZER, examine
from support.schemas import EVERY

SEEDS = range(1, 4)


def main() -> int:
    """Say what ran clean, or what was found."""
    with tempfile.TemporaryDirectory() as folder:
        missing = unsanitized(Path(folder), SANITIZER)
        if missing is not None:
            print(missing, file=sys.stderr)
            return 2
        for path in EVERY:
            for seed in SEEDS:
                found = examine(path, Path(folder), seed)
                if found is not None:
                    print(f"{path}, seed {seed}\n{found}", file=sys.stderr)
                    return 1
    print(f"{SANITIZER}: clean over {', '.join(path.stem for path in EVERY)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
