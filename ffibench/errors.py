"""The one error type that reaches a user."""


class FfibenchError(Exception):
    """A mistake or trouble told to the user in one sentence.

    The sentence says what was wrong, where, and the command that mends it. It may quote a file or a program that is
    not the user's own, so whatever a terminal would act on is spelled out.

    Attributes:
        status: the exit status that the command ends with.

    """

    def __init__(self, message: str, *, status: int = 1) -> None:
        super().__init__(_harmless(message))
        self.status = status


def _harmless(message: str) -> str:
    """Spell out what cannot be read, but for line ends and tabs: an escape by its number."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode() for char in message
    )
