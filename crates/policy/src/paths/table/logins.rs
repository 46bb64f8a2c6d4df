//! Logins that programs keep on disk: command-line clients, clouds, clusters, the system itself, and the histories in
//! which people typed them. Denied like [`super::SECRET`], of which this is the second half.

use super::super::rule::{
    Entry,
    Shape::{Dirs, Exts, Names, Words},
};

pub(in super::super) static LOGINS: &[Entry] = &[
    Entry {
        // It holds passwords or tokens of a command-line program.
        id: "secret.login-file",
        shapes: &[
            Names(".netrc _netrc .authinfo .pypirc .npmrc .git-credentials .pgpass .my.cnf .mylogin.cnf .htpasswd"),
            Names("htpasswd .s3cfg .boto .passwd-s3fs rclone.conf .msmtprc .fetchmailrc .sentryclirc .vault_pass"),
            Names(".vault_password .vault_pass.txt vault_pass.txt .erlang.cookie .dockercfg .dockerconfigjson"),
            Names(".docker/config.json containers/auth.json .codex/auth.json opencode/auth.json .composer/auth.json"),
            Names("composer/auth.json gh/hosts.yml hub.token .m2/settings.xml .m2/settings-security.xml"),
            Names(".gradle/gradle.properties .vnc/passwd .fly/config.yml logins.json cookies.sqlite"),
        ],
        hits: ".netrc .pypirc .npmrc .git-credentials sub/.netrc .NETRC .docker/config.json .pgpass .netrc.save \
               .m2/settings.xml .codex/auth.json .config/gh/hosts.yml",
        misses: "netrc.rs docker/config.json .docker/Dockerfile auth.json locales/en/auth.json settings.xml \
                 gradle.properties npmrc.md config.json hosts.yml passwd",
    },
    Entry {
        // It holds credentials of a cloud account.
        id: "secret.cloud",
        shapes: &[
            Names(".aws/credentials .aws/config .azure/azureprofile.json .azure/accesstokens.json"),
            Names("service-account*.json service_account*.json serviceaccount*.json gcp-key*.json"),
            Names("gcloud-service-key*.json firebase-adminsdk*.json *-firebase-adminsdk.json"),
            Dirs(".aws/sso .aws/cli .config/gcloud .gcloud .cloudflared .oci"),
            Words("service-account.json service_account.json"),
        ],
        hits: ".aws/credentials .aws/config .aws/sso/cache/1.json .config/gcloud/x/y.db service-account.json \
               service_account_prod.json prod-service-account.json .AWS/Credentials backup/.aws/credentials.bak",
        misses: ".aws/task-definition.json gcloud/main.py docs/service-account.md aws/config service-accounts.rs",
    },
    Entry {
        // It holds the keys of a cluster or its infrastructure state.
        id: "secret.cluster",
        shapes: &[
            Names(".kube/config kubeconfig kubeconfig.yaml kubeconfig.yml *.tfvars.json .terraformrc terraform.rc"),
            Names("*.tfrc.json .terraform.d/credentials.tfrc.json"),
            Dirs(".kube/cache"),
            Exts("kubeconfig tfstate tfvars"),
        ],
        hits: ".kube/config kubeconfig prod.kubeconfig terraform.tfstate terraform.tfstate.backup prod.tfvars \
               prod.auto.tfvars.json",
        misses: ".kube/deploy.yaml kube/config main.tf variables.tf terraform.tfvars.example kubeconfig.go \
                 .terraform.lock.hcl",
    },
    Entry {
        // It is named like the system's password file.
        id: "secret.system-password",
        shapes: &[Names("shadow gshadow shadow- gshadow- master.passwd opasswd")],
        hits: "shadow etc/shadow SHADOW shadow- shadow.bak",
        misses: "box-shadow.scss shadow.rs shadow.css src/shadow/map.rs shadowed",
    },
    Entry {
        // Shell and database histories contain typed passwords.
        id: "secret.history",
        shapes: &[
            Names(".bash_history .zsh_history .zhistory .sh_history .histfile fish_history .python_history"),
            Names(".node_repl_history .mysql_history .psql_history .sqlite_history .rediscli_history .dbshell"),
            Names(".mongorc.js .irb_history .lesshst"),
        ],
        hits: ".bash_history .zsh_history home/.psql_history",
        misses: "history.md bash_history.rs .history",
    },
];
