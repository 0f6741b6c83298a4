"""Pictures of every page of the console: in both languages, light and dark, wide and narrow.

    make screenshots                                          into var/screenshots
    make screenshots ARGS="FOLDER --only topic queue-fact"

The pages are those of `showcase.PAGES`, on a server and a database of their own. A picture is as high as its page and
is called page-language-theme-width.png; index.html shows them side by side.
"""

from __future__ import annotations

import argparse
import html
import sys
import tempfile
from itertools import product
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser import showcase
from tests.browser.visits import CHROMIUM, NARROW, QUIET, WIDE, Visitor, grow

LANGUAGES = {"en": "en", "zh": "zh-hans"}
THEMES = ("light", "dark")
SIZES = {"1280": WIDE, "390": NARROW}


def take_pictures(visitor: Visitor, names: list[str], folder: Path) -> list[str]:
    """Writes the pictures and names the pages that could not be had, with what was wrong."""
    faults = []
    for short, language in LANGUAGES.items():
        for name, (width, size) in product(names, SIZES.items()):
            try:
                page = visitor.visit(name, language, narrow=width == "390")
                grow(page)
                for theme in THEMES:
                    page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
                    page.screenshot(path=folder / f"{name}-{short}-{theme}-{width}.png", animations="disabled")
                page.set_viewport_size(size)
            except Exception as error:
                faults.append(f"{name} ({short}, {width}): {str(error).splitlines()[0]}")
    return faults


def write_index(folder: Path) -> None:
    """A row for each page that there are pictures of, from this run or an earlier one."""
    variants = ["-".join(parts) for parts in product(LANGUAGES, THEMES, SIZES)]
    found = {path.name for path in folder.glob("*.png")}
    head = "".join(f"<th>{variant}</th>" for variant in variants)
    rows = []
    for name in (n for n in showcase.PAGES if f"{n}-{variants[0]}.png" in found):
        cells = (
            f'<td><a href="{name}-{v}.png"><img src="{name}-{v}.png" alt="{name}, {v}" loading="lazy"></a></td>'
            for v in variants
        )
        rows.append(f'<tr><th id="{name}">{html.escape(name)}</th>{"".join(cells)}</tr>')
    style = "body{font:14px sans-serif}th{text-align:left;vertical-align:top}img{width:260px;border:1px solid #bbb}"
    table = f"<table><thead><tr><th>Page</th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    document = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Screenshots</title><style>{style}</style>'
    (folder / "index.html").write_text(document + table + "</html>", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=showcase.ROOT / "var" / "screenshots")
    parser.add_argument("--only", nargs="+", choices=list(showcase.PAGES), default=list(showcase.PAGES), metavar="PAGE")
    parser.add_argument("--port", type=int, default=0, help="of the server (default: any)")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        showcase.serve(Path(folder), options.port) as (address, ids),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        faults = take_pictures(Visitor(browser, address, ids), options.only, options.folder)
        browser.close()
    write_index(options.folder)
    sys.stdout.write(f"{len(list(options.folder.glob('*.png')))} pictures: {options.folder / 'index.html'}\n")
    if faults:
        raise SystemExit("\n".join(["These pages could not be had:", *faults]))


if __name__ == "__main__":
    main()
