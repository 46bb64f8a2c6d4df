import unittest
from datetime import date

from ledger import Entry, by_category, monthly_total, parse_amount

ENTRIES = [
    Entry(date(2025, 3, 2), "rent", 80000),
    Entry(date(2026, 3, 1), "rent", 82000),
    Entry(date(2026, 3, 9), "food", 4550),
]


class LedgerTest(unittest.TestCase):
    def test_by_category(self):
        self.assertEqual(by_category(ENTRIES), {"rent": 162000, "food": 4550})


if __name__ == "__main__":
    unittest.main()
