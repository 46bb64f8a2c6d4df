//! `cron`: the jobs of a bot.

use crate::support::{builder, done, failed, options};
use palanca_testkit::{TempWorkspace, TestGate};
use palanca_tools::ToolsetName;
use serde_json::{Value, json};

const JOBS: &str = "data/cron/default/jobs.json";

fn on(workspace: &TempWorkspace) -> TestGate {
    let mut options = options();
    options.datetime.timezone = "Europe/Madrid".to_owned();
    builder(workspace, ToolsetName::Bots, &options).build()
}

fn file(workspace: &TempWorkspace) -> Value {
    serde_json::from_str(&workspace.text(JOBS)).unwrap()
}

/// What is said of a job, after the sentence.
fn told(output: &str) -> Value {
    serde_json::from_str(&output[output.find('{').unwrap()..=output.rfind('}').unwrap()]).unwrap()
}

#[tokio::test]
async fn a_job_is_added_listed_run_and_removed() {
    let workspace = TempWorkspace::new();
    let gate = on(&workspace);
    let cron = |arguments: Value| done(&gate, "cron", arguments);
    assert_eq!(told(&cron(json!({"action": "status"})).await.output)["nextWakeAtMs"], Value::Null);
    let added = cron(json!({"action": "add", "name": "tea", "text": "Tea is ready",
        "schedule": {"kind": "at", "at": "2999-02-23T18:00:00-03:00"}}))
    .await
    .output;
    assert!(added.starts_with("Job added. It starts by itself while"), "{added}");
    let job = told(&added);
    assert_eq!(
        (&job["nextRunAt"], &job["deleteAfterRun"], &job["schedule"]),
        (&json!("2999-02-23T22:00:00+01:00"), &json!(true), &json!({"kind": "at", "at": "2999-02-23T22:00:00+01:00"}))
    );
    // Flat, as models send it.
    cron(json!({"action": "add", "text": "stand up\nand stretch", "kind": "every", "everyMs": 3_600_000})).await;
    cron(json!({"action": "add", "text": "week", "kind": "cron", "expr": "0 9 * * 1", "deleteAfterRun": true})).await;
    let kept = file(&workspace);
    assert_eq!((&kept["version"], kept["jobs"].as_array().unwrap().len()), (&json!(1), 3));
    assert_eq!(
        (&kept["jobs"][1]["name"], &kept["jobs"][2]["schedule"]["tz"]),
        (&json!("stand up"), &json!("Europe/Madrid"))
    );
    assert_eq!(kept["jobs"][0]["payload"], json!({"kind": "message", "text": "Tea is ready"}));

    let listed = cron(json!({"action": "list"})).await.data.unwrap();
    let names: Vec<&str> = listed.as_array().unwrap().iter().map(|job| job["name"].as_str().unwrap()).collect();
    assert_eq!((names[0], names[2]), ("stand up", "tea"), "sorted by when they are due");
    let status = cron(json!({"action": "status"})).await.data.unwrap();
    assert_eq!((&status["jobs"], &status["nextWakeAtMs"]), (&json!(3), &listed[0]["nextRunAtMs"]));

    let ran = cron(json!({"action": "run", "jobId": job["id"]})).await.output;
    assert!(ran.starts_with("Job 'tea' was run. It says:\nTea is ready"), "{ran}");
    let (code, gone) = failed(&gate, "cron", json!({"action": "run", "jobId": job["id"]})).await;
    assert!(code == "not_found" && gone.contains("(stand up)"), "it went with its run: {gone}");
    cron(json!({"action": "run", "jobId": "stand up"})).await;
    let state = &file(&workspace)["jobs"][0]["state"];
    assert_eq!((&state["lastStatus"], state["lastRunAtMs"].is_number()), (&json!("ok"), true));
    cron(json!({"action": "remove", "id": listed[0]["id"]})).await;
    cron(json!({"action": "remove", "jobId": "WEEK"})).await;
    assert_eq!(file(&workspace)["jobs"], json!([]));
}

#[tokio::test]
async fn what_a_person_writes_stays_and_what_rests_is_listed_on_request() {
    let workspace = TempWorkspace::with(&[(
        JOBS,
        r#"{"version": 1, "jobs": [
            {"id": "a", "name": "off", "enabled": false, "schedule": {"kind": "every", "everyMs": 1000}, "payload": {"kind": "message"}},
            {"id": "b", "name": "skill", "color": "green", "schedule": {"kind": "every", "everyMs": 1000}, "payload": {"kind": "skillJob", "skillId": "x"}}
        ]}"#,
    )]);
    let gate = on(&workspace);
    let listed = |all: bool| json!({"action": "list", "includeDisabled": all});
    for (all, expected) in [(false, 1), (true, 2)] {
        let jobs = done(&gate, "cron", listed(all)).await.data.unwrap();
        assert_eq!(jobs.as_array().unwrap().len(), expected);
    }
    let (_, text) = failed(&gate, "cron", json!({"action": "run", "jobId": "b"})).await;
    assert!(text.contains("skillJob"), "{text}");
    done(&gate, "cron", json!({"action": "remove", "jobId": "a"})).await;
    assert_eq!(file(&workspace)["jobs"][0]["color"], "green");
    for broken in ["{", "[]", "no JSON"] {
        workspace.write(JOBS, broken);
        for action in [json!({"action": "list"}), json!({"action": "remove", "jobId": "b"})] {
            let (_, text) = failed(&gate, "cron", action).await;
            assert!(text.contains(JOBS) && text.contains("no list of jobs"), "{text}");
        }
        assert_eq!(workspace.text(JOBS), broken, "it is left as it is");
    }
}

#[tokio::test]
async fn what_is_wrong_is_said_with_an_example_of_what_is_right() {
    let workspace = TempWorkspace::new();
    let gate = on(&workspace);
    let add = |schedule: Value| json!({"action": "add", "text": "x", "schedule": schedule});
    for (arguments, words) in [
        (add(json!({"kind": "at", "at": "2001-02-23T18:00:00-03:00"})), "is past"),
        (add(json!({"kind": "at", "at": "in two minutes"})), "2026-11-28T18:00:00-03:00"),
        (add(json!({"kind": "at"})), "schedule.at"),
        (add(json!({"kind": "every", "everyMs": 999})), "7200000"),
        (add(json!({"kind": "every"})), "schedule.everyMs"),
        (add(json!({"kind": "every", "everyMs": "an hour"})), "everyMs"),
        (add(json!({"kind": "cron", "expr": "every day"})), "`0 9 * * 1-5`"),
        (add(json!({"kind": "cron", "expr": "0 0 9 * * *"})), "`0 9 * * 1-5`"),
        (add(json!({"kind": "cron", "expr": "0 0 30 2 *"})), "never comes"),
        (add(json!({"kind": "cron", "expr": "0 9 * * *", "tz": "Madrid"})), "IANA"),
        (add(json!({"kind": "cron"})), "schedule.expr"),
        (add(json!({"kind": "daily"})), "at, every or cron"),
        (json!({"action": "add", "text": "x"}), "Missing required parameter: schedule"),
        (json!({"action": "add", "schedule": {"kind": "every", "everyMs": 1000}}), "parameter: text"),
        (json!({"action": "add", "text": "x".repeat(4_001), "kind": "every", "everyMs": 1000}), "too long"),
        (json!({"action": "remove"}), "parameter: jobId"),
        (json!({"action": "stop"}), "status"),
    ] {
        let (code, text) = failed(&gate, "cron", arguments.clone()).await;
        assert!(code == "invalid_arguments" && text.contains(words), "{arguments}: {code} {text}");
    }
    assert!(!workspace.has(JOBS));
    let mut off = options();
    off.cron.enabled = false;
    let gate = builder(&workspace, ToolsetName::Bots, &off).build();
    assert!(failed(&gate, "cron", json!({"action": "list"})).await.1.contains("cron.enabled: true"));
}

#[tokio::test]
async fn an_instruction_is_due_at_once_where_it_is_run_by_hand() {
    let workspace = TempWorkspace::new();
    let gate = on(&workspace);
    let add = json!({"action": "add", "name": "sum", "text": "Sum up", "payloadKind": "instruction", "kind": "cron", "expr": "0 9 * * 1"});
    done(&gate, "cron", add).await;
    let job = file(&workspace)["jobs"][0].clone();
    assert_eq!(job["payload"], json!({"kind": "instruction", "text": "Sum up"}));
    let ran = done(&gate, "cron", json!({"action": "run", "jobId": "sum"})).await.output;
    assert!(ran.contains("is due now"), "{ran}");
    let now = file(&workspace)["jobs"][0].clone();
    assert!(now["state"]["nextRunAtMs"].as_i64() < job["state"]["nextRunAtMs"].as_i64(), "{now}");
    let wrong = json!({"action": "add", "text": "x", "payloadKind": "poem", "kind": "every", "everyMs": 1000});
    let (_, text) = failed(&gate, "cron", wrong).await;
    assert!(text.contains("instruction"), "{text}");
}

#[tokio::test]
async fn an_interval_may_be_given_as_text() {
    let workspace = TempWorkspace::new();
    let gate = on(&workspace);
    let schedule = json!({"kind": "every", "everyMs": "60000"});
    let added = done(&gate, "cron", json!({"action": "add", "text": "x", "schedule": schedule})).await;
    assert_eq!(told(&added.output)["schedule"]["everyMs"], 60_000);
}
