//! A service on this machine alone, asked by a client. `cargo run -p palanca --example serve`
#![allow(clippy::print_stdout, missing_docs)]

use futures_util::StreamExt as _;
use futures_util::future::{Ready, ready};
use palanca::call::Cancel;
use palanca::net::NetClient;
use palanca::net::listen::{Body, Bytes, Full, ListenOptions, Listener, Peer, Request, Response, Service};
use palanca::ports::http::{Header, Http as _, HttpRequest, HttpTimeouts, Method};
use std::convert::Infallible;
use std::task::{Context, Poll};
use std::time::Duration;

/// Any `tower::Service` of HTTP will do, such as a router of axum.
#[derive(Clone)]
struct Greeting;

impl Service<Request<Body>> for Greeting {
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let peer = request.extensions().get::<Peer>();
        ready(Ok(Response::new(Full::from(format!("Hello, {peer:?}: {}\n", request.uri().path())))))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = Listener::bind(ListenOptions::local(0)).await?;
    let address = listener.address().ok_or("a TCP address")?;
    let (stop, tally) = (Cancel::new(), listener.tally());
    let serving = tokio::spawn(listener.serve(Greeting, stop.clone()));

    let url = format!("http://{address}/here");
    let client = NetClient::to(&url)?;
    // The second one comes from a web page that guessed the address.
    for headers in [Vec::new(), vec![Header::new("Origin", "https://elsewhere.example")]] {
        let timeouts = HttpTimeouts::all(Duration::from_secs(5));
        let (method, url, body) = (Method::Get, url.clone(), Bytes::new());
        let mut answer = client.send(HttpRequest { method, url, headers, body, timeouts }).await?;
        let told = answer.body.next().await.transpose()?.unwrap_or_default();
        println!("{}: {}", answer.status, String::from_utf8_lossy(&told).trim_end());
    }

    stop.cancel();
    println!("{} served, {} cut off", tally.accepted(), serving.await?);
    Ok(())
}
