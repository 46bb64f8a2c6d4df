//! What messengers bring for bots, beside everything that people do here: no session, no cookie and no token, but the messenger's own word.

use crate::console::Shared;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest as _, Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use palanca_bots::{Bots, Delivery};
use std::sync::Arc;

/// Where the word stands: <https://core.telegram.org/bots/api#setwebhook>.
const WORD: &str = "x-telegram-bot-api-secret-token";
/// Bytes of a delivery: more than one message with everything that may come with it.
const LARGEST: usize = 1 << 20;

pub(crate) fn routes() -> Router<Arc<Shared>> {
    Router::new().route(&Bots::delivery_path("{bot}"), post(take)).layer(DefaultBodyLimit::max(LARGEST))
}

async fn take(
    State(shared): State<Arc<Shared>>,
    Path(bot): Path<String>,
    headers: HeaderMap,
    request: Request,
) -> StatusCode {
    let mut words = headers.get_all(WORD).iter();
    let word = words.next().and_then(|word| word.to_str().ok()).filter(|_| words.next().is_none());
    let delivery = match shared.bots.deliverer(&bot, word) {
        Ok(deliverer) => match Bytes::from_request(request, &()).await {
            Ok(body) => deliverer.bring(&body).await,
            Err(rejection) => return rejection.status(),
        },
        Err(refused) => refused,
    };
    match delivery {
        Delivery::Taken => StatusCode::OK,
        Delivery::Nobody => StatusCode::NOT_FOUND,
        Delivery::Refused => StatusCode::UNAUTHORIZED,
        Delivery::Unreadable => StatusCode::BAD_REQUEST,
        Delivery::Later => StatusCode::SERVICE_UNAVAILABLE,
    }
}
