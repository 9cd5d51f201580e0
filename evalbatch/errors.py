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
