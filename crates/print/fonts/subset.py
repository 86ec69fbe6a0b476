"""Makes the fonts of this folder from their releases. Needs `fonttools` and `brotli` (PyPI).

    npm pack inter-ui@4.1.1 @fontsource/jetbrains-mono@5.3.0    # unpack both, then
    python3 subset.py INTER_FOLDER JETBRAINS_FOLDER

Inter keeps the letters of Latin, Greek and Cyrillic; its digits become those of equal width (`tnum`), so that columns of
numbers line up without a shaping engine. What serves shaping and hinting is dropped.
"""

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

LETTERS = [(0x20, 0x24F), (0x2B0, 0x2DD), (0x370, 0x3FF), (0x400, 0x45F), (0x490, 0x4F9), (0x1E00, 0x1EFF)]
SIGNS = [(0x2010, 0x205F), (0x2070, 0x209C), (0x20A0, 0x20C0), (0x2100, 0x2189), (0x2190, 0x2199), (0x2200, 0x2265), (0x25A0, 0x25CF)]
SIGNS += [(0x2713, 0x2717), (0xFB00, 0xFB04), (0xFFFD, 0xFFFD)]
PLAIN = [(0x20, 0x7E), (0xA0, 0xFF)]


def tabular_digits(font):
    """The glyph of each digit that is as wide as all others."""
    table = font["GSUB"].table
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag == "tnum":
            for index in record.Feature.LookupListIndex:
                for subtable in table.LookupList.Lookup[index].SubTable:
                    yield from getattr(subtable, "ExtSubTable", subtable).mapping.items()


def make(source, target, ranges, tabular):
    font = TTFont(source, recalcTimestamp=False)
    if tabular:
        wide = dict(tabular_digits(font))
        for table in font["cmap"].tables:
            for digit in range(0x30, 0x3A):
                if digit in table.cmap:
                    table.cmap[digit] = wide.get(table.cmap[digit], table.cmap[digit])
    options = Options()
    options.layout_features = []
    options.hinting = False
    options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "STAT", "DSIG", "meta"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[code for first, last in ranges for code in range(first, last + 1)])
    subsetter.subset(font)
    font.flavor = None
    font.save(target, reorderTables=True)


inter, jetbrains = Path(sys.argv[1]), Path(sys.argv[2])
here = Path(__file__).parent
for weight in ("Regular", "SemiBold"):
    make(inter / f"web/Inter-{weight}.woff2", here / f"Inter-{weight}.ttf", LETTERS + SIGNS, tabular=True)
make(jetbrains / "files/jetbrains-mono-latin-400-normal.woff2", here / "JetBrainsMono-Regular.ttf", PLAIN, tabular=False)
