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
