"""A household ledger: entries in a CSV file, totals by month and category."""

import csv
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Entry:
    day: date
    category: str
    cents: int


def parse_amount(text):
    """'12.34' -> 1234. Amounts are kept in cents."""
    return int(float(text) * 100)


def load(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [
            Entry(date.fromisoformat(row["day"]), row["category"], parse_amount(row["amount"]))
            for row in csv.DictReader(file)
        ]


def monthly_total(entries, year, month):
    return sum(entry.cents for entry in entries if entry.day.month == month)


def by_category(entries):
    totals = {}
    for entry in entries:
        totals[entry.category] = totals.get(entry.category, 0) + entry.cents
    return totals
