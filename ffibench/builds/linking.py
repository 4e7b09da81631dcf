"""How a library is named to a linker and to a loader, so that nothing that is built names a folder of this machine."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile

from ffibench.builds.toolchain import compiler


def loaded_name(library: Path) -> str:
    """Return the name by which a loader knows a library: the soname in it, else that of the file."""
    try:
        with library.open("rb") as file:
            for section in ELFFile(file).iter_sections():
                if isinstance(section, DynamicSection):
                    for tag in section.iter_tags("DT_SONAME"):
                        return str(tag.soname)  # type: ignore[attr-defined]  # made at run time
    except (ELFError, OSError):
        pass  # whoever loads it says what is wrong with it
    return library.name


def linked_name(library: Path) -> str:
    """Return what follows `-l` for a library: `foo`, or `:FILE` where that would be another file."""
    name = re.match(r"lib(.+?)\.so(\.|$)", library.name)
    if name is None:
        return f":{library.name}"
    if library.name == f"lib{name[1]}.so":
        return name[1]
    asked = [*compiler("c").command, f"-print-file-name=lib{name[1]}.so"]
    found = Path(subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip())
    return name[1] if found.is_file() and found.samefile(library) else f":{loaded_name(library)}"
