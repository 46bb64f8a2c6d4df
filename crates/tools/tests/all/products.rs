//! The factories of the contracts document: tools bound to a product, through the product's own gate.

use palanca_core::ports::{Files, RemoteFault};
use palanca_core::{ConfirmMode, Origin, Scope};
use palanca_github::{GitHub, GitHubOptions};
use palanca_net::NetClient;
use palanca_policy::paths::PathRules;
use palanca_testkit::{Deny, FakeRepository, GitHubServer, Recorded, TempWorkspace};
use palanca_text::{FluentCatalogue, Locale};
use palanca_tools::ToolOptions;
use palanca_tools::products::{
    ProductId, Products, create_list_dirs_tool, create_list_files_tool, create_read_file_tool, create_search_code_tool,
    create_todo_manager_tool, create_validate_output_tool,
};
use serde_json::{Value, json};
use std::sync::Arc;

fn products(recorded: &Arc<Recorded>) -> Products {
    let recorded = Arc::clone(recorded);
    let finish = move |gate: palanca_core::gate::GateBuilder| {
        gate.recorder(Arc::clone(&recorded) as _)
            .catalogue(Arc::new(FluentCatalogue::new(Locale::En)))
            .mode(ConfirmMode::Yolo)
            .guard(Arc::new(Deny { tool: "search_code".to_owned(), reason: "not here".to_owned() }))
    };
    let whom = (Origin::Model { step: 1 }, Scope::session("s".into()));
    Products::new(ToolOptions::default(), whom, finish).unwrap()
}

fn repository(server: &GitHubServer) -> Arc<dyn Files> {
    let mut options = GitHubOptions::new("o/n".parse().unwrap(), "t");
    options.api_base = server.base();
    let http = NetClient::to(&server.base()).unwrap();
    Arc::new(GitHub::new(options, Arc::new(http), Arc::new(PathRules::new(&[], &[], None).unwrap())))
}

#[tokio::test]
async fn each_product_has_its_files_and_an_unknown_one_has_no_connection() {
    let recorded = Arc::new(Recorded::default());
    let mut products = products(&recorded);
    let workspace = TempWorkspace::with(&[("here.txt", "one")]);
    let server = GitHubServer::start(FakeRepository::with("o/n", &[("there.txt", "three")]), "t");
    let (local, remote, unknown) = (ProductId::new("local"), ProductId::new("remote"), ProductId::new("unknown"));
    products.connect(local.clone(), workspace.door()).unwrap();
    products.connect(remote.clone(), repository(&server)).unwrap();
    for (product, name, size) in [(&local, "here.txt", 3), (&remote, "there.txt", 5)] {
        let tool = create_list_files_tool(&products, product);
        assert_eq!(tool.name(), "list_files");
        assert!(tool.description().contains("one directory"), "{}", tool.description());
        let files = json!([{"path": name, "name": name, "size": size}]);
        let expected = json!({"name": "list_files", "input": {}, "output": {"files": files, "truncated": false}});
        assert_eq!(tool.execute(json!({})).await.to_string(), expected.to_string());
    }
    let read = create_read_file_tool(&products, &remote).execute(json!({"path": "there.txt"})).await;
    assert_eq!(read["output"], json!({"path": "there.txt", "content": "three", "size": 5}));

    let sentence = "No active GitHub connection found";
    for (tool, input) in [
        (create_list_dirs_tool(&products, &unknown), json!({})),
        (create_list_files_tool(&products, &unknown), json!({"path": "src"})),
        (create_read_file_tool(&products, &unknown), json!({"path": "src/a"})),
    ] {
        let told = tool.execute(input.clone()).await;
        assert_eq!(told, json!({"name": tool.name(), "input": input, "error": sentence}));
    }
    let plan = json!({"items": []});
    assert_eq!(create_todo_manager_tool(&products, &unknown).execute(plan).await["output"]["maxItems"], 15);
    let answer = json!({"outputType": "domain_map", "data": {}});
    assert_eq!(create_validate_output_tool(&products, &unknown).execute(answer).await["output"]["valid"], false);
    assert_eq!(recorded.records().len(), 8, "every call went through a gate");
    assert!(!RemoteFault::NotConnected.is_of_one_entry());
}

#[tokio::test]
async fn there_is_no_way_round_the_gate() {
    let recorded = Arc::new(Recorded::default());
    let mut products = products(&recorded);
    let workspace = TempWorkspace::with(&[("a.txt", "one"), (".env", "KEY=1")]);
    let product = ProductId::new("local");
    products.connect(product.clone(), workspace.door()).unwrap();
    let error = |told: Value| told["error"].as_str().unwrap_or_else(|| panic!("{told}")).to_owned();
    let search = create_search_code_tool(&products, &product);
    assert_eq!(error(search.execute(json!({"query": "one"})).await), "Guardrail: not here");
    let read = create_read_file_tool(&products, &product);
    assert!(error(read.execute(json!({"path": ".env"})).await).contains("holds secrets"));
    assert!(error(read.execute(json!({"path": "../x"})).await).contains("escapes"));
    assert!(error(read.execute(json!([1])).await).starts_with("Invalid arguments"));
    assert_eq!(recorded.records().len(), 4);
}
