//! Names are resolved once per hop, and every address is judged: one bad address refuses them all, because a mix of private and
//! public addresses targets the private one.

use super::lists::Lists;
use super::target::{Host, Target};
use futures_util::future::BoxFuture;
use palanca_core::ports::{WebError, WebErrorKind};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tokio::time::timeout;

/// Resolves names.
pub trait Resolve: Send + Sync {
    /// All addresses of a name, of both families, in the order in which they should be tried. No address, or an error,
    /// means that the name is unknown.
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// The system's resolver.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolve;

impl Resolve for SystemResolve {
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move { Ok(tokio::net::lookup_host((name, 0)).await?.map(|found| found.ip()).collect()) })
    }
}

/// At most this many addresses of a name are tried; all are judged.
const TRIED: usize = 6;

/// The addresses that a connection may be made to.
pub async fn addresses(
    target: &Target,
    lists: &Lists,
    resolver: &dyn Resolve,
    limit: Duration,
) -> Result<Vec<SocketAddr>, WebError> {
    let error = |kind| WebError::new(kind, target.url.as_str());
    let found = match &target.host {
        Host::Ip(address) => vec![*address],
        Host::Name(name) => match timeout(limit, resolver.resolve(name)).await {
            Err(_) => return Err(error(WebErrorKind::Timeout).detail("its name was not resolved")),
            Ok(Err(fault)) => return Err(error(WebErrorKind::Unresolved).detail(fault.to_string())),
            Ok(Ok(found)) => found,
        },
    };
    if found.is_empty() {
        return Err(error(WebErrorKind::Unresolved).detail("it has no address"));
    }
    for address in &found {
        if let Some(rule) = target.at.refuses(*address) {
            return Err(error(WebErrorKind::Private).detail(format!("its name leads to {rule}")));
        }
        if let Some(entry) = lists.denied_address(*address, target.port) {
            return Err(error(WebErrorKind::Denied).detail(entry));
        }
    }
    let mut tried = Vec::new();
    for address in found {
        let to = SocketAddr::new(super::address::effective(address), target.port);
        if !tried.contains(&to) && tried.len() < TRIED {
            tried.push(to);
        }
    }
    Ok(tried)
}
