//! The isolation of programs on this machine, and under this configuration.

use super::{Finding, finding};
use crate::say::say;
use palanca_config::Config;
use palanca_core::Message;
use palanca_core::ports::ProcessErrorKind;
use palanca_files::Disk;
use palanca_host::Places;
use palanca_host::workspace::person::Person;
use palanca_host::workspace::processes::Deferred;
use palanca_sandbox::{Level, Mechanism};
use std::sync::Arc;

/// The findings, and the level at which programs run; none when they are refused.
pub(super) fn programs(places: &Places, config: &Config, disk: Disk) -> (Vec<Finding>, Option<Level>) {
    let isolation = Message::new("doctor-isolation");
    let isolation = |is: String| finding("isolation", &isolation, is);
    let probe = palanca_sandbox::probe();
    let mut findings: Vec<Finding> = probe.tried().map(|(mechanism, outcome)| tried(mechanism, outcome)).collect();
    if let Some(trouble) = probe.trouble() {
        findings.push(isolation(say(&Message::new("doctor-mechanism-not-tried").with("reason", trouble))));
    }
    let door = Deferred::new(places, config, Arc::new(disk));
    let level = door.open().map(|door| door.level());
    let enforced = level.as_ref().ok().copied();
    findings.push(match level {
        Ok(Level::None) => isolation(say(&Message::new("doctor-isolation-none"))).remedy("doctor-isolation-none-mend"),
        Ok(Level::Filters) => {
            isolation(say(&Message::new("doctor-isolation-filters"))).remedy("doctor-isolation-filters-mend")
        }
        Ok(Level::Full) => isolation(say(&Message::new("doctor-isolation-full"))),
        Err(error) if error.kind == ProcessErrorKind::Exposed => {
            let exposed = Message::new("doctor-isolation-exposed").with("path", &error.what);
            isolation(say(&exposed)).remedy("doctor-isolation-exposed-mend")
        }
        Err(error) => isolation(say(&Message::new("system-words").with("words", error.detail)))
            .remedy("doctor-isolation-closed-mend"),
    });
    findings.extend(own_programs(door.person()));
    (findings, enforced)
}

/// Which of the person's own programs commands find.
fn own_programs(person: &Person) -> Vec<Finding> {
    let (label, found) = (Message::new("doctor-path"), person.toolchains());
    let is = if found.path.is_empty() {
        Message::new("doctor-path-off")
    } else {
        let names = found.names.iter().copied().collect::<Vec<_>>().join(", ");
        let tools = if names.is_empty() { say(&Message::new("doctor-path-none")) } else { names };
        Message::new("doctor-path-found").with("folders", found.path.len()).with("tools", tools)
    };
    let left_out = found.left_out.iter().map(|(folder, why)| {
        Message::new("doctor-path-left").with("folder", folder.display().to_string()).with("why", why.name())
    });
    std::iter::once(is).chain(left_out).map(|is| finding("path", &label, say(&is))).collect()
}

fn tried(mechanism: Mechanism, outcome: Result<&str, &str>) -> Finding {
    let (name, loss) = words(mechanism);
    let is = match outcome {
        Ok("") => Message::new("doctor-mechanism-works"),
        Ok(detail) => {
            // `version 7`: what the probe says of landlock.
            Message::new("doctor-mechanism-works-detail").with("detail", detail.replace("version ", "v"))
        }
        Err(reason) => Message::new("doctor-mechanism-missing").with("reason", reason).with("loss", say(&loss)),
    };
    finding(mechanism.name(), &name, say(&is))
}

/// What it is called, and what a program can do where it is missing.
fn words(mechanism: Mechanism) -> (Message, Message) {
    let (name, loss) = match mechanism {
        Mechanism::UserNamespace => ("doctor-mechanism-user", "doctor-loss-user"),
        Mechanism::ProcessNamespace => ("doctor-mechanism-process", "doctor-loss-process"),
        Mechanism::NetworkNamespace => ("doctor-mechanism-network", "doctor-loss-network"),
        Mechanism::OtherNamespaces => ("doctor-mechanism-others", "doctor-loss-others"),
        Mechanism::Full => ("doctor-mechanism-full", "doctor-loss-full"),
        Mechanism::Landlock => ("doctor-mechanism-landlock", "doctor-loss-landlock"),
        Mechanism::Seccomp => ("doctor-mechanism-seccomp", "doctor-loss-seccomp"),
        Mechanism::Groups => ("doctor-mechanism-groups", "doctor-loss-groups"),
        Mechanism::Openat2 => ("doctor-mechanism-openat2", "doctor-loss-openat2"),
        Mechanism::Supervisor => ("doctor-mechanism-supervisor", "doctor-loss-supervisor"),
        _ => ("doctor-mechanism-filters", "doctor-loss-filters"),
    };
    (Message::new(name), Message::new(loss))
}
