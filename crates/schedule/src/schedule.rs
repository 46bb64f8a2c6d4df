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
mod tests;
