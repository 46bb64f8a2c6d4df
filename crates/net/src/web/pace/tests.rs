#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::super::target::Rules;
use super::*;
use palanca_core::call::HttpAccess;
use tokio::time::advance;

fn target(host: &str) -> Target {
    Rules::new(&WebOptions::default()).unwrap().judge(&HttpAccess::get(format!("http://{host}/"))).unwrap()
}

fn pace(requests_per_second: u32, burst: u32) -> Pace {
    let patience = Duration::from_secs(2);
    Pace::new(&WebOptions { requests_per_second, burst, patience, ..WebOptions::default() })
}

#[tokio::test(start_paused = true)]
async fn a_host_is_asked_at_its_rate() {
    let pace = pace(10, 20);
    let host = target("example.com");
    let start = Instant::now();
    for _ in 0..20 {
        drop(pace.turn(&host).await.unwrap());
    }
    assert_eq!(start.elapsed(), Duration::ZERO);
    for _ in 0..30 {
        drop(pace.turn(&host).await.unwrap());
    }
    let took = start.elapsed().as_millis();
    assert!((2999..=3001 + 30).contains(&took), "{took}");
    drop(pace.turn(&target("example.org")).await.unwrap());
    assert_eq!(start.elapsed().as_millis(), took);
    advance(Duration::from_secs(60)).await;
    let start = Instant::now();
    for _ in 0..20 {
        drop(pace.turn(&host).await.unwrap());
    }
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn who_would_wait_too_long_is_told_for_how_long() {
    let pace = pace(1, 1);
    let host = target("example.com");
    let mut claims = (0..5).map(|_| pace.claim("example.com").map(drop));
    assert!(claims.by_ref().take(3).all(|claim| claim.is_ok()));
    assert_eq!(claims.next(), Some(Err(Duration::from_secs(1))));
    let error = pace.turn(&host).await.err().unwrap();
    assert_eq!((error.kind, &*error.detail), (WebErrorKind::RateLimited, "try again in 2 s"));
    // Who is refused takes nothing from those who come later.
    advance(Duration::from_secs(2)).await;
    assert!(pace.turn(&host).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn connections_are_counted_for_a_host_and_in_all() {
    let options = WebOptions { connections_per_host: 2, connections: 3, ..WebOptions::default() };
    let pace = Pace::new(&options);
    let (one, other) = (target("example.com"), target("example.org"));
    let first = pace.turn(&one).await.unwrap();
    let second = pace.turn(&one).await.unwrap();
    let soon = Duration::from_millis(10);
    assert!(tokio::time::timeout(soon, pace.turn(&one)).await.is_err());
    let third = pace.turn(&other).await.unwrap();
    assert!(tokio::time::timeout(soon, pace.turn(&other)).await.is_err());
    drop(first);
    let fourth = pace.turn(&other).await.unwrap();
    assert!(tokio::time::timeout(soon, pace.turn(&one)).await.is_err());
    drop((second, third, fourth));
    assert!(pace.turn(&one).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn hosts_that_were_left_alone_are_forgotten() {
    let pace = pace(10, 1);
    for number in 0..100_000 {
        assert!(pace.claim(&number.to_string()).is_ok());
        advance(Duration::from_millis(1)).await;
    }
    assert!(pace.hosts.lock().len() <= REMEMBERED);
}
