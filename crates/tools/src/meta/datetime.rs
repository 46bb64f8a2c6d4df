//! What time it is, in a time zone, as people and as programs write it.

use crate::operation::{Annotations, Args, Lane, Offer, Operation, ToolOptions};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use palanca_core::call::{Claims, ErrorKind};
use palanca_core::tool::Repetition;
use palanca_core::{Message, Output, ToolCx, ToolError};
use serde_json::json;

const SPANISH_DAYS: [&str; 7] = ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"];
#[rustfmt::skip]
const SPANISH_MONTHS: [&str; 12] = [
    "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
];

/// Whether this is the IANA name of a time zone.
#[must_use]
pub fn is_time_zone(name: &str) -> bool {
    TimeZone::get(name).is_ok()
}

#[derive(Args)]
pub(crate) struct GetDatetime {
    /// IANA name of a time zone, like Europe/Madrid. Leave out for the configured one.
    timezone: Option<String>,
}

impl Offer for GetDatetime {
    const NAME: &'static str = "get_datetime";
    const DESCRIPTION: &'static str =
        "The current date, time, day of the week and time zone, and the same moment in ISO 8601 with its offset.";
    const ANNOTATIONS: Annotations = Annotations::READ_ONLY;
    const REPETITION: Repetition = Repetition::Watches;
    const LANE: Lane = Lane::Reading;

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        Now { zone: self.timezone.as_deref().map(str::trim).filter(|zone| !zone.is_empty()), options }
    }
}

struct Now<'a> {
    zone: Option<&'a str>,
    options: &'a ToolOptions,
}

impl Operation for Now<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        Ok(Claims::none())
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let name = self.zone.unwrap_or(&self.options.datetime.timezone);
        let invalid =
            || ToolError::new(ErrorKind::InvalidArguments, Message::new("datetime-zone-unknown").with("zone", name));
        let zone = TimeZone::get(name).map_err(|_| invalid())?;
        let now = Timestamp::try_from(cx.clock().now()).map_err(|_| invalid())?.to_zoned(zone);
        let (date, day) = written(&now, &self.options.datetime.locale);
        let iso = now.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
        let text = Message::new("datetime-now")
            .with("date", date)
            .with("time", now.strftime("%H:%M:%S").to_string())
            .with("day", day)
            .with("zone", name)
            .with("iso", iso.as_str());
        let data = json!({"iso": iso, "timezone": name, "timestamp": now.timestamp().as_second()});
        Ok(Output::text(text).with_data(data))
    }
}

/// The date and the day of the week: in Spanish where the locale is, else in English.
fn written(now: &Zoned, locale: &str) -> (String, String) {
    let language = locale.split(['-', '_']).next().unwrap_or_default();
    if !language.eq_ignore_ascii_case("es") {
        return (now.strftime("%B %-d, %Y").to_string(), now.strftime("%A").to_string());
    }
    let of = |names: &[&'static str], number: i8| {
        names.get(usize::try_from(number - 1).unwrap_or_default()).copied().unwrap_or_default()
    };
    let date = format!("{} de {} de {}", now.day(), of(&SPANISH_MONTHS, now.month()), now.year());
    (date, of(&SPANISH_DAYS, now.weekday().to_monday_one_offset()).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_written_as_its_locale_has_it() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap().to_zoned(TimeZone::get("Europe/Madrid").unwrap());
        for (moment, locale, expected) in [
            ("2026-11-27T23:30:00Z", "es-AR", ("28 de noviembre de 2026", "sábado")),
            ("2026-11-27T22:30:00Z", "es", ("27 de noviembre de 2026", "viernes")),
            ("2026-01-04T12:00:00Z", "ES_mx", ("4 de enero de 2026", "domingo")),
            ("2026-12-31T12:00:00Z", "en-GB", ("December 31, 2026", "Thursday")),
            ("2026-12-31T12:00:00Z", "", ("December 31, 2026", "Thursday")),
        ] {
            let (date, day) = written(&at(moment), locale);
            assert_eq!((&*date, &*day), expected, "{moment} {locale}");
        }
        assert!(is_time_zone("America/Argentina/Buenos_Aires") && !is_time_zone("Madrid") && !is_time_zone(""));
    }
}
