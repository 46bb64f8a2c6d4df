use super::*;
use std::io::{Read as _, Write as _};

fn ask(server: &GitHubServer, path: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(server.address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\n{headers}\r\n").unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn it_plays_the_api() {
    let repository = FakeRepository::with("o/n", &[("src/a.txt", "one"), ("b.txt", "two")]);
    let server = GitHubServer::start(repository, "t");
    let token = "authorization: Bearer t\r\n";
    assert!(ask(&server, "/repos/o/n", "").starts_with("HTTP/1.1 401"));
    let about = ask(&server, "/repos/o/n", token);
    assert!(about.contains("\"default_branch\":\"main\""), "{about}");
    let tag = about.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    let left = server.left();
    let again = ask(&server, "/repos/o/n", &format!("{token}if-none-match: {tag}\r\n"));
    assert!(again.starts_with("HTTP/1.1 304") && server.left() == left, "{again}");
    assert!(ask(&server, "/repos/o/n/commits/nowhere", token).starts_with("HTTP/1.1 422"));
    assert!(ask(&server, "/repos/o/x", token).starts_with("HTTP/1.1 404"));
    server.instead("/commits/", Instead::Status(502, vec![("retry-after", "1".to_owned())], "down".to_owned()));
    assert!(ask(&server, "/repos/o/n/commits/main", token).contains("down"));
    assert!(ask(&server, "/repos/o/n/commits/main", token).contains("\"tree\""));
    server.set_left(0);
    assert!(ask(&server, "/repos/o/n", token).contains("x-ratelimit-remaining: 0"));
    assert_eq!(server.count("/commits/"), 3);
}
