//! Every row of the corpus, for real: names are asked, servers answer everywhere, and the capture says where packets went.

use crate::servers::Reply;
use crate::world::{Played, World};
use crate::{slow, space};
use palanca_core::ports::{WebErrorKind, WebLimits};
use palanca_testkit::PATIENCE;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::net::IpAddr;
use url::Url;

/// Further rows of the same kinds.
const OWN: &str = include_str!("../data/urls.jsonl");

/// What may be reached in this world: the addresses that its names lead to, and the literal ones of rows that are allowed.
const PUBLIC: &[&str] = &["93.184.215.14", "93.184.215.15", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"];

fn rows() -> Vec<Value> {
    OWN.lines().map(|line| serde_json::from_str(line).unwrap()).chain(palanca_testkit::corpus("urls")).collect()
}

fn texts<'a>(row: &'a Value, key: &str) -> Vec<&'a str> {
    row[key].as_array().into_iter().flatten().map(|text| text.as_str().unwrap()).collect()
}

/// Every port that a row or one of its redirects names.
fn ports() -> HashSet<u16> {
    let mut ports = HashSet::from([22, 80, 443, 6379, 8080, 8443]);
    for row in rows() {
        let urls = texts(&row, "redirects").into_iter().chain(row["input"].as_str());
        let port = |url: &str| Url::parse(url).ok()?.port_or_known_default();
        ports.extend(urls.filter_map(port).filter(|port| *port != 53));
    }
    ports
}

fn prepare(world: &World, row: &Value) {
    {
        let mut script = world.script.lock().unwrap();
        script.names.clear();
        script.replies.clear();
    }
    for (name, addresses) in row["dns"].as_object().into_iter().flatten() {
        let set: Vec<&str> = addresses.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
        world.names(name, &[&set]);
    }
    let mut replies: Vec<Reply> =
        texts(row, "redirects").into_iter().map(|to| Reply::Redirect(to.to_owned())).collect();
    if let Some(sequence) = row["rebind"]["sequence"].as_array() {
        let sets: Vec<Vec<&str>> = sequence
            .iter()
            .map(|set| set.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect())
            .collect();
        let sets: Vec<&[&str]> = sets.iter().map(Vec::as_slice).collect();
        world.names(Url::parse(row["input"].as_str().unwrap()).unwrap().host_str().unwrap(), &sets);
    }
    match row["rebind"]["fault"].as_str() {
        Some("reset first connection") => replies.push(Reply::Reset),
        Some(fault) => panic!("{fault}: an unknown fault"),
        None => {}
    }
    if let Some(body) = row["body"].as_str() {
        replies.push(Reply::page(body));
    }
    if let Some(server) = row["server"].as_str() {
        replies.push(slow::reply(server));
    }
    world.replies(replies);
}

/// What is wrong with how a row went, if anything.
fn judge(row: &Value, played: &Played) -> Option<String> {
    let input = row["input"].as_str().unwrap();
    let literal =
        Url::parse(input).ok().and_then(|url| url.host_str()?.trim_matches(['[', ']']).parse::<IpAddr>().ok());
    let also_ok = texts(row, "also_ok");
    let reached = played.reached();
    let may_reach = |to: IpAddr| {
        PUBLIC.iter().any(|public| public.parse::<IpAddr>().unwrap() == to)
            || (literal == Some(to) && (row["expect"] == "allow" || also_ok.contains(&"allow")))
    };
    let elsewhere: Vec<_> = played.begun().into_iter().filter(|packet| !may_reach(packet.to.ip())).collect();
    if !elsewhere.is_empty() {
        return Some(format!("packets to {elsewhere:?}"));
    }
    if let Some(service) = reached.iter().find(|to| [22, 25, 6379].contains(&to.port())) {
        return Some(format!("a connection to {service}"));
    }
    let allowed = match &played.answer {
        Ok(answer) => {
            let unexpected = row.get("server").is_none() && (answer.status != 200 || answer.body.is_empty());
            if unexpected {
                return Some(format!("{answer:?}"));
            }
            true
        }
        // The certificate holds no such name; the connection was made.
        Err(error) => matches!(error.kind, WebErrorKind::Tls | WebErrorKind::Interrupted) && !reached.is_empty(),
    };
    let label = if allowed { "allow" } else { "deny" };
    if row["expect"] != label && !also_ok.contains(&label) {
        return Some(format!("{label}: {:?}", played.answer));
    }
    let first_hop_only = row.get("redirects").is_some() || row.get("rebind").is_some();
    if !allowed && !first_hop_only && !played.begun().is_empty() {
        return Some(format!("refused, but sent {:?}", played.begun()));
    }
    let credentials = |at: usize| played.received.get(at).is_some_and(|received| received.head.contains("SECRETMARK"));
    if !texts(row, "redirects").is_empty()
        && (!credentials(0) || (1..10).any(|at| leaks(played, at) && credentials(at)))
    {
        return Some(format!("credentials went along: {:?}", played.received));
    }
    None
}

/// Whether this request went to another host than the first.
fn leaks(played: &Played, at: usize) -> bool {
    let host = |at: usize| {
        let head = &played.received.get(at)?.head;
        head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("host:").map(|host| host.trim().to_owned()))
    };
    host(at).is_some_and(|other| Some(other) != host(0))
}

#[test]
fn every_row_as_labelled_and_no_packet_to_a_denied_address() {
    if !space::enter("corpus::every_row_as_labelled_and_no_packet_to_a_denied_address") {
        return;
    }
    let world = World::new(&ports());
    let limits = WebLimits { time: PATIENCE, bytes: 256 << 10, ..WebLimits::default() };
    let mut counts = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut everywhere = BTreeSet::new();
    for row in rows() {
        prepare(&world, &row);
        let played = world.play(row["input"].as_str().unwrap(), limits);
        // Not the answers to them: over IPv6 they come back to ::1, the only address that this world's clients have.
        everywhere.extend(played.begun().iter().map(|packet| packet.to.ip()));
        let label = if played.answer.is_ok() { "answered" } else { "refused" };
        *counts.entry((row["cat"].as_str().unwrap().to_owned(), label)).or_insert(0) += 1;
        if let Some(fault) = judge(&row, &played) {
            wrong.push(format!("{} {}: {fault}", row["id"], row["input"]));
        }
    }
    eprintln!("{counts:?}\nreached in all: {everywhere:?}");
    let all: usize = counts.values().sum();
    assert!(all > 70 && counts.iter().filter(|((_, label), _)| *label == "answered").count() > 3, "{counts:?}");
    assert!(wrong.is_empty(), "{} of {all} rows:\n{}", wrong.len(), wrong.join("\n"));
}
