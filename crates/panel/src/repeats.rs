//! The same form sent again: it waits until the first time is over, and leads to where that led, or shows what that showed this
//! once.

use std::{
    collections::HashMap,
    future::Future,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use accounts::form_results::of_result;
use actix_web::web::Bytes;
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    page::Run,
    reply::answered,
};

/// So long it is known here where a form led: as long as somebody clicks again. What an account was told longer is on record.
const KEPT_FOR: Duration = Duration::from_secs(60);
/// So many forms are known at once; who comes while there are more takes no turn.
const KEPT_MAX: usize = 2_000;

/// What a form was answered with.
#[derive(PartialEq)]
pub(crate) enum First {
    /// It led elsewhere, and the browser was given these cookies.
    Led { location: String, cookies: Vec<String> },
    /// It was shown a secret, by a page that nothing else leads to.
    Shown(Bytes),
}

impl First {
    /// The same answer once more.
    fn again(&self) -> Answer {
        match self {
            Self::Led { location, cookies } => {
                let answer = Answer::see(location);
                cookies.iter().fold(answer, |answer, cookie| answer.cookie(cookie))
            }
            Self::Shown(html) => Answer::secret_again(html.clone()),
        }
    }
}

type Known = Arc<Turn<Option<First>>>;

/// The forms that are being answered here, or were a moment ago.
#[derive(Default)]
pub(crate) struct Repeats {
    forms: Mutex<HashMap<String, (Instant, Known)>>,
}

impl Repeats {
    /// The turn of a form: nobody else answers it before this one is given back.
    async fn turn(&self, form: String) -> OwnedMutexGuard<Option<First>> {
        self.known(form).lock_owned().await
    }

    fn known(&self, form: String) -> Known {
        let mut forms = self.forms.lock().unwrap_or_else(PoisonError::into_inner);
        forms
            .retain(|_, (since, known)| since.elapsed() < KEPT_FOR || Arc::strong_count(known) > 1);
        if forms.len() >= KEPT_MAX && !forms.contains_key(&form) {
            return Known::default();
        }
        let (_, known) = forms.entry(form).or_insert_with(|| (Instant::now(), Known::default()));
        Arc::clone(known)
    }
}

/// Answers a form, once in a browser.
pub(crate) async fn once<W, F>(
    call: Call<W>,
    run: impl FnOnce(Call<W>) -> F,
) -> Result<Answer, Failure>
where
    F: Future<Output = Result<Answer, Failure>>,
{
    let Some(form) = call.mark() else { return run(call).await };
    let panel = call.panel.clone();
    let mut turn = panel.repeats.turn(form).await;
    if let Some(first) = turn.as_ref() {
        return Ok(first.again());
    }
    let answer = run(call).await?;
    *turn = answer.first();
    Ok(answer)
}

/// Answers a form of an account, once on all nodes, and for as long as idempotency keys count.
pub(crate) async fn once_on_record(
    call: Call<Member>,
    run: &Run<Member>,
) -> Result<Answer, Failure> {
    let panel = call.panel.clone();
    let mut ctx = call.ctx();
    let Some(idempotency) = &mut ctx.idempotency else { return run(call).await };
    idempotency.operation = of_result(&idempotency.operation);
    let results = &panel.services.form_results;
    if let Some(location) = answered(results.form_result(ctx.clone())).await? {
        return Ok(Answer::see(&location));
    }
    let answer = run(call).await?;
    if let Some(First::Led { location, .. }) = answer.first() {
        // What was done is done: who sends it again without this is told by its own key.
        drop(results.keep_form_result(ctx, location).await);
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use actix_web::http::StatusCode;

    use super::*;

    fn first() -> First {
        First::Led { location: "/panel/x/?did=saved".to_owned(), cookies: vec!["a=b".to_owned()] }
    }

    #[actix_web::test]
    async fn a_form_takes_turns_and_is_known_afterwards() {
        let repeats = Repeats::default();
        let mut turn = repeats.turn("one".to_owned()).await;
        assert!(turn.is_none());
        assert!(repeats.known("one".to_owned()).try_lock().is_err());
        assert!(repeats.known("other".to_owned()).try_lock().is_ok());
        *turn = Some(first());
        drop(turn);
        let again = repeats.turn("one".to_owned()).await;
        let again = again.as_ref().and_then(|first| first.again().first());
        assert!(again == Some(first()));
    }

    #[test]
    fn a_page_with_a_secret_is_shown_again_and_no_other() {
        let page = |text: &str| Answer::page(StatusCode::OK, text.to_owned());
        let shown = page("whsec_1").secret().first();
        assert!(shown == Some(First::Shown(Bytes::from_static(b"whsec_1"))));
        let again = shown.unwrap().again();
        assert!(again.first() == Some(First::Shown(Bytes::from_static(b"whsec_1"))));
        assert!(page("orders").first().is_none());
        let refused = Answer::page(StatusCode::UNPROCESSABLE_ENTITY, "whsec_1".to_owned());
        assert!(refused.secret().first().is_none(), "it is sent again with other words");
    }

    #[actix_web::test]
    async fn no_more_forms_are_known_than_there_is_room_for() {
        let repeats = Repeats::default();
        for number in 0..KEPT_MAX + 5 {
            drop(repeats.turn(number.to_string()).await);
        }
        assert_eq!(repeats.forms.lock().unwrap().len(), KEPT_MAX);
    }
}
