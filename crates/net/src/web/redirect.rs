//! Redirects, by the rules of the Fetch Standard with one exception: a request that does more than read is never
//! repeated elsewhere with its body. Approval to send that body was for one host.
//!
//! A redirect from https to http is followed, as in browsers, without credentials, because the origin differs.
//! Redirects in a page's text (`meta refresh`, scripts) are only text.

use hyper::header::{HeaderMap, LOCATION};
use palanca_core::call::Method;
use url::Url;

/// What to do with an answer's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// This is the answer.
    Stay,
    /// Continue there. The address has not been judged.
    Go { url: String, method: Method, body: Carried },
}

/// Whether the body goes along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    Kept,
    Dropped,
}

pub fn step(status: u16, headers: &HeaderMap, (method, from): (Method, &Url)) -> Step {
    if !matches!(status, 301 | 302 | 303 | 307 | 308) {
        return Step::Stay;
    }
    let Some(location) = headers.get(LOCATION) else {
        return Step::Stay;
    };
    let location = String::from_utf8_lossy(location.as_bytes());
    // An address that cannot be joined is passed on unchanged: the judgement says what is wrong with it.
    let next = from.join(&location);
    let url = next.as_ref().map_or_else(|_| location.to_string(), ToString::to_string);
    let asks = match (status, method) {
        (303, Method::Head) | (_, Method::Get) => return go(url, method, Carried::Kept),
        (303, _) | (301 | 302, Method::Post) => true,
        _ => false,
    };
    if asks {
        return go(url, Method::Get, Carried::Dropped);
    }
    if method.only_reads() || next.is_ok_and(|next| next.origin() == from.origin()) {
        return go(url, method, Carried::Kept);
    }
    Step::Stay
}

const fn go(url: String, method: Method, body: Carried) -> Step {
    Step::Go { url, method, body }
}

#[cfg(test)]
mod tests;
