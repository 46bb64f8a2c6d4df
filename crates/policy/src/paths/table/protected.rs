//! Files that decide what some program runs or obeys later: version control, editors, shells, other agents, and our own
//! configuration. They may be read; changing one needs a person, because it outlives the session that did it. Project
//! files that run only when the project is run (Makefile, package.json, CI workflows) stay ordinary: writing
//! them is the work.

use super::super::rule::{
    Entry,
    Shape::{Dirs, Names},
};

pub(in super::super) static PROTECTED: &[Entry] = &[
    Entry {
        // It belongs to version control, where hooks and settings run programs.
        id: "protected.git",
        shapes: &[Dirs(".git git~1 .config/git .hg .svn .jj .bzr"), Names(".gitmodules .gitconfig .hgsub")],
        hits: ".git .git/hooks/pre-commit .git/config .git/hooks .GIT/config sub/.git/config sub/.git \
               .git/objects/aa/x .gitmodules .git./config .g\u{200c}it/config GIT~1/config \
               .git::$INDEX_ALLOCATION/config .hg/hgrc",
        misses: ".gitignore .gitattributes .github/workflows/ci.yml docs/.github.md src/.git.rs .gitkeep git/mod.rs \
                 .gitlab-ci.yml a.git/x",
    },
    Entry {
        // `git` takes every folder with `HEAD`, `refs` and `objects` for a repository and obeys its `config`. Without the
        // first there is none, and no other file has such a name.
        // With it this folder can be made a repository, whose settings run programs.
        id: "protected.repository",
        shapes: &[Names("/head")],
        hits: "HEAD head ./HEAD HEAD.",
        misses: "refs/heads/main objects/aa/x config HEAD.md head.html src/HEAD HEAD/x tests/a.git/HEAD",
    },
    Entry {
        // It configures or instructs an agent.
        id: "protected.agent",
        shapes: &[
            Names(".mcp.json mcp.json .claude.json opencode.json .aider* agents.md agents.override.md claude.md"),
            Names("claude.local.md gemini.md qwen.md .architect.md .cursorrules .windsurfrules .clinerules"),
            Names(".goosehints copilot-instructions.md"),
            Dirs(".claude .codex .cursor .gemini .windsurf .continue .roo .kiro .opencode .amazonq .junie .qwen"),
            Dirs(".goose .copilot .agents .architect .clinerules .github/instructions .github/agents"),
        ],
        hits: ".mcp.json .MCP.json .cursor/mcp.json .Cursor/MCP.json .claude/settings.json .codex/config.toml \
               AGENTS.md sub/CLAUDE.md .github/copilot-instructions.md .aider.conf.yml",
        misses: "src/agents.rs docs/agents.html claude.rs src/cursor/mod.rs .cursor.rs mcp.rs",
    },
    Entry {
        // Editors run tasks and settings from it.
        id: "protected.editor",
        shapes: &[
            Dirs(".vscode .idea .fleet .zed .helix .theia .vs .devcontainer .vim .nvim .emacs.d .config/nvim"),
            Names(".devcontainer.json .vimrc _vimrc .gvimrc .nvimrc .nvim.lua .exrc .lvimrc .emacs .dir-locals.el"),
            Names(".dir-locals-2.el *.code-workspace *.sublime-project"),
        ],
        hits: ".vscode/tasks.json .VSCode/settings.json .idea/workspace.xml .vimrc .exrc my.code-workspace \
               .devcontainer/devcontainer.json .helix/languages.toml",
        misses: ".editorconfig helix/languages.toml src/.vscode.rs vscode/package.json idea.md vimrc.md",
    },
    Entry {
        // It installs commands that run on every commit.
        id: "protected.hooks",
        shapes: &[
            Dirs(".husky .githooks .git-hooks"),
            Names(".pre-commit-config.yaml .pre-commit-config.yml lefthook*.yml lefthook*.yaml lefthook*.toml"),
            Names("lefthook*.json .lefthook* .huskyrc .overcommit.yml .lintstagedrc"),
        ],
        hits: ".husky/pre-commit .pre-commit-config.yaml lefthook.yml lefthook-local.toml .githooks/post-merge",
        misses: "husky.md src/hooks/mod.rs pre-commit.py",
    },
    Entry {
        // A shell runs it at every start.
        id: "protected.shell",
        shapes: &[
            Names(".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_completion .profile .zshrc"),
            Names(".zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc .shrc .shinit .cshrc .tcshrc .login .logout"),
            Names(".inputrc .xprofile .xinitrc .xsession .xsessionrc .pam_environment config.fish .tmux.conf"),
            Names(".screenrc microsoft.powershell_profile.ps1"),
            Dirs(".config/fish .oh-my-zsh .config/systemd .config/autostart .config/environment.d"),
        ],
        hits: ".bashrc .profile home/.zshrc .BASHRC .config/fish/config.fish .config/systemd/user/x.service",
        misses: "bashrc.md profile.rs .profiles src/profile .config/app.toml",
    },
    Entry {
        // A tool or interpreter reads it at every start and runs what it names.
        id: "protected.tool-start",
        shapes: &[
            Names(".ripgreprc ripgreprc pyvenv.cfg sitecustomize.py usercustomize.py .pythonrc .pythonrc.py"),
            Names(".pythonstartup .curlrc _curlrc .wgetrc .gdbinit .lldbinit .pdbrc .perldb .ghci .ocamlinit"),
            Names(".octaverc .iex.exs .psqlrc .sqliterc .irbrc .pryrc .rprofile .renviron .yarnrc .yarnrc.yml"),
            Names(".pnpmfile.cjs .cargo/config .cargo/config.toml .bundle/config .mvn/jvm.config .mvn/extensions.xml"),
            Names(".mvn/maven.config mise.toml .mise.toml mise.local.toml .mise.local.toml .lesskey .dircolors"),
            Names(".forward .rhosts .shosts .crontab"),
            Dirs(".yarn/releases .yarn/plugins .direnv .mise .config/mise"),
        ],
        hits: ".ripgreprc pyvenv.cfg .venv/pyvenv.cfg sitecustomize.py .cargo/config.toml .gdbinit .curlrc .RPROFILE \
               .pdbrc mise.local.toml",
        misses: "cargo/config.toml config.toml setup.cfg Makefile package.json conftest.py curlrc.md \
                 .cargo/audit.toml",
    },
];

/// Of this program itself: no person can allow a change.
pub(in super::super) static OWN: &[Entry] = &[Entry {
    // It is this program's own configuration.
    id: "protected.own",
    shapes: &[
        Names("palanca.yaml palanca.yml palanca.toml palanca.json palanca.jsonc"),
        Dirs(".palanca .config/palanca"),
    ],
    hits: "palanca.yaml Palanca.YAML sub/palanca.toml .palanca/state.db .config/palanca/palanca.yaml",
    misses: "docs/palanca.md palanca/src/lib.rs palanca.rs",
}];
