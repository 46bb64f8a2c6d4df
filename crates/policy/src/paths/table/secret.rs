//! Files that hold credentials. Denied for reading, writing and in search results, because a model that has seen a
//! secret can send it anywhere.

use super::super::rule::{
    Entry,
    Shape::{DataFiles, Dirs, Exts, Family, Names, Words},
};
use super::families::{environment_file, ssh_private_key};

pub(in super::super) static SECRET: &[Entry] = &[
    Entry {
        // Environment files hold credentials.
        id: "secret.dotenv",
        shapes: &[Family(environment_file)],
        hits: ".env sub/.env .ENV .Env .env.production .env.local .env.test .env.bak .env~ .env. .env::$DATA \
               .env-prod .env_local #.env# .env.swp .env.vault .envrc deploy/prod.env .env.1 .env.old.gz \
               .e\u{200d}nv",
        misses: ".env.example .env.sample .env.template .env.dist .env.example.bak .env.local.example .env-example \
                 example.env sample.env environment.ts src/envelope.rs .environment env env.d.ts .envoy.yaml \
                 src/.env.d/readme.md венв .еnv",
    },
    Entry {
        // It is named like a private SSH key.
        id: "secret.ssh-key",
        shapes: &[Family(ssh_private_key)],
        hits: "id_rsa ID_RSA keys/id_rsa id_ed25519 id_ecdsa id_dsa id_ed25519_sk id_rsa_work id_rsa.txt id_rsa.bak \
               id_rsa.old .id_rsa.swp id_rsa~ id_rsa.1 etc/ssh_host_rsa_key deploy_ed25519 id_ecdsa-github",
        misses: "id_rsa.pub id_ed25519.pub docs/id_rsa_howto.md id_rsa_test.go src/id_rsa.rs id_map \
                 ssh_host_rsa_key.pub id_rsakey grid_rsa.rs",
    },
    Entry {
        // Everything in an SSH folder concerns logins.
        id: "secret.ssh-dir",
        shapes: &[Dirs(".ssh")],
        hits: ".ssh .ssh/config .SSH/known_hosts home/.ssh/work/key .ssh./x .\u{17F}\u{17F}h/config",
        misses: "docs/.sshrc.md ssh/client.rs .sshd src/.ssh.rs",
    },
    Entry {
        // It is named like a private key or key store.
        id: "secret.key-file",
        shapes: &[
            Exts("pem key p12 pfx pkcs12 p8 pk8 jks jceks bks keystore truststore ppk kdb kdbx keyring agekey"),
            Exts("keychain keychain-db ovpn gpgkey"),
            Names("key4.db key3.db wallet.dat age/keys.txt keystore.properties key.properties"),
        ],
        hits: "server.pem c.pem server.KEY cert.p12 cert.pfx a/b/AuthKey_1.p8 app.jks debug.keystore putty.ppk \
               vault.kdbx server.key.bak .pem server.key. config/master.key server.\u{212A}EY vpn/home.ovpn \
               sops/age/keys.txt server.pem.gz key.pem~",
        misses: "server.pem.md .venv/lib/certifi/cacert.pem grpc/roots.pem tls/fullchain.pem keyboard.rs keys.md key.rs pem monkey server.crt ca.cer \
                 key turkey.txt tests/keys.txt pem.go server.key.rs",
    },
    Entry {
        // It holds OpenPGP keys.
        id: "secret.gnupg",
        shapes: &[Dirs(".gnupg .password-store"), Names("secring.gpg")],
        hits: ".gnupg/secring.gpg .gnupg backup/secring.gpg .password-store/mail.gpg",
        misses: "pubring.gpg docs/gnupg.md release.asc",
    },
    Entry {
        // It is named as a store of credentials.
        id: "secret.credentials",
        shapes: &[
            DataFiles("credentials .credentials credential secrets .secrets"),
            Names(".credentials credentials.tfrc.json client_secret*.json secret.json secret.toml secret.ini"),
            Names("secret.properties passwords.txt password.txt passwords.csv"),
            Words("credentials.json credentials.yml credentials.yaml secrets.json secrets.yaml secrets.yml"),
            Exts("secret secrets"),
            Dirs(".secrets"),
        ],
        hits: "credentials Credentials credentials.json config/credentials.yml credentials.csv aws-credentials.json \
               .credentials.json application_default_credentials.json secrets.yml .streamlit/secrets.toml db.secret \
               DB.SECRET .secret .secrets/x credentials.bak credentials~ client_secret_12.apps.json \
               helm/prod-secrets.yaml .cargo/credentials.toml .cargo/credentials .gem/credentials",
        misses: "credentials.rs src/credentials.py docs/secrets.md src/secrets/mod.rs secretary.txt \
                 credentials-app/main.rs src/credentials/mod.rs secrets.rs test_secrets.py credentials.md \
                 mycredentials.json secret.rs client_secret.rs",
    },
    Entry {
        // It is named as a stored access token.
        id: "secret.token",
        shapes: &[
            Words("token.json"),
            Names(".token .vault-token token*.pickle accesstokens.json msal_token_cache.json"),
        ],
        hits: "token.json Token.JSON google/token.json access_token.json oauth-token.json .vault-token \
               token.json.bak",
        misses: "tokenizer.json token.rs tokens.json design-tokens.json token.md src/token/mod.rs mytoken.json \
                 token.json.md",
    },
];
