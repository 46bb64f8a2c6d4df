//! What was agreed to of a server, and what is off since.

use crate::bench::{Bench, block_on, until};
use crate::foreign::{bench, call, free, secret, server, varying};
use palanca_mcp::{ServerStatus, Standing};
use serde_json::json;

/// How its one server stands once it was tried.
fn status(bench: &Bench) -> ServerStatus {
    free(bench).1.status().remove(0)
}

pub fn what_changes_or_comes_while_it_runs_is_off() {
    let bench = bench([server("s", "usual")]);
    let (session, servers) = free(&bench);
    block_on(async {
        assert!(call(&session, "mcp_s_changes", json!({})).await.success);
        until("the change is heard of", || !servers.status()[0].left_out.is_empty()).await;
        for tool in ["mcp_s_new", "mcp_s_arguments"] {
            let off = call(&session, tool, json!({})).await;
            assert_eq!(off.code.as_deref(), Some("unknown_tool"), "{off:?}");
        }
        let keys: Vec<_> = servers.status()[0].left_out.iter().map(|why| why.key().to_owned()).collect();
        assert_eq!(keys, ["mcp-tool-changed", "mcp-tool-new"]);
    });
}

pub fn a_change_between_two_starts_needs_a_person() {
    let mut bench = bench([varying("s", "usual")]);
    assert!(status(&bench).left_out.is_empty());
    assert!(status(&bench).left_out.is_empty(), "the same again");
    bench.config.mcp.servers = vec![varying("s", "changed")];
    for _ in 0..2 {
        let now = status(&bench);
        assert!(now.left_out.len() == 2 && !now.tools.contains(&"mcp_s_arguments".to_owned()), "{now:?}");
        assert!(now.tools.contains(&"mcp_s_fails".to_owned()), "the others stay: {now:?}");
        let [changed, new] = &now.changes[..] else { panic!("{now:?}") };
        assert!(
            changed.diff.contains("-arguments as a fixture") && changed.diff.contains("+and sends them elsewhere"),
            "{changed:?}"
        );
        assert!(new.tool.as_deref() == Some("new") && new.diff.contains("+came later"), "{new:?}");
    }
    assert!(bench.trust("t").unwrap_err().contains("mcp-no-server"));
    assert!(!bench.trust_if("s", |_| false).unwrap().1 && status(&bench).changes.len() == 2, "no is no");
    assert_eq!(bench.trust("s").unwrap().len(), 2);
    let agreed = status(&bench);
    assert!(agreed.left_out.is_empty() && agreed.tools.contains(&"mcp_s_new".to_owned()), "{agreed:?}");
    bench.config.mcp.servers = vec![varying("s", "usual")];
    assert_eq!(status(&bench).left_out.len(), 1, "what was agreed to before is a change now");
}

pub fn another_command_line_is_not_started() {
    let mut bench = bench([server("s", "usual")]);
    assert_eq!(status(&bench).standing, Standing::Connected);
    let mut more = server("s", "usual");
    more.env.insert("MORE".to_owned(), secret("1"));
    let mut address = server("s", "usual");
    (address.command, address.url) = (None, Some("http://127.0.0.1:9/mcp".to_owned()));
    for (other, words) in [
        (server("s", "changed"), ["-arg: usual", "+arg: changed"]),
        (more, [" arg: usual", "+env: MORE"]),
        (address, ["-command: ", "+url: http://127.0.0.1:9/mcp"]),
    ] {
        bench.config.mcp.servers = vec![other];
        let off = status(&bench);
        assert!(matches!(&off.standing, Standing::Off(why) if why.key() == "mcp-reach-changed"), "{off:?}");
        assert!(off.tools.is_empty() && off.changes.len() == 1, "{off:?}");
        assert!(words.iter().all(|words| off.changes[0].diff.contains(words)), "{off:?}");
    }
    bench.config.mcp.servers = vec![server("s", "changed")];
    let (asked, agreed) = bench.trust_if("s", |change| change.tool.is_none()).unwrap();
    assert!(asked.len() == 3 && !agreed, "the tools are another question: {asked:?}");
    let now = status(&bench);
    assert!(now.standing == Standing::Connected && now.changes.len() == 2, "{now:?}");
    bench.config.mcp.servers = vec![server("s", "usual")];
    assert!(matches!(status(&bench).standing, Standing::Off(_)));
}

pub fn a_secret_is_pinned_and_not_kept() {
    const SECRETS: [&str; 2] = ["ghp_x7Kq2mVtR9sLw4ZbN1cYh6JdP3fGuE8aQoTi", "ghp_B5nW8rXe2LkZq7YtM4vCj1HsD9gPfA6uRoKd"];
    let with = |secret: &str| {
        let mut server = server("s", "usual");
        server.args.push(secret.to_owned());
        server
    };
    let mut bench = bench([with(SECRETS[0])]);
    assert_eq!(status(&bench).standing, Standing::Connected);
    let kept = std::fs::read_to_string(bench.path("state/mcp-tools-s")).unwrap();
    assert!(kept.contains("usual") && !kept.contains(SECRETS[0]), "{kept}");
    bench.config.mcp.servers = vec![with(SECRETS[1])];
    let off = status(&bench);
    assert!(matches!(off.standing, Standing::Off(_)) && off.changes[0].diff.is_empty(), "{off:?}");
    assert_eq!(bench.trust("s").unwrap().len(), 1);
    assert_eq!(status(&bench).standing, Standing::Connected);
}

pub fn what_cannot_be_read_any_more_is_a_change() {
    let bench = bench([server("s", "usual")]);
    assert_eq!(status(&bench).standing, Standing::Connected);
    let file = bench.path("state/mcp-tools-s");
    let text = std::fs::read_to_string(&file).unwrap();
    for damaged in [text.as_bytes()[..text.len() / 2].to_vec(), b"{}\n".to_vec(), b"\xff".to_vec()] {
        std::fs::write(&file, damaged).unwrap();
        assert!(matches!(status(&bench).standing, Standing::Off(_)));
        assert_eq!(bench.trust("s").unwrap().len(), 1);
        assert_eq!(status(&bench).standing, Standing::Connected);
    }
}

pub fn what_is_allowed_later_was_agreed_to_with_the_others() {
    let mut few = server("s", "usual");
    few.allow = vec!["arguments".to_owned()];
    let mut bench = bench([few]);
    assert_eq!(status(&bench).tools, ["mcp_s_arguments"]);
    bench.config.mcp.servers = vec![server("s", "usual")];
    let all = status(&bench);
    assert!(all.left_out.is_empty() && all.tools.len() > 5, "{all:?}");
}
