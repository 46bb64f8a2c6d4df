"""Prints what a month cost:  python report.py entries.csv 2026 3"""

import sys

from ledger import by_category, load, monthly_total


def main(path, year, month):
    entries = load(path)
    total = monthly_total(entries, int(year), int(month))
    print(f"{year}-{int(month):02}: {total / 100:.2f}")
    for category, cents in sorted(by_category(entries).items()):
        print(f"  {category:<12} {cents / 100:>9.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
