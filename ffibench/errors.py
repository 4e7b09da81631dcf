"""The one error type that reaches a user."""


class FfibenchError(Exception):
    """A mistake or trouble, told to the user in one sentence: `reason; fix`.

    Either part may quote a file or a program that is not the user's own, so whatever a terminal would act on is
    spelled out.

    Attributes:
        reason: what was wrong, and where.
        fix: the command or change that removes it; empty where the reason says it.
        status: the exit status that the command ends with.

    """

    def __init__(self, reason: str, fix: str = "", *, status: int = 1) -> None:
        self.reason, self.fix, self.status = _harmless(reason), _harmless(fix), status
        super().__init__(f"{self.reason}; {self.fix}" if fix else self.reason)


def _harmless(text: str) -> str:
    """Spell out what cannot be read, but for line ends and tabs: an escape by its number."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode() for char in text
    )
