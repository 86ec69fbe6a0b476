//! What a request waits for: an equal one, the account's turns, places among its pages.

use accounts::ApiKey;
use actix_web::http::Method;
use tokio::time::timeout;

use super::Visit;
use crate::{
    alike::{Asked, Place, Question},
    answer::Answer,
    context::Context,
    endpoint::{Endpoint, Waits},
    error::ApiError,
    pieces,
    turns::{self, Turn, WorkTurn},
};

/// What is sent whole and is longer holds much until it is taken.
const WHOLE_LIGHT: usize = 4 * pieces::BYTES;

/// How a request for a page goes on.
pub(super) enum Joined {
    /// By the answer to an equal one.
    Answered(Answer),
    /// With an answer for those that equal it.
    First(Box<Asked>),
    Alone,
}

impl Visit {
    /// Waits for the answer to an equal request that waits for its turn, if there is one.
    pub(super) async fn join(&self, key: &ApiKey) -> Result<Joined, ApiError> {
        let Context { alike, settings, .. } = self.api.context.as_ref();
        if self.request.method() != Method::GET {
            return Ok(Joined::Alone);
        }
        let awaited = match alike.join(Question::of(key, &self.request)) {
            Place::First(asked) => return Ok(Joined::First(asked)),
            Place::Behind(awaited) => awaited,
        };
        let shared = timeout(settings.request_timeout, awaited).await.map_err(|_| turns::busy())?;
        Ok(shared.map_or(Joined::Alone, |shared| Joined::Answered(shared.into())))
    }

    /// Waits for the account's turn at pages of lists. It is held until the page is taken, or nobody takes it for a while.
    pub(super) async fn take_turn(&mut self, key: &ApiKey) -> Result<(), ApiError> {
        let Context { pages, settings, .. } = self.api.context.as_ref();
        let turn = timeout(settings.request_timeout, pages.take(key.account)).await;
        self.turn = turn.map_err(|_| turns::busy())?;
        Ok(())
    }

    /// Waits for places among the account's pages that are on their way, and for its turn at writing. Whoever has those waits for
    /// no turn at pages, so that this one can be held meanwhile.
    pub(super) async fn begin_to_write(
        &mut self,
        key: &ApiKey,
        is_heavy: bool,
    ) -> Result<(), ApiError> {
        let Context { on_the_way, heavy_pages, writing, settings, .. } = self.api.context.as_ref();
        let waiting = async {
            let heavy = match is_heavy {
                true => heavy_pages.take(key.account).await,
                false => None,
            };
            let place = on_the_way.take(key.account).await;
            (heavy, place, writing.begin(key.account).await)
        };
        let waited = timeout(settings.request_timeout, waiting).await;
        let (heavy, place, shift) = waited.map_err(|_| turns::busy())?;
        self.places = heavy.into_iter().chain(place).collect();
        self.shift = Some(shift.of_page(self.turn.take()));
        Ok(())
    }

    /// A place among the account's pages that are on their way, if there is one, instead of its turn at pages. An answer that
    /// holds much keeps the turn.
    pub(super) fn place(&mut self, bytes: usize) -> Option<Turn> {
        let (turn, key) = (self.turn.take()?, self.key.as_ref()?);
        let place = match bytes > WHOLE_LIGHT {
            true => None,
            false => self.api.context.on_the_way.take_now(key.account),
        };
        place.or(Some(turn))
    }

    /// Waits for the account's turn at work, if it needs one: for a body that is not light beside others, for a large one always.
    /// It is held until the handler has its answer.
    pub(super) async fn take_work_turn(
        &self,
        key: &ApiKey,
        endpoint: &Endpoint,
        (has_heavy_body, has_large_body): (bool, bool),
    ) -> Result<WorkTurn<'_>, ApiError> {
        let Context { work, calls, settings, .. } = self.api.context.as_ref();
        let turns = if endpoint.waits == Waits::Database { work } else { calls };
        let is_large = has_large_body || (has_heavy_body && turns.have_neighbours());
        let waiting = turns.take(key.account, is_large);
        let turn = timeout(settings.request_timeout, waiting).await;
        turn.ok().flatten().ok_or_else(turns::busy)
    }
}
