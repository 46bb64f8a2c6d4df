#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
use super::*;
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
async fn server(answers: Vec<(&'static str, Then)>) -> (SocketAddr, Arc<std::sync::Mutex<Vec<(usize, String)>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
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

fn request(url: String) -> HttpRequest {
    HttpRequest {
        method: Method::Post,
        url,
        headers: vec![Header::new("x-one", "1"), Header::secret("authorization", "Bearer key")],
        body: Bytes::from_static(b"body"),
        timeouts: HttpTimeouts::all(Duration::from_secs(5)),
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
    let client = NetClient::default();
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
    assert!(client.encrypted.get().is_none(), "a plain URL must not read certificates");
}

#[tokio::test]
async fn redirects_and_errors_are_ordinary_answers() {
    let redirect = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n";
    let failure = "HTTP/1.1 500 Oops\r\nContent-Length: 2\r\n\r\nno";
    let (address, _) = server(vec![(redirect, Then::KeepOpen), (failure, Then::KeepOpen)]).await;
    let client = NetClient::default();
    let response = client.send(request(format!("http://{address}/"))).await.unwrap();
    assert_eq!((response.status, response.header("location")), (302, Some("http://127.0.0.1:1/")));
    let response = client.send(request(format!("http://{address}/"))).await.unwrap();
    assert_eq!(response.status, 500);
    assert_eq!(text(response).await.unwrap(), "no");
}

#[tokio::test]
async fn failures_say_how_far_they_got() {
    let client = NetClient::default();
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let kind = async |url: String| client.send(request(url)).await.unwrap_err();
    let error = kind(format!("http://user:secret@{closed}/p?key=1")).await;
    assert_eq!(error.kind, HttpErrorKind::Unreachable);
    assert_eq!(error.to_string(), format!("http://{closed}/p: Connection refused (os error 111)"));
    assert_eq!(kind("no url".to_owned()).await.kind, HttpErrorKind::InvalidUrl);
    assert_eq!(kind("ftp://x/".to_owned()).await.kind, HttpErrorKind::InvalidUrl);

    let (address, _) = server(vec![("", Then::Close)]).await;
    assert_eq!(kind(format!("http://{address}/")).await.kind, HttpErrorKind::Interrupted);

    let cut = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n";
    let (address, _) = server(vec![(cut, Then::Close)]).await;
    let response = client.send(request(format!("http://{address}/"))).await.unwrap();
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
    let client = NetClient::default();
    let patience = HttpTimeouts::all(Duration::from_millis(30));
    let (address, _) = server(vec![("", Then::KeepOpen)]).await;
    let mut quiet = request(format!("http://{address}/"));
    quiet.timeouts = patience;
    let error = client.send(quiet).await.unwrap_err();
    assert_eq!(error.kind, HttpErrorKind::Timeout(Phase::FirstByte));

    let begun = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc";
    let (address, _) = server(vec![(begun, Then::KeepOpen)]).await;
    let mut slow = request(format!("http://{address}/"));
    slow.timeouts = patience;
    let mut body = client.send(slow).await.unwrap().body;
    assert_eq!(body.next().await.unwrap().unwrap(), "abc");
    let error = body.next().await.unwrap().unwrap_err();
    assert_eq!(error.kind, HttpErrorKind::Timeout(Phase::Idle));
}

#[tokio::test]
async fn a_header_that_http_does_not_allow_is_named_without_its_value() {
    let client = NetClient::default();
    let mut bad = request("http://127.0.0.1:1/".to_owned());
    bad.headers = vec![Header::secret("authorization", "Bearer a\nb")];
    let error = client.send(bad).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "http://127.0.0.1:1/: the value of 'authorization' holds characters that no header may"
    );
}
