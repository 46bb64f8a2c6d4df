//! A schedule and its next moment.
//!
//! In a night when clocks change, what names its hours (`30 2 * * *`, `10 1-3 * * *`) is due once: at the end of the hour that is left
//! out, and the first time in the hour that comes twice. What is due every so many hours or minutes goes on as if nothing were.
//! `croner` alone does this only for single hours, so moments of the first kind are looked for on a clock that never changes.

use croner::parser::{CronParser, Seconds, Year};
use croner::{Cron, errors::CronError};
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{Timestamp, Zoned};
use serde::{Deserialize, Serialize};

/// Milliseconds between two runs: a second to ten years.
const SHORTEST: u64 = 1_000;
const LONGEST: u64 = 10 * 366 * 24 * 3_600_000;

/// When a job is due, as the file writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum Schedule {
    /// Once.
    At {
        /// ISO 8601; without an offset in the default zone.
        at: String,
    },
    /// Again and again.
    Every {
        /// Milliseconds.
        every_ms: u64,
        /// From when they count, in milliseconds since 1970.
        #[serde(default)]
        anchor_ms: i64,
    },
    /// Whenever the clock shows it.
    Cron {
        /// Minute, hour, day of the month, month, day of the week.
        expr: String,
        /// IANA name. None: the default zone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tz: Option<String>,
    },
}

/// Why a schedule cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScheduleFault {
    /// `at` is no point in time.
    At(String),
    /// It is over.
    Past(String),
    /// Too short or too long an interval.
    Every(u64),
    /// What is wrong with the expression.
    Expression(String),
    /// No day is ever like that.
    Never(String),
    /// No time zone has that name.
    Zone(String),
}

impl Schedule {
    /// With its defaults written out, and a moment after `now`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn checked(self, now: Timestamp, zone: &str) -> Result<Self, ScheduleFault> {
        let written = match self {
            Self::At { at } => {
                let moment = moment(&at, &named(zone)?)?;
                let shown = moment.to_zoned(named(zone)?).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
                if moment <= now {
                    return Err(ScheduleFault::Past(shown));
                }
                Self::At { at: shown }
            }
            Self::Every { every_ms, .. } if !(SHORTEST..=LONGEST).contains(&every_ms) => {
                return Err(ScheduleFault::Every(every_ms));
            }
            Self::Every { every_ms, .. } => Self::Every { every_ms, anchor_ms: now.as_millisecond() },
            Self::Cron { expr, tz } => {
                let expr = expr.split_whitespace().collect::<Vec<_>>().join(" ");
                Self::Cron { expr, tz: tz.filter(|name| !name.trim().is_empty()).or_else(|| Some(zone.to_owned())) }
            }
        };
        match written.next(now, zone)? {
            Some(_) => Ok(written),
            None => Err(ScheduleFault::Never(written.expression().to_owned())),
        }
    }

    /// The first moment after this one; none where it is over.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn next(&self, after: Timestamp, zone: &str) -> Result<Option<Timestamp>, ScheduleFault> {
        match self {
            Self::At { at } => Ok(Some(moment(at, &named(zone)?)?).filter(|at| *at > after)),
            Self::Every { every_ms, anchor_ms } => {
                if !(SHORTEST..=LONGEST).contains(every_ms) {
                    return Err(ScheduleFault::Every(*every_ms));
                }
                let (anchor, every) = (i128::from(*anchor_ms), i128::from(*every_ms));
                let passed = (i128::from(after.as_millisecond()) - anchor).div_euclid(every) + 1;
                let next = anchor + passed.max(0) * every;
                Ok(i64::try_from(next).ok().and_then(|next| Timestamp::from_millisecond(next).ok()))
            }
            Self::Cron { expr, tz } => {
                let (zone, cron) = (named(tz.as_deref().unwrap_or(zone))?, cron(expr)?);
                if !names_its_hours(expr) {
                    return Ok(found(&cron, &after.to_zoned(zone))?.map(|next| next.timestamp()));
                }
                let mut shown = after.to_zoned(zone.clone()).datetime();
                loop {
                    let clock = shown.to_zoned(TimeZone::UTC).map_err(|_| ScheduleFault::Never(expr.clone()))?;
                    let Some(next) = found(&cron, &clock)? else { return Ok(None) };
                    shown = next.datetime();
                    match first(&zone, shown) {
                        Some(moment) if moment <= after => {}
                        moment => return Ok(moment),
                    }
                }
            }
        }
    }

    fn expression(&self) -> &str {
        match self {
            Self::At { at } => at,
            Self::Cron { expr, .. } => expr,
            Self::Every { .. } => "",
        }
    }
}

/// The next time after this one.
fn found(cron: &Cron, after: &Zoned) -> Result<Option<Zoned>, ScheduleFault> {
    match cron.find_next_occurrence(after, false) {
        Ok(next) => Ok(Some(next)),
        Err(CronError::TimeSearchLimitExceeded) => Ok(None),
        Err(error) => Err(ScheduleFault::Expression(error.to_string())),
    }
}

fn names_its_hours(expr: &str) -> bool {
    expr.split_whitespace().take(2).all(|field| !field.contains('*'))
}

/// When clocks show this first, or would have: the end of what they leave out.
fn first(zone: &TimeZone, shown: DateTime) -> Option<Timestamp> {
    let ambiguous = zone.to_ambiguous_timestamp(shown);
    let is_left_out = matches!(ambiguous.offset(), AmbiguousOffset::Gap { .. });
    let moment = ambiguous.earlier().ok()?;
    if is_left_out { zone.following(moment).next().map(|change| change.timestamp()) } else { Some(moment) }
}

fn named(zone: &str) -> Result<TimeZone, ScheduleFault> {
    TimeZone::get(zone).map_err(|_| ScheduleFault::Zone(zone.to_owned()))
}

fn moment(at: &str, zone: &TimeZone) -> Result<Timestamp, ScheduleFault> {
    let at = at.trim();
    let with_offset = at.parse::<Timestamp>().ok().or_else(|| Some(at.parse::<Zoned>().ok()?.timestamp()));
    let local = || zone.to_timestamp(at.parse::<DateTime>().ok()?).ok();
    with_offset.or_else(local).ok_or_else(|| ScheduleFault::At(at.to_owned()))
}

fn cron(expr: &str) -> Result<Cron, ScheduleFault> {
    let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).build();
    parser.parse(expr).map_err(|error| ScheduleFault::Expression(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MADRID: &str = "Europe/Madrid";

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn cron(expr: &str, tz: &str) -> Schedule {
        Schedule::Cron { expr: expr.to_owned(), tz: Some(tz.to_owned()) }
    }

    #[test]
    fn the_next_moment_in_zones_whose_clocks_change() {
        for (expr, zone, after, next) in [
            ("0 9 * * *", MADRID, "2026-11-28T08:20:05Z", "2026-11-29T08:00:00Z"),
            ("*/15 * * * 1-5", MADRID, "2026-11-27T22:59:00Z", "2026-11-29T23:00:00Z"),
            // 02:30 is left out on 29 March 2026 in Madrid, and comes twice on 25 October.
            ("30 2 * * *", MADRID, "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"),
            ("30 2 * * *", MADRID, "2026-03-29T12:00:00Z", "2026-03-30T00:30:00Z"),
            ("30 2 * * *", MADRID, "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"),
            ("30 2 * * *", MADRID, "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"),
            ("45 1,2,3 * * *", MADRID, "2026-03-29T00:45:00Z", "2026-03-29T01:00:00Z"),
            ("45 1,2,3 * * *", MADRID, "2026-03-29T01:00:00Z", "2026-03-29T01:45:00Z"),
            ("45 1,2,3 * * *", MADRID, "2026-10-25T00:45:00Z", "2026-10-25T02:45:00Z"),
            ("0 * * * *", MADRID, "2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z"),
            ("0 */6 * * *", "Australia/Lord_Howe", "2026-10-03T13:30:00Z", "2026-10-03T19:00:00Z"),
            ("30 1 * * *", "America/New_York", "2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"),
            ("0 9 1 * *", "America/Argentina/Buenos_Aires", "2026-11-28T00:00:00Z", "2026-12-01T12:00:00Z"),
            // Half an hour only.
            ("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", "2026-10-03T15:30:00Z"),
            ("0 0 29 2 *", "UTC", "2026-11-28T00:00:00Z", "2028-02-29T00:00:00Z"),
        ] {
            let found = cron(expr, zone).next(at(after), "UTC").unwrap().unwrap();
            assert_eq!(found, at(next), "{expr} in {zone} after {after}");
        }
    }

    #[test]
    fn intervals_count_from_their_anchor() {
        let every = |every_ms, anchor_ms| Schedule::Every { every_ms, anchor_ms };
        let next = |schedule: &Schedule, after| {
            schedule.next(Timestamp::from_millisecond(after).unwrap(), "UTC").unwrap().unwrap().as_millisecond()
        };
        for (after, expected) in [(0, 500), (499, 500), (500, 60_500), (60_499, 60_500), (999_999, 1_020_500)] {
            assert_eq!(next(&every(60_000, 500), after), expected, "{after}");
        }
        assert_eq!(every(LONGEST, i64::MAX).next(Timestamp::MAX, "UTC"), Ok(None));
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_reason() {
        let now = at("2026-11-28T08:00:00Z");
        let point = |text: &str| Schedule::At { at: text.to_owned() };
        for (schedule, fault) in [
            (point("tomorrow"), ScheduleFault::At("tomorrow".to_owned())),
            (point("2026-02-30T10:00:00Z"), ScheduleFault::At("2026-02-30T10:00:00Z".to_owned())),
            (point("2026-11-28T08:59:59"), ScheduleFault::Past("2026-11-28T08:59:59+01:00".to_owned())),
            (Schedule::Every { every_ms: 999, anchor_ms: 0 }, ScheduleFault::Every(999)),
            (Schedule::Every { every_ms: u64::MAX, anchor_ms: 0 }, ScheduleFault::Every(u64::MAX)),
            (cron("0 0 30 2 *", "UTC"), ScheduleFault::Never("0 0 30 2 *".to_owned())),
            (cron("0 9 * * *", "Madrid"), ScheduleFault::Zone("Madrid".to_owned())),
        ] {
            assert_eq!(schedule.checked(now, MADRID), Err(fault));
        }
        for wrong in ["", "0 9 * *", "0 0 9 * * *", "61 * * * *", "x * * * *", "0 9 * * * 2027"] {
            let found = cron(wrong, MADRID).checked(now, MADRID);
            assert!(matches!(found, Err(ScheduleFault::Expression(_))), "{wrong}: {found:?}");
        }
    }

    #[test]
    fn what_is_left_out_is_written_down() {
        let now = at("2026-11-28T08:00:00Z");
        for (given, kept) in [
            (r#"{"kind":"at","at":"2026-11-28T10:00"}"#, r#"{"kind":"at","at":"2026-11-28T10:00:00+01:00"}"#),
            (r#"{"kind":"at","at":"2026-11-28T18:00:00-03:00"}"#, r#"{"kind":"at","at":"2026-11-28T22:00:00+01:00"}"#),
            (r#"{"kind":"every","everyMs":60000}"#, r#"{"kind":"every","everyMs":60000,"anchorMs":1795852800000}"#),
            (r#"{"kind":"cron","expr":" 0  9 * * * "}"#, r#"{"kind":"cron","expr":"0 9 * * *","tz":"Europe/Madrid"}"#),
        ] {
            let given: Schedule = serde_json::from_str(given).unwrap();
            assert_eq!(serde_json::to_string(&given.checked(now, MADRID).unwrap()).unwrap(), kept);
        }
    }
}
