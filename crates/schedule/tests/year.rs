//! A year of moments, as another implementation counts them: `tests/data/year.tsv`.
#![allow(clippy::unwrap_used, missing_docs)]

use jiff::Timestamp;
use palanca_schedule::Schedule;

#[test]
fn a_year_in_four_zones_is_that_of_cronsim() {
    let (start, end): (Timestamp, Timestamp) =
        ("2026-01-01T00:00:00Z".parse().unwrap(), "2027-01-01T00:00:00Z".parse().unwrap());
    let mut faults = Vec::new();
    for row in include_str!("data/year.tsv").lines().filter(|row| !row.starts_with('#')) {
        let [zone, expr, count, sum, near] = row.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let schedule = Schedule::Cron { expr: expr.to_owned(), tz: Some(zone.to_owned()) };
        let moments =
            std::iter::successors(schedule.next(start, "UTC").unwrap(), |at| schedule.next(*at, "UTC").unwrap());
        let moments: Vec<i64> = moments.take_while(|at| *at < end).map(Timestamp::as_second).collect();
        let missing: Vec<&str> =
            near.split_whitespace().filter(|at| !moments.contains(&at.parse::<i64>().unwrap())).collect();
        let (count, sum): (usize, i64) = (count.parse().unwrap(), sum.parse().unwrap());
        if (moments.len(), moments.iter().sum()) != (count, sum) || !missing.is_empty() {
            faults.push(format!("{zone} {expr}: {} of {count}, missing {missing:?}", moments.len()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
