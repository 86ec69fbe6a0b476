//! Forms that are kept instead of being carried out.

use accounts::{Entry, UserId};
use actix_web::{HttpRequest, web::Payload};

use super::Asked;
use crate::{
    PANEL_PATH,
    failure::Failure,
    form::Sent,
    parking::{self, Place},
    reply::answered,
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
        let Ok(sent) = self.receive(place.sent, request, payload).await else { return Ok(None) };
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
}
