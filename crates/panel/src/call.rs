//! What a page works with: a request within its limits, of somebody who may make it.

use std::sync::Arc;

use accounts::{Entry, Right, SavedView, SignedIn, Theme, Token, Visit};
use actix_web::web::{Data, block};
use aws_lc_rs::digest::{SHA256, digest};
use cfdi::catalogs::{postal_codes, zones::Zone};
use intake::{Faults, Form, Unreadable};
use invoices::{InvoiceId, OrderId};
use kernel::{
    AccountId, Actor, Ctx, FieldFault, Idempotency, Language, Timestamp, threads::give_way,
};
use tokio::sync::Semaphore;

use crate::{
    Panel, Services,
    answer::Answer,
    around::{Around, CREDITS, opens},
    csrf::{self, Seed},
    failure::Failure,
    form::{REPLACES, Sent, Values},
    format::signed,
    layout::{Frame, NavGroup, NavLink, Place, Sheet, Unsent, drawn},
    list::{self, encoded},
    multipart::Upload,
    page::Group,
    parking::{Kept, Offer, Restored},
    parts::{ButtonForm, Field, FormPart, Link, Views},
    router::Parameters,
    texts::{self, Say},
};

/// Somebody who has signed in.
#[derive(Clone)]
pub(crate) struct Person(pub(crate) SignedIn);

/// Somebody who has signed in, in one of their accounts.
#[derive(Clone)]
pub(crate) struct Member {
    pub(crate) person: Person,
    pub(crate) entry: Entry,
    /// What was read for what stands around the page.
    pub(crate) around: Around,
}

/// A request: of a member, of a person, or of anybody where `W` is `()`.
pub(crate) struct Call<W> {
    pub(crate) panel: Data<Panel>,
    pub(crate) who: W,
    pub(crate) language: Language,
    /// When and from where it came.
    pub(crate) visit: Visit,
    /// The path and query that it asked for.
    pub(crate) target: String,
    /// Whether a script asks for what is in the frame of the page alone.
    pub(crate) is_fragment: bool,
    /// How the browser reached the service: scheme and host.
    pub(crate) origin: String,
    /// The declared path of the page, for telling operations apart.
    pub(crate) page: &'static str,
    pub(crate) parameters: Parameters,
    pub(crate) query: Values,
    pub(crate) sent: Sent,
    /// A file that is still on its way.
    pub(crate) upload: Option<Upload>,
    pub(crate) seed: Seed,
    /// The cookie of a session, believed or not.
    pub(crate) token: Option<Token>,
    /// Which page a form comes from, as the browser says.
    pub(crate) referrer: String,
    /// What is known of forms that were not sent.
    pub(crate) kept: Kept,
}

impl<W> Call<W> {
    /// The services.
    pub(crate) fn services(&self) -> &Services {
        &self.panel.services
    }

    /// What says things in the reader's language.
    pub(crate) fn say(&self) -> Say {
        Say(self.language)
    }

    /// By which it is found in the log.
    pub(crate) fn request_id(&self) -> &str {
        self.visit.trace.request_id.as_deref().unwrap_or_default()
    }

    /// When it came.
    pub(crate) fn now(&self) -> Timestamp {
        self.visit.now
    }

    /// What stands in the place of a name in the path.
    pub(crate) fn parameter(&self, name: &str) -> &str {
        let found = self.parameters.iter().find(|(known, _)| *known == name);
        found.map_or("", |(_, text)| text.as_str())
    }

    /// What a form carries: what proves that it is ours, and what makes sending it twice the same as once.
    pub(crate) fn tokens(&self) -> (String, String) {
        let once = self.sent.once.clone().or_else(csrf::random);
        (self.seed.token(), once.unwrap_or_default())
    }

    /// The same of the form that is sent to a path: of one that is shown as it was filled in, what it carried then, as long as
    /// that makes sending it twice the same as once.
    pub(crate) fn tokens_for(&self, action: &str) -> (String, String) {
        let (csrf, once) = self.tokens();
        let restored = self.restored(action).filter(|restored| restored.is_sure);
        (csrf, restored.map_or(once, |restored| restored.once.clone()))
    }

    /// Which kept form the one that is sent to a path takes the place of, where it is sent under another key.
    pub(crate) fn replacing(&self, action: &str) -> Option<String> {
        let restored = self.restored(action).filter(|restored| !restored.is_sure);
        let is_sent_again = self.target.split('?').next() == Some(action);
        restored
            .map(|restored| restored.once.clone())
            .or_else(|| self.sent.replaces.clone().filter(|_| is_sent_again))
    }

    /// What the form that is sent to a path is filled in with again, if it is shown as it was.
    pub(crate) fn restored(&self, action: &str) -> Option<&Restored> {
        self.kept.restored(action)
    }

    /// Where the form that is sent to a path is kept while it is filled in, if it may be.
    pub(crate) fn keeping(&self, action: &str) -> Option<String> {
        self.kept.place(&self.panel.inside, action)
    }

    /// What tells the form that was sent from all others, if it has an idempotency key: whose browser, where it is sent, what
    /// is in it.
    pub(crate) fn mark(&self) -> Option<String> {
        let once = self.sent.once.as_ref()?;
        let (page, body) = (self.page.as_bytes(), self.stable_body());
        let parts = [self.seed.mark(), once.as_bytes(), page, body.as_slice()];
        Some(hex::encode(digest(&SHA256, &parts.join(&b'\n'))))
    }

    /// What was sent without the form's token, which is another one for each page.
    fn stable_body(&self) -> Vec<u8> {
        let target = self.target.as_bytes().iter().chain(b"\n");
        let mut body: Vec<u8> = target.chain(self.sent.filled().as_bytes()).copied().collect();
        for (name, bytes) in self.sent.files() {
            body.push(b'\n');
            body.extend_from_slice(name.as_bytes());
            body.push(b'\n');
            body.extend_from_slice(digest(&SHA256, bytes).as_ref());
        }
        body
    }

    /// Where the public reaches the service, as it was set or else as the browser did.
    pub(crate) fn public_url(&self) -> &str {
        self.panel.settings.public_url.as_deref().unwrap_or(&self.origin)
    }

    /// What was sent with a form, or what is wrong with it.
    pub(crate) fn read<T>(&self, form: &Form<T>) -> Result<Result<T, Faults>, Failure> {
        match self.sent.read(form) {
            Ok(value) => Ok(Ok(value)),
            Err(Unreadable::Faulty(faults)) => Ok(Err(faults)),
            Err(unreadable) => Err(unreadable.into()),
        }
    }

    /// The version of what the form that was sent is about, as its page has shown it.
    pub(crate) fn seen_version(&self) -> Option<i64> {
        self.sent.values().filled("version").and_then(|text| text.parse().ok())
    }

    /// A form that is sent to this place.
    pub(crate) fn form(
        &self,
        action: impl Into<String>,
        fields: Vec<Field>,
        submit: impl Into<String>,
        faults: &[FieldFault],
    ) -> FormPart {
        let form = self.unjudged(action, fields, submit);
        form.faulty(self.say().problems(), faults, self.language)
    }

    /// The same before it is said what is wrong with it.
    pub(crate) fn unjudged(
        &self,
        action: impl Into<String>,
        fields: Vec<Field>,
        submit: impl Into<String>,
    ) -> FormPart {
        let action: String = action.into();
        let (tokens, keeping) = (self.tokens_for(&action), self.keeping(&action));
        let values = self.restored(&action).map(|restored| restored.values.clone());
        let replacing = self.replacing(&action);
        let form = FormPart::new(self.leading_back(action), tokens, fields, submit);
        let form = form.kept(keeping, values);
        match replacing {
            Some(once) => form.hidden(REPLACES, once),
            None => form,
        }
    }

    /// Where a form is sent that still leads back to the invoice that something is to be corrected for.
    fn leading_back(&self, action: String) -> String {
        match self.query.filled("back") {
            Some(id) if waiting(id).is_some() && !action.contains('?') => {
                format!("{action}?back={}", encoded(id))
            }
            _ => action,
        }
    }

    /// A form that changes what is saved as these values by now: what was filled in over an earlier version stays, beside
    /// what is saved, and is sent over that the next time.
    pub(crate) fn over(&self, form: FormPart, now: &Values) -> FormPart {
        form.over(self.say(), self.sent.values(), now)
    }

    /// What `work` computes, where that keeps nobody else waiting; only some of it at a time.
    pub(crate) async fn computed<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        self.in_turn(&self.panel.computing, work).await
    }

    /// The same of a look at a file, which keeps no computation waiting.
    pub(crate) async fn looked<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        self.in_turn(&self.panel.looking, work).await
    }

    async fn in_turn<T: Send + 'static>(
        &self,
        turns: &Arc<Semaphore>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let ended = || Failure::Internal("a computation ended without an outcome".to_owned());
        let turn = Arc::clone(turns).acquire_owned().await;
        let turn = turn.map_err(|_| ended())?;
        // The turn is held for as long as it computes, also when nobody waits for it any more.
        let outcome = block(move || {
            give_way();
            let value = work();
            drop(turn);
            value
        });
        outcome.await.map_err(|_| ended())
    }

    /// A button that does something at once; each is another form, also on one page.
    pub(crate) fn button(&self, action: impl Into<String>, label: &'static str) -> ButtonForm {
        let tokens = (self.seed.token(), csrf::random().unwrap_or_default());
        ButtonForm::new(action.into(), label, tokens)
    }

    /// Whether browsers reach the panel over HTTPS.
    pub(crate) fn is_https(&self) -> bool {
        self.panel.is_https()
    }

    fn done(&self) -> Option<&'static str> {
        self.query.get("did").and_then(|word| texts::done(self.say(), word))
    }
}

impl Call<()> {
    /// A page without anything around it.
    pub(crate) fn page(&self, sheet: Sheet) -> Answer {
        drawn(&Frame { done: self.done(), ..Frame::bare(self.say()) }, sheet)
    }
}

impl Person {
    /// The name of the theme that they have chosen.
    pub(crate) fn theme(&self) -> Option<&'static str> {
        match self.0.user.theme {
            Theme::System => None,
            chosen @ (Theme::Light | Theme::Dark) => Some(chosen.name()),
        }
    }
}

impl Call<Person> {
    /// A page of theirs.
    pub(crate) fn page(&self, sheet: Sheet) -> Answer {
        let frame = framed(self, &self.who);
        drawn(&Frame { done: self.done(), ..frame }, sheet)
    }
}

/// The page of the invoice that something is to be corrected for: a draft, or one that is to be made of an order.
fn waiting(id: &str) -> Option<String> {
    let draft = || InvoiceId::parse(id).map(|id| format!("invoices/{id}/edit"));
    let order = || OrderId::parse(id).map(|id| format!("invoices/new?order={id}"));
    draft().or_else(order)
}

/// The operation of a form that is sent to a declared path: its idempotency key counts within it.
pub(crate) fn operation(page: &str) -> String {
    format!("POST /panel/{page}")
}

/// What stands around pages of somebody.
fn framed<'a, W>(call: &Call<W>, person: &'a Person) -> Frame<'a> {
    Frame {
        theme: person.theme(),
        is_compact: person.0.user.density == accounts::Density::Compact,
        has_shortcuts: person.0.user.shortcuts,
        person: Some(&person.0.user.name),
        csrf: call.seed.token(),
        ..Frame::bare(call.say())
    }
}

impl Call<Member> {
    /// The account.
    pub(crate) fn account(&self) -> AccountId {
        self.who.entry.account.id
    }

    /// Whether the member has a right.
    pub(crate) fn may(&self, right: Right) -> bool {
        self.who.entry.role.allows(right)
    }

    /// Where a page of the account lies.
    pub(crate) fn href(&self, path: &str) -> String {
        format!("/panel/{}/{path}", self.who.entry.slug)
    }

    /// To another page of the account, which says what was done; back to the invoice that something was to be corrected
    /// for, if that led here.
    pub(crate) fn done_at(&self, path: &str, word: &str) -> Answer {
        let back = self.query.filled("back").and_then(waiting);
        let place = self.href(back.as_deref().unwrap_or(path));
        let separator = if place.contains('?') { '&' } else { '?' };
        Answer::see(&format!("{place}{separator}did={word}"))
    }

    /// The circumstances of a command; the same form sent twice is carried out once.
    pub(crate) fn ctx(&self) -> Ctx {
        let idempotency = self.sent.once.clone().map(|once| Idempotency {
            operation: operation(self.page),
            key: once,
            digest: hex::encode(digest(&SHA256, &self.stable_body())),
        });
        Ctx {
            account: self.account(),
            now: self.now(),
            idempotency,
            actor: Actor::User(self.who.person.0.user.id),
            trace: Some(Arc::clone(&self.visit.trace)),
        }
    }

    /// The time zone of the account: that of its tax address, or of most of the country.
    pub(crate) fn zone(&self) -> Zone {
        let place = self.who.entry.tax_zip.as_deref();
        place.and_then(postal_codes::find).map_or(Zone::Central, |code| code.zone())
    }

    /// A page of the account.
    pub(crate) fn page(&self, sheet: Sheet) -> Answer {
        if self.is_fragment {
            return sheet.alone();
        }
        let Member { person, entry, around } = &self.who;
        let sheet = match &around.views {
            Some(views) => self.list(sheet, views),
            None => sheet,
        };
        let place = Place {
            name: &entry.account.name,
            home: self.href(""),
            is_test: entry.account.test_of.is_some(),
            credits: around.credits.map(|credits| {
                Link::new(self.say().so_many_credits(&signed(credits)), self.href(CREDITS))
            }),
            groups: self.navigation(around),
        };
        let frame = framed(self, person);
        let unsent = self.unsent();
        drawn(&Frame { done: self.done(), account: Some(place), unsent, ..frame }, sheet)
    }

    /// The forms of the page that were not sent.
    fn unsent(&self) -> Vec<Unsent> {
        let restored = self.kept.restored.as_ref().map(|restored| restored.once.as_str());
        let unsent = |offer: &Offer| {
            let is_shown = restored == Some(offer.once.as_str());
            let say = self.say();
            Unsent {
                text: match (is_shown, offer.is_sure) {
                    (true, true) => say.restored(&offer.at),
                    (true, false) => say.restored_unsure(&offer.at),
                    (false, _) => say.unsent(&offer.at),
                },
                restore: (!is_shown).then(|| self.kept.restoring(offer)),
                discard: self.button(self.kept.discarding(offer), say.discard_form()),
            }
        };
        self.kept.offers.iter().map(unsent).collect()
    }

    /// A list, with the member's views of it and the way to all of it as a table.
    fn list(&self, sheet: Sheet, views: &[SavedView]) -> Sheet {
        let (say, path, place) = (self.say(), self.href(self.page), self.href("views"));
        let narrowed = list::narrowed(&self.query);
        let form = (!narrowed.is_empty()).then(|| {
            let name = Field::text("name", say.name(), &Values::default()).hint(say.view_hint());
            let form = self.form(place.as_str(), vec![name], say.save_view(), &[]);
            form.hidden("list", self.page).hidden("query", narrowed.as_str())
        });
        let table = list::filtered(&format!("{path}.csv"), &self.query);
        let sheet = sheet.quiet(say.export_csv(), table);
        // Where there is nothing to be saved and nothing that was.
        if views.is_empty() && narrowed.is_empty() {
            return sheet;
        }
        let views =
            Views::new(say, (path.as_str(), place.as_str()), (views, narrowed.as_str()), form);
        sheet.views(&views)
    }

    /// The pages that the member may open, in groups.
    fn navigation(&self, around: &Around) -> Vec<NavGroup> {
        let links = |group: Group| {
            let of_group = self.panel.inside.iter().filter_map(move |page| {
                let nav =
                    page.nav.filter(|nav| nav.group == group && opens(&self.who.entry, page))?;
                Some(NavLink {
                    label: (nav.label)(self.say()),
                    href: self.href(page.path),
                    icon: nav.icon,
                    key: nav.key,
                    waiting: nav.waiting.and_then(|what| around.figure(self.say(), what)),
                    is_current: self.is_within(page.path),
                })
            });
            of_group.collect::<Vec<_>>()
        };
        let groups = Group::EVERY
            .iter()
            .map(|group| NavGroup { label: group.label(self.say()), links: links(*group) });
        groups.filter(|group| !group.links.is_empty()).collect()
    }

    /// Whether the page that is shown is this one or below it.
    fn is_within(&self, path: &str) -> bool {
        match self.page.strip_prefix(path) {
            Some("") => true,
            Some(rest) => !path.is_empty() && rest.starts_with('/'),
            None => false,
        }
    }
}
