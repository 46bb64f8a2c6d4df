//! Five thousand messages to three bots at once, over kills and outages at random moments, and a fourth whose messenger is dead.

use super::*;
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const MESSAGES: usize = 5_000;
const CHATS: usize = 15;
const KILLS: usize = 8;
const OUTAGES: usize = 12;
const TOKENS: [&str; 3] = ["301:one", "302:two", "303:three"];
const DEAD: &str = "304:dead";

/// A model that says again what it was told last.
struct Echo {
    address: String,
    answers: Arc<AtomicUsize>,
}

impl Echo {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let answers = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&answers);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let counted = Arc::clone(&counted);
                // A client that is killed disconnects.
                std::thread::spawn(move || drop(echo(&stream, &counted)));
            }
        });
        Self { address, answers }
    }
}

fn echo(stream: &TcpStream, counted: &AtomicUsize) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let mut length = 0;
        loop {
            let mut header = String::new();
            if reader.read_line(&mut header)? == 0 {
                return Ok(());
            }
            if header.trim().is_empty() {
                break;
            }
            let (name, value) = header.split_once(':').unwrap_or_default();
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().unwrap_or_default();
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let body: Value = serde_json::from_slice(&body)?;
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        let last = messages.iter().rev().find(|message| message["role"] == "user").cloned().unwrap_or_default();
        counted.fetch_add(1, Ordering::Relaxed);
        let message = json!({"role": "assistant", "content": last["content"]});
        let usage = json!({"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2});
        let answer = json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage});
        let chunk = json!({"choices": [{"index": 0, "delta": message, "finish_reason": "stop"}], "usage": usage});
        let (kind, text) = match body["stream"].as_bool() {
            Some(true) => ("text/event-stream", format!("data: {chunk}\n\ndata: [DONE]\n\n")),
            _ => ("application/json", answer.to_string()),
        };
        let mut stream = stream;
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n{text}", text.len())?;
    }
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

#[test]
#[ignore = "cargo xtask stress"]
fn five_thousand_messages_over_kills_and_outages() {
    let (echo, telegram) = (Echo::start(), FakeTelegram::start());
    for (token, id) in TOKENS.iter().chain([&DEAD]).zip(301..) {
        telegram.bot(token, id, &format!("bot_{id}"));
    }
    telegram.away_for(DEAD, true);
    let bots = TOKENS.iter().chain([&DEAD]).map(|token| {
        let id = token.replace(':', "-");
        format!("  - {{id: b{id}, token: '{token}', allowedUsers: ['1'], disabledTools: []}}\n")
    });
    let llm = format!("llm: {{model: 'openai:echo', api_base: '{}', api_key_env: PATH}}", echo.address);
    let telegram_at = format!("telegram: {{apiUrl: '{}'}}", telegram.url());
    let buffer = "buffer: {inboundDebounceMs: 20, queueDebounceMs: 20}";
    let bench = Bench::new(&[]);
    bench.write("bots.yaml", &format!("{llm}\n{telegram_at}\n{buffer}\nbots:\n{}", bots.collect::<String>()));
    let serve =
        || Serving::begin(&mut bench.command(&["--config", "bots.yaml", "serve", "--no-console", "--drain", "1"]));
    let began = Instant::now();
    let mut dice = Dice(20_261_128);
    let mut serving = Some(serve());
    let moments = |dice: &mut Dice, count: usize| -> Vec<usize> {
        (0..count).map(|_| usize::try_from(dice.below(MESSAGES as u64)).unwrap()).collect()
    };
    let (kills, outages) = (moments(&mut dice, KILLS), moments(&mut dice, OUTAGES));
    let mut away: Vec<(Instant, &str)> = Vec::new();
    for number in 0..MESSAGES {
        let chat = number % CHATS;
        let (token, chat) = (TOKENS[chat % TOKENS.len()], 1000 + i64::try_from(chat).unwrap());
        let from = json!({"id": 1, "is_bot": false, "first_name": "One"});
        let message = json!({"message_id": number, "from": from, "chat": {"id": chat, "type": "private"}, "text": format!("m{number}")});
        telegram.comes(token, "message", &message);
        for _ in kills.iter().filter(|moment| **moment == number) {
            std::thread::sleep(Duration::from_millis(dice.below(400)));
            serving.take().unwrap().kill();
            serving = Some(serve());
        }
        for _ in outages.iter().filter(|moment| **moment == number) {
            let token = TOKENS[usize::try_from(dice.below(3)).unwrap()];
            telegram.away_for(token, true);
            away.push((Instant::now() + Duration::from_millis(100 + dice.below(1500)), token));
        }
        away.retain(|(until, token)| {
            let is_over = Instant::now() >= *until;
            if is_over {
                telegram.away_for(token, false);
            }
            !is_over
        });
        // So that kills and outages fall into work, not into a heap.
        std::thread::sleep(Duration::from_millis(dice.below(8)));
    }
    TOKENS.iter().for_each(|token| telegram.away_for(token, false));
    let answered = || {
        let mut by_chat: HashMap<i64, Vec<usize>> = HashMap::new();
        for sent in TOKENS.iter().flat_map(|token| telegram.calls(token, "sendMessage")) {
            let numbers =
                sent["text"].as_str().unwrap().lines().filter_map(|line| line.strip_prefix('m')?.parse::<usize>().ok());
            by_chat.entry(sent["chat_id"].as_i64().unwrap()).or_default().extend(numbers);
        }
        by_chat
    };
    let count = || {
        answered()
            .values()
            .map(|numbers| {
                let mut numbers = numbers.clone();
                numbers.sort_unstable();
                numbers.dedup();
                numbers.len()
            })
            .sum::<usize>()
    };
    // However long it takes, as long as something comes.
    let (mut last, mut since) = (0, Instant::now());
    while last < MESSAGES {
        let now = count();
        if now > last {
            (last, since) = (now, Instant::now());
        }
        let strange = || {
            let sent = TOKENS.iter().flat_map(|token| telegram.sent(token));
            sent.filter(|text| text.lines().any(|line| !line.starts_with('m'))).collect::<Vec<_>>()
        };
        assert!(
            since.elapsed() < Duration::from_secs(120),
            "{last} of {MESSAGES} are answered: {:?} {}",
            strange(),
            serving.as_ref().unwrap().stderr()
        );
        std::thread::sleep(Duration::from_millis(200));
    }
    let took = began.elapsed();
    serving.unwrap().end().expect(0);
    let mut repeats = 0;
    for (chat, numbers) in answered() {
        let mut first: Vec<usize> = Vec::new();
        let mut repeated = 0;
        for pair in numbers.iter().zip(std::iter::once(&usize::MAX).chain(&numbers)) {
            let (number, before) = pair;
            if first.contains(number) {
                repeated += usize::from(*before == usize::MAX || *number <= *before);
            } else {
                first.push(*number);
            }
        }
        assert!(first.is_sorted(), "the order in {chat}: {numbers:?}");
        assert!(repeated <= KILLS, "{repeated} answers came again in {chat}: {numbers:?}");
        repeats += repeated;
    }
    println!(
        "{MESSAGES} messages in {CHATS} chats of {} bots: {} model calls, {KILLS} kills, {OUTAGES} outages, {repeats} answers twice, {} s",
        TOKENS.len(),
        echo.answers.load(Ordering::Relaxed),
        took.as_secs()
    );
}
