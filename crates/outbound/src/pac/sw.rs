//! SW sapien, by REST.

mod answer;
mod post;

use std::sync::Arc;

use invoices::provider::{
    Calling, CancelOutcome, Credentials, Expression, Provider, Recovery, Service, StampOutcome,
    StatusOutcome, ToCancel, ToStamp,
};
use kernel::reason::Reason;
use reqwest::header::HeaderValue;

use super::{
    Shared,
    document::Sealed,
    ending::{Failure, recovered, words},
    http::{Answer, Deadline, Post},
    sat,
    session::{Session, bearer},
};
use answer::{cancel_outcome, refuses_token, stamp_outcome, token};
use post::{authorized, multipart, sign_in};

/// Refusals whose cause may have come up after the document was stamped: the certificate was revoked (304) or
/// ended (305), the document is older than 72 hours (401), the issuer left the list (402). Whether SW looks
/// for an earlier stamp before it looks at these is not documented.
const LATE_CODES: [&str; 4] = ["304", "305", "401", "402"];

/// Where documents are stamped.
const fn stamp_path(service: Service) -> &'static str {
    match service {
        Service::Invoice => "/v4/cfdi33/stamp/v4",
        Service::Withholding => "/retencion/stamp/v3",
    }
}

/// Where signed requests to cancel are sent.
const fn cancel_path(service: Service) -> &'static str {
    match service {
        Service::Invoice => "/cfdi33/cancel/xml",
        Service::Withholding => "/retencion/cancel/xml",
    }
}

/// An account with SW.
#[derive(Clone)]
pub(super) struct Sw {
    shared: Arc<Shared>,
    access: Access,
}

#[derive(Clone)]
enum Access {
    /// A token that does not end.
    Token(HeaderValue),
    /// One that does, and what it is obtained with.
    User { user: Arc<str>, password: Arc<str>, session: Arc<Session> },
}

impl Sw {
    pub(super) fn new(
        shared: Arc<Shared>,
        credentials: Option<&Credentials>,
    ) -> Result<Self, String> {
        let access = match credentials {
            Some(Credentials::Token(token)) if !token.is_empty() => {
                let bearer = bearer(token).ok_or_else(|| Reason::CredentialsUnsendable.alone())?;
                Access::Token(bearer)
            }
            Some(Credentials::User { user, password })
                if !user.is_empty() && !password.is_empty() =>
            {
                let session = shared.sessions.of(user, password);
                Access::User {
                    user: user.as_str().into(),
                    password: password.as_str().into(),
                    session,
                }
            }
            _ => return Err(Reason::TokenOrUserMissing.alone()),
        };
        Ok(Self { shared, access })
    }

    async fn stamped(&self, request: ToStamp) -> StampOutcome {
        let outcome = async {
            let not_sealed = || Failure::not_taken(Reason::NotSealed);
            let sealed = Sealed::new(request.xml).ok_or_else(not_sealed)?;
            let url = format!("{}{}", self.shared.sw_url, stamp_path(request.service));
            // Withholdings are known by their seals alone.
            let key = Some(request.key.as_str()).filter(|_| request.service == Service::Invoice);
            let post = multipart(url, &sealed.xml, key)?;
            let (answer, is_repeated) = self.send(post).await?;
            match stamp_outcome(&answer, &sealed)? {
                // The first may have been stamped before the cause came up.
                StampOutcome::Rejected(late)
                    if is_repeated && LATE_CODES.contains(&late.code.as_str()) =>
                {
                    Err(Failure::Unknown(words(&late)))
                }
                outcome => Ok(outcome),
            }
        };
        outcome.await.unwrap_or_else(StampOutcome::from)
    }

    async fn cancelled(&self, request: ToCancel) -> CancelOutcome {
        let outcome = async {
            let url = format!("{}{}", self.shared.sw_url, cancel_path(request.service));
            let (answer, _) = self.send(multipart(url, &request.xml, None)?).await?;
            cancel_outcome(&answer, &request.uuid)
        };
        outcome.await.unwrap_or_else(CancelOutcome::from)
    }

    /// Posts with a token, and once more with another when it is refused; tells whether it did. The refusal may be a
    /// gateway's, so the first may have been taken whatever becomes of the second.
    async fn send(&self, post: Post) -> Result<(Answer, bool), Failure> {
        let by = self.shared.http.deadline();
        let bearer = self.bearer(by, None).await?;
        let answer = self.shared.http.post(by, authorized(&post, &bearer)).await?;
        if !refuses_token(&answer) || matches!(self.access, Access::Token(_)) {
            return Ok((answer, false));
        }
        let again = async {
            let bearer = self.bearer(by, Some(&bearer)).await?;
            self.shared.http.post(by, authorized(&post, &bearer)).await
        };
        let answer = again.await.map_err(|failure| Failure::Unknown(failure.into_reason()))?;
        Ok((answer, true))
    }

    /// A token other than the refused one.
    async fn bearer(
        &self,
        by: Deadline,
        refused: Option<&HeaderValue>,
    ) -> Result<HeaderValue, Failure> {
        let (user, password, session) = match &self.access {
            Access::Token(bearer) => return Ok(bearer.clone()),
            Access::User { user, password, session } => (user, password, session),
        };
        let late = || Failure::not_taken(Reason::SignInTimedOut);
        let mut held = by.wait_for(session.hold()).await.map_err(|_| late())?;
        if let Some(bearer) = held.bearer(refused) {
            return Ok(bearer);
        }
        let post = sign_in(&self.shared.sw_url, user, password);
        let answer = self.shared.http.post(by, post).await;
        let token = answer.and_then(|answer| token(&answer)).map_err(without_session)?;
        let fresh = bearer(&token).ok_or_else(|| without_session(Failure::nonsense()))?;
        held.sign(fresh.clone());
        Ok(fresh)
    }
}

/// Without a session nothing that matters was sent.
fn without_session(failure: Failure) -> Failure {
    match failure {
        Failure::NotTaken(reason) => Failure::NotTaken(reason),
        Failure::Unknown(reason) => Failure::NotTaken(Reason::SignInFailed.kept(reason)),
    }
}

impl Provider for Sw {
    fn stamp(&self, request: ToStamp) -> Calling<StampOutcome> {
        let account = self.clone();
        Box::pin(async move { account.stamped(request).await })
    }

    fn recover(&self, request: ToStamp) -> Calling<Recovery> {
        let account = self.clone();
        Box::pin(async move {
            let repeated = account.stamped(request).await;
            recovered(repeated, |code| !LATE_CODES.contains(&code))
        })
    }

    fn cancel(&self, request: ToCancel) -> Calling<CancelOutcome> {
        let account = self.clone();
        Box::pin(async move { account.cancelled(request).await })
    }

    fn status(&self, expression: Expression) -> Calling<StatusOutcome> {
        let shared = Arc::clone(&self.shared);
        Box::pin(async move { sat::status(&shared, &expression).await })
    }
}
