"""Judges a corpus of CFDI documents, and breaks some of them to see that the judges can refuse.

Arguments: the folder of the corpus; `--schemas FOLDER` for SAT's files of another source than satcfdi;
`--spoil N` for how many documents of each kind are broken (all when 0); `--processes N`.
"""

import argparse
import glob
import multiprocessing
import os
import sys
from collections import Counter, defaultdict

import judges
import spoil

SHOWN_MAX = 12
# A short document is broken as well as a long one, and is judged sooner.
SPOILED_BYTES_MAX = 20_000

ALL = None


def start(schemas):
    global ALL
    ALL = judges.Judges(schemas)


def judge(task):
    """The verdicts on one file and, where it is to be broken, what escaped which judge."""
    path, breaks = task
    document = judges.Document.read(path)
    verdicts = ALL.verdicts(document)
    outcomes = []
    if breaks:
        for name, broken, expected in spoil.spoiled(document):
            escaped = [judge for judge in sorted(expected) if ALL.verdict(judge, broken) is None]
            outcomes.append((name, escaped))
    return path, verdicts, outcomes


def kind_of(path):
    return os.path.basename(path).rpartition("_")[0]


def tasks(paths, spoil_max):
    """Every document, and whether to break it: the first short ones of each kind, or all."""
    seen = Counter()
    for path in paths:
        short = os.path.getsize(path) <= SPOILED_BYTES_MAX
        seen[kind_of(path)] += short
        yield path, spoil_max == 0 or (short and seen[kind_of(path)] <= spoil_max)


class Report:
    def __init__(self):
        self.counts, self.refused = Counter(), Counter()
        self.first = []
        self.broken, self.escapes = Counter(), defaultdict(list)

    def add(self, path, verdicts, outcomes):
        kind = kind_of(path)
        self.counts[kind] += 1
        for name, why in verdicts.items():
            if why is not None:
                self.refused[kind, name] += 1
                self.first.append((os.path.basename(path), name, why))
        for name, escaped in outcomes:
            self.broken[name] += 1
            if escaped:
                self.escapes[name].append((os.path.basename(path), escaped))

    def show(self):
        print(f"{'kind':<14}{'count':>7}", *(f"{name:>16}" for name in judges.NAMES), sep="")
        for kind, count in sorted(self.counts.items()):
            cells = (self.cell(count, self.refused[kind, name]) for name in judges.NAMES)
            print(f"{kind:<14}{count:>7}", *cells, sep="")
        for file, name, why in self.first[:SHOWN_MAX]:
            print(f"REFUSED {file} by {name}: {why}")
        if len(self.first) > SHOWN_MAX:
            print(f"... and {len(self.first) - SHOWN_MAX} more refusals")
        print(f"\n{'broken on purpose':<28}{'count':>7}{'escaped':>9}")
        for name in [name for name, *_ in spoil.SPOILS] + ["our cadena"]:
            print(f"{name:<28}{self.broken[name]:>7}{len(self.escapes[name]):>9}")
            for file, escaped in self.escapes[name][:3]:
                print(f"ESCAPED {file}: not refused by {', '.join(escaped)}")

    def cell(self, count, refused):
        return f"{f'{count - refused} / {refused}':>16}"

    def passes(self):
        return self.counts and not self.first and not any(self.escapes.values())

    def never_broken(self):
        """Ways of breaking that no document offered: of no worth as a proof."""
        return [name for name, *_ in spoil.SPOILS if not self.broken[name]]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("corpus")
    options.add_argument("--schemas")
    options.add_argument("--spoil", type=int, default=3)
    options.add_argument("--processes", type=int, default=os.cpu_count())
    options = options.parse_args()
    paths = sorted(glob.glob(os.path.join(glob.escape(options.corpus), "*.xml")))
    report = Report()
    # The package keeps a database open, which a forked process must not share.
    context = multiprocessing.get_context("spawn")
    with context.Pool(options.processes, start, (options.schemas,)) as pool:
        for outcome in pool.imap_unordered(judge, tasks(paths, options.spoil), chunksize=8):
            report.add(*outcome)
    print("valid / refused, by judge")
    report.show()
    if untried := report.never_broken():
        print(f"Not tried, for no document allows it: {', '.join(untried)}")
    sys.exit(0 if report.passes() else 1)


if __name__ == "__main__":
    main()
