"""Start one Python contestant. Run by file path, `python -I .../worker/__main__.py`, by any interpreter.

The tool itself may be in another interpreter's site-packages, which this process must not import from.
So only the folder of this file is made importable, as the package `ffibench.worker`.
"""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

FOLDER = __file__.rpartition("/")[0]
PACKAGE = "ffibench.worker"

if PACKAGE not in sys.modules:
    package = ModuleType(PACKAGE)
    package.__spec__ = ModuleSpec(PACKAGE, None, is_package=True)
    package.__path__ = [FOLDER]
    sys.modules[PACKAGE] = package

from ffibench.worker.contract import serve  # noqa: E402 (found through the entry above)

sys.exit(serve(sys.argv[1:]))
