//! The way to a model leads to the address that the operator chose, and nowhere else.

use crate::harness::{Bench, ended};
use palanca_testkit::{Manner, ScriptedServer, Turn};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Answers everybody with this head, and counts them.
fn counting(head: String) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            counted.fetch_add(1, Ordering::SeqCst);
            let mut request = [0; 64 << 10];
            // ignored: whoever hangs up early has been counted.
            let _ = stream.read(&mut request);
            let _ = write!(stream, "HTTP/1.1 {head}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
    });
    (address, count)
}

#[test]
fn a_models_redirect_is_not_followed() {
    for (model, variable) in [
        ("openai:m", "OPENAI_BASE_URL"),
        ("openai-responses:m", "OPENAI_BASE_URL"),
        ("anthropic:m", "ANTHROPIC_BASE_URL"),
        ("ollama:m", "OLLAMA_HOST"),
    ] {
        for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"] {
            let (elsewhere, followed) = counting("200 OK".to_owned());
            let (address, asked) = counting(format!("{status}\r\nLocation: http://{elsewhere}/v1/chat/completions"));
            let bench = Bench::new(&[]);
            let mut command = bench.command(&["run", "x", "--model", model]);
            command.env(variable, format!("http://{address}")).env("PALANCA_LLM_RETRIES", "0");
            let ended = ended(command.output().unwrap()).expect(1);
            let code = status.split(' ').next().unwrap();
            assert!(ended.stderr.contains(code), "{model} {status}: {}", ended.stderr);
            assert_eq!(
                (asked.load(Ordering::SeqCst), followed.load(Ordering::SeqCst)),
                (1, 0),
                "{model} {status}: {}",
                ended.stderr
            );
        }
    }
}

#[test]
fn surroundings_and_the_workspace_choose_no_other_way() {
    let (proxy, proxied) = counting("200 OK".to_owned());
    let server = ScriptedServer::spawn(vec![Turn::text("Straight.")], Manner::default());
    let own = format!("llm:\n  api_base: http://{proxy}/v1\n  model: openai:evil\n");
    let bench = Bench::new(&[
        ("palanca.yaml", &own),
        (".palanca/config.yaml", &own),
        (".env", &format!("OPENAI_BASE_URL=http://{proxy}/v1\nHTTP_PROXY=http://{proxy}\n")),
    ]);
    let mut command = bench.command(&["run", "x", "--model", "openai:m"]);
    command.env("OPENAI_BASE_URL", server.openai_url()).env("OPENAI_API_KEY", "sk-canary");
    for variable in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        command.env(variable, format!("http://{proxy}"));
    }
    let ended = ended(command.output().unwrap()).expect(0);
    assert!(ended.stdout.contains("Straight."), "{}", ended.stdout);
    assert_eq!((server.requests().len(), proxied.load(Ordering::SeqCst)), (1, 0), "{}", ended.stderr);
}

#[test]
fn a_login_in_the_address_is_refused_before_anything_is_sent() {
    let (address, asked) = counting("200 OK".to_owned());
    let bench = Bench::new(&[]);
    let base = format!("http://me:SECRETMARK@{address}/botSECRETMARK/v1");
    let ended = bench.run(&["run", "x", "--model", "openai:m", "--api-base", &base]).expect(3);
    assert!(ended.stderr.contains(&format!("http://{address}")), "{}", ended.stderr);
    assert!(!format!("{}{}", ended.stdout, ended.stderr).contains("SECRETMARK"), "{}", ended.stderr);
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}
