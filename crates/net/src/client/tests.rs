#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
use palanca_core::ports::http::Method;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// What a connection does after it has read one request.
#[derive(Clone, Copy)]
enum Then {
    KeepOpen,
    Close,
}

/// Answers each request with the next of these raw texts and remembers which connection it came on.
async fn server(answers: Vec<(&str, Then)>) -> (SocketAddr, Arc<std::sync::Mutex<Vec<(usize, String)>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let answers: Vec<_> = answers.into_iter().map(|(answer, then)| (answer.to_owned(), then)).collect();
    tokio::spawn(async move {
        let mut answers = answers.into_iter();
        for connection in 0.. {
            let Ok((mut stream, _)) = listener.accept().await else { return };
            while let Some(request) = read_request(&mut stream).await {
                log.lock().unwrap().push((connection, request));
                let Some((answer, then)) = answers.next() else { return };
                stream.write_all(answer.as_bytes()).await.unwrap();
                if matches!(then, Then::Close) {
                    break;
                }
            }
        }
    });
    (address, seen)
}

async fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        let mut piece = [0; 1024];
        let count = stream.read(&mut piece).await.ok()?;
        if count == 0 {
            return None;
        }
        bytes.extend_from_slice(&piece[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length =
            head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok()).unwrap_or(0);
        if body.len() >= length {
            return Some(text);
        }
    }
}

/// A client that may send to where these URLs lead.
fn client(urls: &[&str]) -> NetClient {
    NetClient::new(urls.iter().map(|url| Origin::of(url).unwrap()), NetOptions::default())
}

fn request(url: String) -> HttpRequest {
    HttpRequest {
        method: Method::Post,
        url,
        headers: vec![Header::new("x-one", "1"), Header::secret("authorization", "Bearer key")],
        body: Bytes::from_static(b"body"),
        timeouts: HttpTimeouts::all(Duration::from_secs(120)),
    }
}

async fn text(response: HttpResponse) -> Result<String, HttpError> {
    let mut all = Vec::new();
    let mut body = response.body;
    while let Some(piece) = body.next().await {
        all.extend_from_slice(&piece?);
    }
    Ok(String::from_utf8(all).unwrap())
}

const OK: &str = "HTTP/1.1 200 OK\r\nX-Two: 2\r\nContent-Length: 5\r\n\r\nhello";

#[tokio::test]
async fn requests_go_out_whole_on_one_kept_connection() {
    let (address, seen) = server(vec![(OK, Then::KeepOpen), (OK, Then::KeepOpen)]).await;
    let client = client(&[&format!("http://{address}/v1")]);
    for _ in 0..2 {
        let response = client.send(request(format!("http://{address}/p?q=1"))).await.unwrap();
        assert_eq!(response.status, 200);
        assert_eq!(response.header("X-TWO"), Some("2"));
        assert_eq!(text(response).await.unwrap(), "hello");
    }
    let seen = seen.lock().unwrap();
    assert_eq!(seen.iter().map(|(connection, _)| *connection).collect::<Vec<_>>(), [0, 0]);
    let sent = &seen[0].1;
    assert!(sent.starts_with("POST /p?q=1 HTTP/1.1\r\n"), "{sent}");
    assert!(sent.contains("x-one: 1\r\n") && sent.contains("authorization: Bearer key\r\n"), "{sent}");
    assert!(sent.contains("user-agent: palanca/") && sent.ends_with("\r\n\r\nbody"), "{sent}");
    assert!(!client.encryption.is_read(), "a plain URL must not read certificates");
}

#[tokio::test]
async fn redirects_and_errors_are_ordinary_answers() {
    let (elsewhere, followed) = server(vec![(OK, Then::Close)]).await;
    let redirect = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n";
    let failure = "HTTP/1.1 500 Oops\r\nContent-Length: 2\r\n\r\nno";
    let redirect = redirect.replace("127.0.0.1:1", &elsewhere.to_string());
    let (address, _) = server(vec![(&redirect, Then::KeepOpen), (failure, Then::KeepOpen)]).await;
    // Even where both addresses are allowed.
    let client = client(&[&format!("http://{address}"), &format!("http://{elsewhere}")]);
    let response = client.send(request(format!("http://{address}/"))).await.unwrap();
    assert_eq!((response.status, response.header("location")), (302, Some(&*format!("http://{elsewhere}/"))));
    let response = client.send(request(format!("http://{address}/"))).await.unwrap();
    assert_eq!(response.status, 500);
    assert_eq!(text(response).await.unwrap(), "no");
    assert_eq!(followed.lock().unwrap().len(), 0);
}

#[tokio::test]
async fn failures_say_how_far_they_got() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let kind = async |url: String| client(&[&url]).send(request(url)).await.unwrap_err();
    let error = kind(format!("http://{closed}/p?key=1")).await;
    assert_eq!(error.kind, HttpErrorKind::Unreachable);
    assert_eq!(error.to_string(), format!("http://{closed}: Connection refused (os error 111)"));
    let (address, _) = server(vec![("", Then::Close)]).await;
    assert_eq!(kind(format!("http://{address}/")).await.kind, HttpErrorKind::Interrupted);

    let cut = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n";
    let (address, _) = server(vec![(cut, Then::Close)]).await;
    let url = format!("http://{address}/");
    let response = client(&[&url]).send(request(url)).await.unwrap();
    let mut body = response.body;
    assert_eq!(body.next().await.unwrap().unwrap(), "abc");
    assert_eq!(body.next().await.unwrap().unwrap_err().kind, HttpErrorKind::Interrupted);
    assert!(body.next().await.is_none());

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(OK.as_bytes()).await.unwrap();
        read_request(&mut stream).await;
    });
    assert_eq!(kind(format!("https://{address}/")).await.kind, HttpErrorKind::Tls);
}

#[tokio::test]
async fn silence_ends_in_a_timeout() {
    let (soon, patience) = (Duration::from_millis(30), Duration::from_secs(120));
    let (address, _) = server(vec![("", Then::KeepOpen)]).await;
    let mut quiet = request(format!("http://{address}/"));
    quiet.timeouts = HttpTimeouts { first_byte: soon, idle: patience };
    let error = client(&[&quiet.url]).send(quiet).await.unwrap_err();
    assert_eq!(error.kind, HttpErrorKind::Timeout(Phase::FirstByte));

    let begun = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc";
    let (address, _) = server(vec![(begun, Then::KeepOpen)]).await;
    let mut slow = request(format!("http://{address}/"));
    slow.timeouts = HttpTimeouts { first_byte: patience, idle: soon };
    let mut body = client(&[&slow.url]).send(slow).await.unwrap().body;
    assert_eq!(body.next().await.unwrap().unwrap(), "abc");
    let error = body.next().await.unwrap().unwrap_err();
    assert_eq!(error.kind, HttpErrorKind::Timeout(Phase::Idle));
}

#[tokio::test]
async fn a_header_that_http_does_not_allow_is_named_without_its_value() {
    let client = client(&["http://127.0.0.1:1"]);
    let mut bad = request("http://127.0.0.1:1/".to_owned());
    bad.headers = vec![Header::secret("authorization", "Bearer a\nb")];
    let error = client.send(bad).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "http://127.0.0.1:1: the value of 'authorization' holds characters that no header may"
    );
}

#[test]
fn an_origin_is_scheme_host_and_port() {
    let same = |a: &str, b: &str| assert_eq!(Origin::of(a).unwrap(), Origin::of(b).unwrap(), "{a} {b}");
    let other = |a: &str, b: &str| assert_ne!(Origin::of(a).unwrap(), Origin::of(b).unwrap(), "{a} {b}");
    same("https://api.example.com/v1", "HTTPS://API.EXAMPLE.COM:443/other?q=1#f");
    same("http://127.0.0.1/", "http://0x7f.1:80/");
    same("http://[::1]:8080/", "http://[0:0::0:1]:8080/x");
    other("https://api.example.com/", "http://api.example.com/");
    other("https://api.example.com/", "http://api.example.com:443/");
    other("https://api.example.com/", "https://api.example.com:444/");
    other("https://api.example.com/", "https://api.example.com./");
    other("https://api.example.com/", "https://api.example.com.evil.org/");
    other("https://api.example.com/", "https://x.api.example.com/");
    other("http://127.0.0.1:11434/", "http://localhost:11434/");
    for (url, said) in [
        ("", "relative URL"),
        ("no url", "relative URL"),
        ("http://", "empty host"),
        ("ftp://x/", "neither http nor https"),
        ("file:///etc/passwd", "neither http nor https"),
        ("data:text/plain,x", "neither http nor https"),
        ("http://user@x/", "user or a password"),
        ("http://:SECRETMARK@x/", "user or a password"),
        ("https://user:SECRETMARK@x/", "user or a password"),
        ("http:user:SECRETMARK@x", "user or a password"),
    ] {
        let error = Origin::of(url).unwrap_err();
        assert_eq!(error.kind, HttpErrorKind::InvalidUrl, "{url}");
        assert!(error.detail.contains(said) && !error.to_string().contains("SECRETMARK"), "{url}: {error}");
    }
}

/// Counts who comes, whatever they want.
async fn bystander() -> (SocketAddr, Arc<std::sync::Mutex<Vec<(usize, String)>>>) {
    server(vec![(OK, Then::Close); 8]).await
}

#[tokio::test]
async fn nothing_leads_anywhere_but_to_the_configured_origins() {
    let (own, asked) = server(vec![(OK, Then::KeepOpen)]).await;
    let (other, seen) = bystander().await;
    let client = client(&[&format!("http://{own}/v1")]);
    let refused = [
        format!("http://{other}/v1"),
        // Another name, scheme or port of the same machine is another origin.
        format!("http://localhost:{}/", own.port()),
        format!("https://{own}/v1"),
        format!("http://[::ffff:127.0.0.1]:{}/", own.port()),
        "http://never-resolved.invalid/".to_owned(),
        format!("http://{own}.never-resolved.invalid/"),
    ];
    for url in refused {
        let error = client.send(request(url.clone())).await.unwrap_err();
        let kind = if url.contains(".invalid/") && url.contains("http://127") {
            // A port with letters in it is no address at all.
            HttpErrorKind::InvalidUrl
        } else {
            HttpErrorKind::NotAllowed
        };
        assert_eq!(error.kind, kind, "{url}: {error}");
    }
    for url in [format!("http://{own}@{other}/"), format!("http://user:SECRETMARK@{own}/v1")] {
        let error = client.send(request(url.clone())).await.unwrap_err();
        assert_eq!(error.kind, HttpErrorKind::InvalidUrl, "{url}: {error}");
        assert!(!error.to_string().contains("SECRETMARK"), "{error}");
    }
    assert_eq!((asked.lock().unwrap().len(), seen.lock().unwrap().len()), (0, 0));
    client.send(request(format!("http://{own}/v1"))).await.unwrap();
    assert_eq!((asked.lock().unwrap().len(), seen.lock().unwrap().len()), (1, 0));
}

#[tokio::test]
async fn no_origin_means_nowhere() {
    let (address, seen) = bystander().await;
    let url = format!("http://{address}/");
    let error = NetClient::new([], NetOptions::default()).send(request(url)).await.unwrap_err();
    assert_eq!(error.kind, HttpErrorKind::NotAllowed);
    assert_eq!(seen.lock().unwrap().len(), 0);
}

#[tokio::test]
async fn cookies_are_not_kept_and_bodies_not_decoded() {
    let first = "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc";
    let (address, seen) = server(vec![(first, Then::KeepOpen), (OK, Then::KeepOpen)]).await;
    let url = format!("http://{address}/");
    let client = client(&[&url]);
    assert_eq!(text(client.send(request(url.clone())).await.unwrap()).await.unwrap(), "abc");
    client.send(request(url)).await.unwrap();
    let seen = seen.lock().unwrap();
    for (_, sent) in &*seen {
        let sent = sent.to_ascii_lowercase();
        assert!(!sent.contains("cookie") && !sent.contains("accept-encoding") && !sent.contains("referer"), "{sent}");
    }
}

#[tokio::test]
async fn an_answer_that_is_dropped_before_its_end_closes_its_connection() {
    let begun = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n";
    let (address, seen) = server(vec![(begun, Then::KeepOpen), (OK, Then::KeepOpen)]).await;
    let url = format!("http://{address}/");
    let client = client(&[&url]);
    let mut body = client.send(request(url.clone())).await.unwrap().body;
    assert_eq!(body.next().await.unwrap().unwrap(), "abc");
    drop(body);
    // The server accepts again only when the first connection has ended.
    assert_eq!(text(client.send(request(url)).await.unwrap()).await.unwrap(), "hello");
    assert_eq!(seen.lock().unwrap().iter().map(|(connection, _)| *connection).collect::<Vec<_>>(), [0, 1]);
}

#[tokio::test]
async fn an_answer_that_has_ended_keeps_its_connection_even_if_its_end_was_not_read() {
    let whole = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    let (address, seen) = server(vec![(whole, Then::KeepOpen), (OK, Then::KeepOpen)]).await;
    let url = format!("http://{address}/");
    let client = client(&[&url]);
    let mut body = client.send(request(url.clone())).await.unwrap().body;
    assert_eq!(body.next().await.unwrap().unwrap(), "abc");
    drop(body);
    assert_eq!(text(client.send(request(url)).await.unwrap()).await.unwrap(), "hello");
    assert_eq!(seen.lock().unwrap().iter().map(|(connection, _)| *connection).collect::<Vec<_>>(), [0, 0]);
}

#[tokio::test]
async fn a_kept_connection_that_the_server_closed_is_replaced() {
    let (address, seen) = server(vec![(OK, Then::Close), (OK, Then::KeepOpen)]).await;
    let url = format!("http://{address}/");
    let client = client(&[&url]);
    assert_eq!(text(client.send(request(url.clone())).await.unwrap()).await.unwrap(), "hello");
    let origin = Origin::of(&url).unwrap();
    while let Some(line) = client.pool.take(&origin) {
        client.pool.put(origin.clone(), line);
        tokio::task::yield_now().await;
    }
    assert_eq!(text(client.send(request(url)).await.unwrap()).await.unwrap(), "hello");
    assert_eq!(seen.lock().unwrap().iter().map(|(connection, _)| *connection).collect::<Vec<_>>(), [0, 1]);
}
