use super::*;
use futures_util::StreamExt as _;
use palanca_core::ports::WebStream;

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
const CHUNKED: &[u8] = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

async fn begin(world: &Arc<World>, url: &str, limits: WebLimits, cancel: &Cancel) -> Result<WebStream, WebError> {
    let fresh = Duration::from_secs(60);
    let with = WebRequest { headers: &[], limits, fresh, hops: &AnyHop, cancel };
    door(world, WebOptions::default()).stream(&HttpAccess::get(url), with).await
}

/// All pieces, and the error at the end.
async fn all(stream: WebStream) -> (String, Option<WebError>) {
    let (mut text, mut error) = (Vec::new(), None);
    let mut body = stream.body;
    while let Some(piece) = body.next().await {
        assert_eq!(error, None, "nothing follows an error");
        match piece {
            Ok(piece) => text.extend_from_slice(&piece),
            Err(fault) => error = Some(fault),
        }
    }
    (String::from_utf8_lossy(&text).into_owned(), error)
}

#[tokio::test(start_paused = true)]
async fn events_are_read_as_they_come() {
    let world = Arc::new(World::new(|_| Reply::Drip([HEAD, b"data: 1\n\n"].concat(), Duration::from_secs(10))));
    let limits = WebLimits { time: Duration::from_secs(3600), ..WebLimits::default() };
    let mut stream = begin(&world, "http://example.com/events", limits, &Cancel::new()).await.unwrap();
    assert_eq!((stream.status, stream.header("content-type")), (200, Some("text/event-stream")));
    assert_eq!((&*stream.url, stream.hops.len()), ("http://example.com/events", 0));
    let begun = Instant::now();
    assert_eq!(stream.body.next().await.unwrap().unwrap(), "data: 1\n\n");
    assert_eq!(begun.elapsed(), Duration::ZERO);
    for at in 1..100 {
        assert_eq!(stream.body.next().await.unwrap().unwrap(), "x");
        assert_eq!(begun.elapsed().as_secs(), at * 10);
    }
    assert_eq!(world.open.lock().unwrap().0, 1);
    drop(stream);
    // The server finds out at its next byte.
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(world.open.lock().unwrap().0, 0, "the connection ends with the stream");
}

#[tokio::test(start_paused = true)]
async fn a_stream_is_judged_as_any_request_with_every_redirect() {
    for (url, kind) in [
        ("http://127.0.0.1/", K::Private),
        ("http://localhost/", K::Private),
        ("http://bad.example.com/", K::Private),
        ("ftp://example.com/", K::Scheme),
        ("http://example.com:22/", K::Port),
        ("http://example.com/to?http://10.0.0.1/", K::Private),
        ("http://example.com/to?http://bad.example.com/", K::Private),
        ("http://example.com/to?http://example.com:6379/", K::Port),
    ] {
        let world = World::new(|request| match request.path().split_once('?') {
            Some((_, to)) => Reply::redirect(302, to),
            None => Reply::text("never"),
        });
        let world = Arc::new(world.name("bad.example.com", &[&["93.184.215.14", "127.0.0.1"]]));
        let error = begin(&world, url, WebLimits::default(), &Cancel::new()).await.unwrap_err();
        assert_eq!(error.kind, kind, "{url}: {error}");
        assert!(world.dialled().iter().all(|to| to == "93.184.215.14:80"), "{url}: {:?}", world.dialled());
    }
    let world = Arc::new(World::new(|request| match request.path() {
        "/a" => Reply::redirect(302, "https://example.org/b"),
        _ => Reply::text("there"),
    }));
    let stream = begin(&world, "http://example.com/a", WebLimits::default(), &Cancel::new()).await.unwrap();
    assert_eq!((&*stream.url, &*stream.hops), ("https://example.org/b", &["http://example.com/a".to_owned()][..]));
    assert_eq!(all(stream).await, ("there".to_owned(), None));
}

#[tokio::test(start_paused = true)]
async fn a_stream_ends_at_its_limits_with_what_came_before() {
    let limits = WebLimits { bytes: 1000, time: Duration::from_secs(40), ..WebLimits::default() };
    type Case = (&'static str, fn() -> Reply, usize, Option<WebErrorKind>);
    let cases: &[Case] = &[
        ("whole", || Reply::with(200, "", &[b'x'; 1000]), 1000, None),
        ("too long by one", || Reply::with(200, "", &[b'x'; 1001]), 0, Some(K::TooLarge)),
        ("endless", || Reply::Endless(CHUNKED.to_vec(), b"5\r\nabcde\r\n".to_vec()), 1000, Some(K::TooLarge)),
        ("silence", || Reply::Silence([HEAD, b"abc"].concat()), 3, Some(K::Timeout)),
        ("too slow", || Reply::Drip([HEAD, b"abc"].concat(), Duration::from_secs(10)), 6, Some(K::Timeout)),
        ("broken", || Reply::Bytes([CHUNKED, b"3\r\nabc\r\n5\r\nx"].concat()), 4, Some(K::Interrupted)),
        ("no chunk", || Reply::Bytes([CHUNKED, b"zz\r\n"].concat()), 0, Some(K::Interrupted)),
    ];
    for (name, reply, bytes, kind) in cases {
        let world = Arc::new(World::new(move |_| reply()));
        let stream = begin(&world, "http://example.com/", limits, &Cancel::new()).await.unwrap();
        let (text, error) = all(stream).await;
        assert_eq!((text.len(), error.as_ref().map(|error| error.kind)), (*bytes, *kind), "{name}: {error:?}");
        assert!(error.is_none_or(|error| error.origin == "http://example.com"), "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_is_cancelled_before_and_inside_its_answer() {
    let silent = Arc::new(World::new(|_| Reply::Silence(Vec::new())));
    let cancel = Cancel::new();
    let limits = WebLimits::default();
    let (ended, ()) = tokio::join!(begin(&silent, "http://example.com/", limits, &cancel), async { cancel.cancel() });
    assert_eq!(ended.unwrap_err().kind, K::Cancelled);
    let world = Arc::new(World::new(|_| Reply::Silence([HEAD, b"abc"].concat())));
    let cancel = Cancel::new();
    let mut stream = begin(&world, "http://example.com/", limits, &cancel).await.unwrap();
    assert_eq!(stream.body.next().await.unwrap().unwrap(), "abc");
    let (ended, ()) = tokio::join!(stream.body.next(), async { cancel.cancel() });
    assert_eq!(ended.unwrap().unwrap_err().kind, K::Cancelled);
    assert!(stream.body.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn a_stream_is_neither_compressed_nor_kept() {
    let world = Arc::new(World::new(|_| Reply::with(200, "Content-Encoding: gzip\r\n", &bomb(1 << 20))));
    let door = door(&world, WebOptions::default());
    let cancel = Cancel::new();
    let fresh = Duration::from_secs(60);
    for _ in 0..2 {
        let limits = WebLimits::default();
        let with = WebRequest { headers: &[], limits, fresh, hops: &AnyHop, cancel: &cancel };
        let stream = door.stream(&HttpAccess::get("http://example.com/"), with).await.unwrap();
        // A host that compresses although it was asked not to is passed on as it is.
        assert_eq!(stream.header("content-encoding"), Some("gzip"));
        let mut bytes = 0;
        let mut body = stream.body;
        while let Some(piece) = body.next().await {
            bytes += piece.unwrap().len();
        }
        assert_eq!(bytes, bomb(1 << 20).len());
    }
    let received = world.received();
    assert_eq!(received.len(), 2);
    assert!(received.iter().all(|request| request.header("accept-encoding") == Some("identity")));
}

#[tokio::test(start_paused = true)]
async fn a_stream_holds_its_places_among_the_connections() {
    let world = Arc::new(World::new(|_| Reply::Silence([HEAD, b"abc"].concat())));
    let door = door(&world, WebOptions { connections_per_host: 1, ..WebOptions::default() });
    let cancel = Cancel::new();
    let limits = WebLimits { time: Duration::from_secs(5), ..WebLimits::default() };
    let with = WebRequest { headers: &[], limits, fresh: Duration::ZERO, hops: &AnyHop, cancel: &cancel };
    let reach = HttpAccess::get("http://example.com/");
    let first = door.stream(&reach, with).await.unwrap();
    assert_eq!(door.stream(&reach, with).await.unwrap_err().kind, K::Timeout);
    drop(first);
    assert!(door.stream(&reach, with).await.is_ok());
}
