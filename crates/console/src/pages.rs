//! The pages: made here, read and answered without scripts. Whatever comes from elsewhere (names, arguments, output, chat) passes the
//! template's escaping, and `shown`, which makes visible what hides.

mod assets;
mod bots;
mod files;
mod inbox;
mod login;
mod sessions;
mod timeline;
mod tool;
mod tools;
mod view;
mod waterfall;
mod words;

use crate::access::{Visitor, strange_page};
use crate::console::Shared;
use crate::language::Tongue;
use crate::problem::Problem;
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value, context};
use palanca_core::Message;
use palanca_policy::marking::shown_lines;
use palanca_store::{Approvals as _, KeptQuestion, Which};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

macro_rules! templates {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../templates/", $name)))),*]
    };
}

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut pages = Environment::new();
    pages.set_undefined_behavior(UndefinedBehavior::Strict);
    pages.set_auto_escape_callback(|_| AutoEscape::Html);
    pages.add_filter("shown", |text: &str| shown_lines(text).into_owned());
    for (name, source) in templates![
        "base.html",
        "bot.html",
        "bots.html",
        "files.html",
        "inbox.html",
        "login.html",
        "one.html",
        "problem.html",
        "question.html",
        "session.html",
        "sessions.html",
        "timeline.html",
        "tool.html",
        "tools.html",
        "undo.html",
    ] {
        // ignored: a test renders each of them.
        let _ = pages.add_template(name, source);
    }
    pages
});

/// Who may be here without a login.
pub(crate) fn is_public(path: &str) -> bool {
    path == "/login" || path.starts_with("/assets/")
}

pub(crate) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/", get(inbox::list))
        .route("/questions/{id}", get(inbox::show).post(inbox::answer))
        .route("/sessions", get(sessions::list))
        .route("/sessions/{id}", get(sessions::show))
        .route("/sessions/{id}/export", get(sessions::export))
        .route("/sessions/{id}/undo", get(sessions::look).post(sessions::undo))
        .route("/bots", get(bots::list))
        .route("/bots/{bot}", get(bots::show).post(bots::say))
        .route("/bots/{bot}/stop", post(bots::stop))
        .route("/bots/{bot}/files", get(files::show).post(files::put_back))
        .route("/bots/{bot}/tools/{tool}", get(tool::show).post(tool::act))
        .route("/tools", get(tools::list))
        .route("/tools/{id}", post(tools::decide))
        .route("/login", get(login::page).post(login::enter))
        .route("/logout", post(login::leave))
        .route("/language", post(login::language))
        .route("/assets/console.css", get(assets::style))
        .route("/assets/console.js", get(assets::script))
        .route("/assets/icon.svg", get(assets::icon))
}

/// What every page has.
pub(crate) struct Frame {
    tongue: Tongue,
    visitor: Option<Visitor>,
    /// Which part of the console.
    here: &'static str,
    /// The address, for coming back.
    path: String,
    /// Open questions, newest first.
    open: Vec<KeptQuestion>,
    /// What has happened up to here, the page may show.
    after: u64,
    notice: Option<(&'static str, String)>,
    pub(crate) status: StatusCode,
}

impl Frame {
    /// For somebody who is let in.
    fn new<'s>(
        shared: &'s Shared,
        request: &Request,
        here: &'static str,
    ) -> impl Future<Output = Result<Self, Problem>> + Send + use<'s> {
        // A request cannot be held while it is waited.
        let mut frame = Self::bare(request, shared);
        async move {
            frame.after = shared.database.last_sequence()?.0;
            frame.open = shared.desk.questions(Which::Active).await?;
            frame.here = here;
            Ok(frame)
        }
    }

    /// For anybody.
    fn bare(request: &Request, shared: &Shared) -> Self {
        let tongue = request.extensions().get::<Tongue>().copied();
        let tongue = tongue.unwrap_or_else(|| Tongue::in_locale(shared.locale));
        let path = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
        let visitor = request.extensions().get::<Visitor>().cloned();
        Self { visitor, ..Self::of_nobody(tongue, StatusCode::OK, path) }
    }

    /// For a problem with a request of which no more is known.
    pub(crate) fn of_nobody(tongue: Tongue, status: StatusCode, path: String) -> Self {
        Self { tongue, visitor: None, here: "", path, open: Vec::new(), after: 0, notice: None, status }
    }

    fn say(&self, message: &Message) -> String {
        self.tongue.say(message)
    }

    fn with_problem(mut self, problem: &Problem) -> Self {
        self.status = problem.status;
        self.notice = Some(("bad", self.say(&problem.message)));
        self
    }

    /// The page of this template.
    fn page(&self, template: &str, own: Value) -> Response {
        let visitor = self.visitor.as_ref();
        let other = if self.tongue.code() == "es" { ("en", "English") } else { ("es", "Español") };
        let mut words = words::of(self.tongue);
        words.insert("other_code", other.0.to_owned());
        words.insert("other_language", other.1.to_owned());
        let newest = self.open.first().map(|asked| asked.id.as_str()).unwrap_or_default();
        let notice = self.notice.as_ref().map(|(kind, text)| context! { kind => *kind, text => text.as_str() });
        let frame = context! {
            lang => self.tongue.code(), version => env!("CARGO_PKG_VERSION"), w => words, here => self.here,
            path => self.path.clone(), open => self.open.len(), newest, after => self.after, notice,
            person => visitor.map(|visitor| &*visitor.key.person),
            word => visitor.and_then(|visitor| visitor.word.as_deref()),
        };
        let page = TEMPLATES.get_template(template).and_then(|page| page.render(context! { ..own, ..frame }));
        match page {
            Ok(page) => (self.status, Html(page)).into_response(),
            // A mistake of ours.
            Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
        }
    }

    /// The page of a problem.
    pub(crate) fn problem(&self, message: &Message) -> Response {
        self.page("problem.html", context! { status => self.status.as_u16(), detail => self.say(message) })
    }

    /// The page for whoever is not let in; it leads back to where they wanted to go.
    pub(crate) fn login(&self) -> Response {
        self.page("login.html", context! { back => own_path(&self.path) })
    }
}

/// The fields of a form.
type Fields = BTreeMap<String, String>;

/// The fields of a form that comes from one of our pages.
async fn form(shared: &Arc<Shared>, request: Request) -> Result<(Fields, Visitor), Problem> {
    let visitor = request.extensions().get::<Visitor>().cloned().ok_or_else(Problem::stranger)?;
    let fields = fields(shared, request).await?;
    // A token sends no forms.
    if visitor.word.is_none() || !visitor.says(fields.get("word").map(String::as_str)) {
        return Err(strange_page());
    }
    Ok((fields, visitor))
}

async fn fields(shared: &Arc<Shared>, request: Request) -> Result<Fields, Problem> {
    use axum::extract::FromRequest as _;
    let unread = |_| Problem::wrong(Message::new("console-unreadable"));
    let axum::Form(fields) = axum::Form::<Fields>::from_request(request, shared).await.map_err(unread)?;
    Ok(fields)
}

/// An address of this console; the inbox for any other.
fn own_path(path: &str) -> &str {
    let is_own = path.starts_with('/') && !path.starts_with("//") && !path.contains('\\') && !path.starts_with("/log");
    if is_own && path.bytes().all(|byte| byte.is_ascii_graphic()) { path } else { "/" }
}

/// A part of an address.
fn encoded(text: &str) -> percent_encoding::PercentEncode<'_> {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC)
}

/// Goes on elsewhere, by reading.
fn go(path: &str) -> Response {
    let place = HeaderValue::from_str(own_path(path)).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, place)]).into_response()
}
