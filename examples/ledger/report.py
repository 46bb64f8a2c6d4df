"""Prints what a month cost:  python3 report.py entries.csv 2026 3"""

import sys

from ledger import load, monthly_total


def euros(cents):
    return f"{cents / 100:>9.2f}"


def main(path, year, month):
    year, month = int(year), int(month)
    entries = load(path)
    for entry in entries:
        if (entry.day.year, entry.day.month) == (year, month):
            print(f"{entry.day}  {entry.category:<8} {euros(entry.cents)}")
    print(f"{'total':<20} {euros(monthly_total(entries, year, month))}")


if __name__ == "__main__":
    main(*sys.argv[1:])
