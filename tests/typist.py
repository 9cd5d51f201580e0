"""Types into sheets as a person would, in the real LibreOffice; run by the Python that has `uno`.

Reads a job as JSON from its first argument: `file`, `sheet`, `typed` (cell: what is typed),
`struck` (cell: how many characters from the left are struck through; null for the whole cell), and
where to save it as a workbook, `saved`. Dispatched commands do what keys do: they heed the format
of a cell, and find out what a number, a Boolean or a formula is. The API's own methods do not.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

_SECONDS = 60


def main(job: dict[str, Any]) -> None:
    """Start LibreOffice, type, and save."""
    with tempfile.TemporaryDirectory() as profile:
        pipe = f"evalbatch-{Path(profile).name}"
        office = subprocess.Popen(
            [
                "soffice",
                "--headless",
                "--norestore",
                f"-env:UserInstallation=file://{profile}",
                f"--accept=pipe,name={pipe};urp;",
            ]
        )
        try:
            _type(_connect(pipe), job)
        finally:
            office.terminate()
            office.wait(_SECONDS)


def _connect(pipe: str) -> Any:
    import uno

    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext(
        "com.sun.star.bridge.UnoUrlResolver", local
    )
    end = time.monotonic() + _SECONDS
    while True:
        try:
            return resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        except Exception:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def _type(context: Any, job: dict[str, Any]) -> None:
    services = context.ServiceManager
    desktop = services.createInstanceWithContext("com.sun.star.frame.Desktop", context)
    dispatcher = services.createInstanceWithContext("com.sun.star.frame.DispatchHelper", context)
    url = Path(job["file"]).as_uri()
    document = desktop.loadComponentFromURL(url, "_blank", 0, _properties(Hidden=True))
    controller = document.CurrentController
    controller.setActiveSheet(document.Sheets.getByName(job["sheet"]))
    for cell, text in job["typed"].items():
        for command, argument in (
            ("GoToCell", {"ToPoint": cell}),
            ("EnterString", {"StringName": text}),
        ):
            dispatcher.executeDispatch(
                controller.Frame, f".uno:{command}", "", 0, _properties(**argument)
            )
    for cell, count in job["struck"].items():
        found = controller.ActiveSheet.getCellRangeByName(cell)
        if count is None:
            found.CharStrikeout = 1
        else:
            cursor = found.createTextCursor()
            cursor.gotoStart(False)
            cursor.goRight(count, True)
            cursor.CharStrikeout = 1
    target = Path(job["saved"]).as_uri()
    document.storeToURL(target, _properties(FilterName="Calc MS Excel 2007 XML"))
    document.close(True)


def _properties(**values: Any) -> tuple[Any, ...]:
    from com.sun.star.beans import PropertyValue

    found = []
    for name, value in values.items():
        one = PropertyValue()
        one.Name, one.Value = name, value
        found.append(one)
    return tuple(found)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
