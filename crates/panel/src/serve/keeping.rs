//! Forms that are kept instead of being carried out.

use accounts::{Entry, UserId};
use actix_web::{HttpRequest, web::Payload};

use super::Asked;
use crate::{
    PANEL_PATH,
    failure::Failure,
    form::Sent,
    page::Method,
    parking::{self, Place},
    reply::answered,
    router::{self, Found},
};

impl Asked {
    /// Keeps a form that is sent in a session of somebody which has ended, for them alone; where it is shown then. It proves to
    /// be from a page of that session as any form does, and is never carried out by this.
    pub(super) async fn keep_of_ended(
        &self,
        slug: &str,
        action: &str,
        request: &HttpRequest,
        payload: Payload,
    ) -> Result<Option<String>, Failure> {
        let services = &self.panel.services;
        let Some(token) = &self.token else { return Ok(None) };
        let Some(place) = parking::place(&self.panel.inside, action) else { return Ok(None) };
        // What comes of a file is left where it is.
        let received = self.receive(place.sent, request, payload).await;
        let Ok((sent, _)) = received else { return Ok(None) };
        let ended = services.people.ended_session(token.digest(), self.visit.now);
        let Some(user) = answered(ended).await? else { return Ok(None) };
        let entry = answered(services.team.entry(user, slug.to_owned())).await?;
        let entry = entry.filter(|entry| entry.role.allows(place.right));
        let Some(entry) = entry else { return Ok(None) };
        self.keep((&entry, user), &place, &sent, false).await
    }

    /// Keeps a form of a member; where it is shown then, if it is kept.
    pub(super) async fn keep(
        &self,
        (entry, user): (&Entry, UserId),
        place: &Place<'_>,
        sent: &Sent,
        displaces: bool,
    ) -> Result<Option<String>, Failure> {
        let base = format!("{PANEL_PATH}/{}/", entry.slug);
        let query = parking::query(&self.referrer, &format!("{base}{}", place.shown));
        let Some(form) = parking::form(place, sent, query, displaces) else { return Ok(None) };
        let link = parking::link(&base, &form.page, &form.query, &form.once);
        let keeper = (entry.account.id, user);
        let kept = parking::keep(&self.panel.services, keeper, form, self.visit.now).await?;
        Ok(kept.is_ok().then_some(link))
    }

    /// Where to go on after signing in: a form is not sent once more, so to where it is shown as it was filled in, or to the
    /// page that it is on or what lies above.
    pub(super) fn way_on(&self) -> String {
        if let Some(link) = &self.kept {
            return link.clone();
        }
        if !self.is_post {
            return self.target.clone();
        }
        let panel = &self.panel;
        let (base, pages, path) = match router::find(&panel.outside, Method::Post, &self.path) {
            Found::Page(..) => (String::new(), &panel.outside, self.path.as_str()),
            Found::OtherMethod | Found::Nothing => {
                let (slug, rest) = self.path.split_once('/').unwrap_or((&self.path, ""));
                (format!("/{slug}"), &panel.inside, rest)
            }
        };
        let home = format!("{PANEL_PATH}{base}");
        match router::shown_at(pages, path) {
            Some(shown) if shown == path => self.target.clone(),
            Some(shown) => format!("{home}/{shown}"),
            None => home,
        }
    }
}
