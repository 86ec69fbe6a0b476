//! Letting somebody in, and out.

use accounts::OpenedSession;

use crate::{
    answer::Answer,
    call::Call,
    cookies::{self, Kind},
    failure::Failure,
    reply::{answered, carried_out},
};

use super::refusals::people;

/// Where somebody wanted to go before they were asked to sign in, if that is a page of ours.
pub(crate) fn wanted(to: Option<&str>) -> &str {
    let is_ours = |to: &&str| {
        let rest = to.strip_prefix(crate::PANEL_PATH);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
            && to.bytes().all(|b| b.is_ascii_graphic() && b != b'\\')
            && !to.contains("//")
    };
    to.filter(is_ours).unwrap_or(crate::PANEL_PATH)
}

/// Lets somebody in: on to where they wanted to go, or to the page that asks for the code that they owe. Whoever was in
/// before in this browser is out: nobody would hold that session any more.
pub(crate) async fn let_in<W>(
    call: &Call<W>,
    opened: &OpenedSession,
    to: &str,
) -> Result<Answer, Failure> {
    if let Some(token) = &call.token {
        let service = &call.services().people;
        let before = answered(service.signed_in(token.digest(), call.now())).await?;
        if let Some(before) = before.filter(|before| before.session.id != opened.session.id) {
            let ending = service.end_session(before.user.id, before.session.id, call.now());
            drop(carried_out(ending, people).await?);
        }
    }
    let answer = match opened.session.owes_code {
        true => Answer::see(&format!("/panel/sign-in/code?to={}", crate::list::encoded(to))),
        false => Answer::see(to),
    };
    Ok(answer.cookie(&cookies::set(Kind::Session, opened.token.reveal(), call.is_https())))
}

/// Lets somebody out.
pub(crate) fn let_out<W>(call: &Call<W>) -> Answer {
    Answer::see("/panel/sign-in?did=signed-out")
        .cookie(&cookies::clear(Kind::Session, call.is_https()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_ours_are_gone_to() {
        for to in ["/panel", "/panel/x/orders?status=paid", "/panel?x=1"] {
            assert_eq!(wanted(Some(to)), to);
        }
        for to in [
            "",
            "https://evil.example",
            "//evil.example",
            "/panel//evil.example",
            "/panels",
            "/panel/\\evil",
            "/panel/a b",
            "/panel@evil.example",
        ] {
            assert_eq!(wanted(Some(to)), "/panel", "{to}");
        }
        assert_eq!(wanted(None), "/panel");
    }
}
