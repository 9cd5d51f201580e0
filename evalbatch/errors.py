"""The errors that a user can act on, each with the exit code of the command line."""


class EvalbatchError(Exception):
    """An input or an option that cannot be used. Nothing was written."""

    exit_code = 2


class FolderBusyError(EvalbatchError):
    """Another run holds the results folder."""

    exit_code = 3


class PublishError(EvalbatchError):
    """The results could not be published. Earlier ones stand as they were."""

    exit_code = 4


class ConservationError(PublishError):
    """A case is missing from the sheets out, or stands in them twice."""

    @classmethod
    def after_writing(cls, name: str, what: str) -> "ConservationError":
        """Say that a file, read again, is not what was written."""
        return cls(
            f"{name}, read again, {what}; the disk may be failing. Nothing was published, and "
            "earlier results, if any, stand as they were. Run again, and if it happens again, "
            "choose a folder on another disk with -o."
        )
