//! From request to response: the one way that every request takes.

mod keeping;

use std::{
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
    time::{Duration, Instant},
};

use accounts::{Token, Visit};
use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        self,
        header::{
            ACCEPT_ENCODING, ACCEPT_LANGUAGE, CONTENT_TYPE, HOST, HeaderName, HeaderValue, REFERER,
            USER_AGENT,
        },
    },
    web::{Data, Payload},
};
use kernel::{
    Language, Trace, message,
    network::{ClientNetwork, client_address},
    preferred, request_id,
};
use payments::card_data;
use tokio::time::timeout;

use crate::{
    Panel,
    answer::Answer,
    around::Around,
    assets,
    call::{Call, Member, Person},
    cookies::{self, Kind},
    csrf::{self, Seed},
    failure::Failure,
    form::{Sent, Values},
    list::encoded,
    multipart::{self, Upload},
    origin,
    page::{Method, Opens, Page},
    parking::{self, Kept},
    repeats,
    reply::answered,
    router::{self, Found, Parameters},
    timing,
};

/// The most bytes of a form.
const BODY_BYTES_MAX: usize = 65_536;
/// How long the whole of a large file may take to come.
const UPLOAD_TIME: Duration = Duration::from_secs(60 * 60);
const X_FORWARDED_FOR: &str = "x-forwarded-for";
const X_REQUEST_ID: &str = "x-request-id";
/// Says that a script asks, which wants no more than what is in the frame of the page.
const HX_REQUEST: &str = "hx-request";
const SERVER_TIMING: &str = "server-timing";
/// Whom a request without a peer address (over a Unix socket) is counted for.
const NO_PEER: IpAddr = IpAddr::V6(Ipv6Addr::UNSPECIFIED);

/// Answers a request.
pub(crate) async fn serve(
    panel: Data<Panel>,
    request: HttpRequest,
    payload: Payload,
) -> HttpResponse {
    let arrived = Instant::now();
    let mut asked = Asked::of(panel, &request);
    let patience = asked.patience();
    let answering = timing::measured(timeout(patience, asked.answer(&request, payload)));
    let (outcome, waited) = answering.await;
    let late = |_| Err(Failure::Unavailable("a page was not answered in time".to_owned()));
    let outcome = outcome.unwrap_or_else(late);
    let answer = match outcome {
        Ok(answer) => answer,
        Err(failure) => asked.failed(&failure),
    };
    let answer = match &asked.new_visitor {
        Some(token) if !answer.is_kept() => {
            answer.cookie(&cookies::set(Kind::Visitor, token, asked.panel.is_https()))
        }
        _ => answer,
    };
    let encodings = header(&request, ACCEPT_ENCODING.as_str());
    let takes_gzip = encodings.is_some_and(|value| value.contains("gzip"));
    let status = answer.status.as_u16();
    let micros = u64::try_from(arrived.elapsed().as_micros()).unwrap_or(u64::MAX);
    let request_id = asked.request_id();
    tracing::info!(request_id, page = asked.page, status, micros, client = %asked.client, "panel");
    let answer = answer.with(HeaderName::from_static(X_REQUEST_ID), request_id);
    let mut response = answer.respond(asked.language, takes_gzip);
    // Strangers could learn from it what answers say to nobody.
    if asked.is_known
        && let Ok(value) = HeaderValue::from_str(&timing::header(arrived.elapsed(), waited))
    {
        response.headers_mut().insert(HeaderName::from_static(SERVER_TIMING), value);
    }
    response
}

/// A request, and what is known of whoever makes it.
struct Asked {
    panel: Data<Panel>,
    client: IpAddr,
    visit: Visit,
    language: Language,
    /// The path and query.
    target: String,
    /// The path below `/panel/`.
    path: String,
    is_post: bool,
    is_fragment: bool,
    origin: String,
    referrer: String,
    page: &'static str,
    /// The cookie of a session, believed or not.
    token: Option<Token>,
    seed: Seed,
    /// A cookie to be given to a browser that has none.
    new_visitor: Option<String>,
    /// Where the form that was sent is shown again, if it was kept instead of being carried out.
    kept: Option<String>,
    /// Whether it is of somebody who has signed in.
    is_known: bool,
    /// The first page of the account, if it is of a member.
    home: Option<String>,
}

impl Asked {
    fn of(panel: Data<Panel>, request: &HttpRequest) -> Self {
        let is_https = panel.is_https();
        let client = client_of(request, &panel);
        let languages = request.headers().get_all(ACCEPT_LANGUAGE);
        let language = match request.headers().contains_key(ACCEPT_LANGUAGE) {
            true => preferred::language(languages.filter_map(|value| value.to_str().ok())),
            // The readers are in Mexico.
            false => Language::Spanish,
        };
        let session = cookies::read(request, Kind::Session, is_https);
        let visitor = cookies::read(request, Kind::Visitor, is_https);
        let new_visitor = match (&session, &visitor) {
            (None, None) => csrf::random(),
            _ => None,
        };
        let own = session.as_ref().or(visitor.as_ref()).or(new_visitor.as_ref());
        let seed = Seed::of(own.map_or("", String::as_str));
        let trace = Trace {
            address: Some(client),
            request_id: Some(request_id(header(request, X_REQUEST_ID))),
        };
        let visit = Visit {
            now: panel.clock.now().to_millis(),
            trace: Arc::new(trace),
            user_agent: header(request, USER_AGENT.as_str()).unwrap_or_default().to_owned(),
        };
        let path = request.match_info().get("tail").unwrap_or_default().to_owned();
        let target = request.uri().path_and_query().map_or("/panel", |target| target.as_str());
        Self {
            client,
            visit,
            language,
            target: target.to_owned(),
            path,
            is_post: *request.method() == http::Method::POST,
            is_fragment: request.headers().contains_key(HX_REQUEST),
            origin: origin_of(request, is_https),
            referrer: header(request, REFERER.as_str()).unwrap_or_default().to_owned(),
            page: "",
            kept: None,
            token: session.as_deref().and_then(Token::parse),
            seed,
            new_visitor,
            is_known: false,
            home: None,
            panel,
        }
    }

    async fn answer(&mut self, request: &HttpRequest, payload: Payload) -> Result<Answer, Failure> {
        let method = match *request.method() {
            http::Method::GET | http::Method::HEAD => Method::Get,
            http::Method::POST => Method::Post,
            _ => return Err(Failure::OtherMethod("GET, HEAD, POST")),
        };
        // No database takes it, and no path has it.
        if self.path.contains('\0') {
            return Err(Failure::Nothing);
        }
        let panel = self.panel.clone();
        match router::find(&panel.outside, method, &self.path) {
            Found::OtherMethod => return Err(method.other()),
            Found::Page(page, parameters) => {
                self.page = page.path;
                return self.outside(page, parameters, request, payload).await;
            }
            Found::Nothing => {}
        }
        self.inside(method, request, payload).await
    }

    /// A page without an account.
    async fn outside(
        &mut self,
        page: &Page,
        parameters: Parameters,
        request: &HttpRequest,
        payload: Payload,
    ) -> Result<Answer, Failure> {
        match &page.opens {
            Opens::Anybody(run) => {
                // Whoever comes for the first time takes several files, once.
                if page.path != assets::PATH {
                    self.limit_visitor()?;
                }
                let sent = self.receive(page, request, payload).await?;
                repeats::once(self.call((), page, parameters, sent), run).await
            }
            Opens::Person(run) => {
                let person = self.person().await?;
                let sent = self.receive(page, request, payload).await?;
                self.judge_gravity(page, &person)?;
                repeats::once(self.call(person, page, parameters, sent), run).await
            }
            Opens::Member(..) => Err(Failure::Nothing),
        }
    }

    /// A page of the account that the path begins with.
    async fn inside(
        &mut self,
        method: Method,
        request: &HttpRequest,
        payload: Payload,
    ) -> Result<Answer, Failure> {
        let (slug, rest) = match self.path.split_once('/') {
            Some((slug, rest)) => (slug.to_owned(), rest.to_owned()),
            None => (self.path.clone(), String::new()),
        };
        let person = match self.person().await {
            Err(Failure::SignedOut) if method == Method::Post => {
                let kept = self.keep_of_ended(&slug, &rest, request, payload).await;
                if let Err(failure) = &kept {
                    failure.log(self.request_id());
                }
                self.kept = kept.ok().flatten();
                return Err(Failure::SignedOut);
            }
            person => person?,
        };
        let user = person.0.user.id;
        let entry = answered(self.panel.services.team.entry(user, slug)).await?;
        let entry = entry.ok_or(Failure::Nothing)?;
        (self.panel.services.presence)(entry.account.id);
        self.home = Some(format!("/panel/{}/", entry.slug));
        let panel = self.panel.clone();
        let (page, parameters) = match router::find(&panel.inside, method, &rest) {
            Found::Page(page, parameters) => (page, parameters),
            Found::OtherMethod => return Err(method.other()),
            Found::Nothing => return Err(Failure::Nothing),
        };
        self.page = page.path;
        let Opens::Member(right, run) = &page.opens else { return Err(Failure::Nothing) };
        if !entry.role.allows(*right) {
            return Err(Failure::NotAllowed);
        }
        let (sent, upload) = self.receive(page, request, payload).await?;
        let place = match method {
            Method::Get => None,
            Method::Post => parking::place(&panel.inside, &rest),
        };
        if let Err(stale) = self.judge_gravity(page, &person) {
            if let Some(place) = &place {
                self.kept = self.keep((&entry, user), place, &sent, true).await?;
            }
            return Err(stale);
        }
        let keeper = (entry.account.id, user);
        let kept = [sent.once.clone(), sent.replaces.clone()].into_iter().flatten();
        // What was only looked at is still to be sent.
        let is_carried_out = place.is_some() && !sent.is_look();
        let kept: Vec<String> = kept.filter(|_| is_carried_out).collect();
        let has_file = upload.is_some();
        let around = match self.is_fragment || page.path == parking::PATH {
            true => Around::default(),
            false => Around::read(&panel.services, &panel.inside, (user, &entry), page).await?,
        };
        let whole = (sent, upload);
        let mut call = self.call(Member { person, entry, around }, page, parameters, whole);
        call.kept.base = Some(call.href(""));
        if method == Method::Get
            && !self.is_fragment
            && let Err(failure) = parking::find(&mut call, &rest).await
        {
            // The page is shown all the same.
            failure.log(self.request_id());
        }
        let answer = match &place {
            // Another file can come with the same fields, and none makes the next one wait: its page tells files apart itself.
            _ if has_file => run(call).await?,
            Some(_) => repeats::once(call, |call| repeats::once_on_record(call, run)).await?,
            // What is kept every few seconds is another form each time.
            None if page.path == parking::PATH => run(call).await?,
            None => repeats::once(call, run).await?,
        };
        // What was done is done, whether what was kept of the form can be forgotten or not.
        let is_done = !answer.is_unsent && !answer.status.is_client_error();
        for once in kept.into_iter().filter(|_| is_done) {
            if let Err(failure) = parking::forget(&panel.services, keeper, once).await {
                failure.log(self.request_id());
            }
        }
        Ok(answer)
    }

    /// How long the answer may take.
    fn patience(&self) -> Duration {
        let rest = self.path.split_once('/').map_or("", |(_, rest)| rest);
        let found = self.is_post.then(|| router::find(&self.panel.inside, Method::Post, rest));
        match found {
            Some(Found::Page(page, _)) if page.takes_file => UPLOAD_TIME,
            _ => self.panel.settings.request_timeout,
        }
    }

    /// Who has signed in, within the limit of their session.
    async fn person(&mut self) -> Result<Person, Failure> {
        let Some(token) = &self.token else {
            self.limit_visitor()?;
            return Err(Failure::SignedOut);
        };
        // What nobody gave is not looked up without end.
        let client = ClientNetwork::from(self.client);
        self.panel.strangers.peek(&client).map_err(Failure::TooOften)?;
        let people = &self.panel.services.people;
        let found = answered(people.signed_in(token.digest(), self.visit.now)).await?;
        let Some(signed_in) = found.filter(|found| !found.session.owes_code) else {
            self.panel.strangers.check(client).map_err(Failure::TooOften)?;
            self.limit_visitor()?;
            return Err(Failure::SignedOut);
        };
        self.panel.sessions.check(signed_in.session.id).map_err(Failure::TooOften)?;
        if signed_in.session.is_long_unseen(self.visit.now) {
            let (user, session) = (signed_in.user.id, signed_in.session.id);
            drop(people.seen(user, session, self.visit.now));
        }
        self.language = signed_in.user.language.unwrap_or(self.language);
        self.is_known = true;
        Ok(Person(signed_in))
    }

    /// Asks for the password again where much is at stake.
    fn judge_gravity(&self, page: &Page, person: &Person) -> Result<(), Failure> {
        match page.is_grave && !person.0.session.is_authenticated_lately(self.visit.now) {
            true => Err(Failure::Stale),
            false => Ok(()),
        }
    }

    fn limit_visitor(&self) -> Result<(), Failure> {
        let holder = ClientNetwork::from(self.client);
        self.panel.visitors.check(holder).map_err(Failure::TooOften)
    }

    /// The form that was sent, from a page of ours, and the file that is still on its way. What proves the former stands before the
    /// latter.
    async fn receive(
        &self,
        page: &Page,
        request: &HttpRequest,
        payload: Payload,
    ) -> Result<(Sent, Option<Upload>), Failure> {
        if page.method == Method::Get {
            return Ok((Sent::default(), None));
        }
        if !origin::is_own(request, self.panel.settings.public_url.as_deref()) {
            return Err(Failure::Forged);
        }
        let patience = self.panel.settings.request_timeout;
        let kind = header(request, CONTENT_TYPE.as_str());
        let kind = kind.filter(|kind| kind.starts_with("multipart/"));
        let (sent, upload) = match kind {
            Some(kind) if page.takes_file => {
                multipart::begun(kind, payload, (BODY_BYTES_MAX, patience)).await?
            }
            kind => {
                let whole = timeout(patience, whole(kind, payload)).await;
                (whole.map_err(|_| Failure::Malformed(not_a_form()))??, None)
            }
        };
        if !self.seed.made(&sent.csrf) {
            return Err(Failure::Forged);
        }
        match page.is_card_free && sent.texts().any(card_data::is_in) {
            true => Err(Failure::Malformed(no_card_numbers())),
            false => Ok((sent, upload)),
        }
    }

    fn call<W>(
        &self,
        who: W,
        page: &Page,
        parameters: Parameters,
        (sent, upload): (Sent, Option<Upload>),
    ) -> Call<W> {
        let query = self.target.split_once('?').map_or("", |(_, query)| query);
        Call {
            panel: self.panel.clone(),
            who,
            language: self.language,
            visit: self.visit.clone(),
            target: self.target.clone(),
            is_fragment: self.is_fragment,
            origin: self.origin.clone(),
            page: page.path,
            parameters,
            query: Values::of_query(query),
            sent,
            upload,
            seed: self.seed.clone(),
            token: self.token.clone(),
            referrer: self.referrer.clone(),
            kept: Kept::default(),
        }
    }

    /// By which the request is found in the log.
    fn request_id(&self) -> &str {
        self.visit.trace.request_id.as_deref().unwrap_or_default()
    }

    /// What is shown instead of a page.
    fn failed(&self, failure: &Failure) -> Answer {
        failure.log(self.request_id());
        let to = encoded(&self.way_on());
        let told = if self.kept.is_some() { "&did=form.kept" } else { "" };
        match failure {
            Failure::SignedOut => Answer::see(&format!("/panel/sign-in?to={to}{told}")),
            Failure::Stale => Answer::see(&format!("/panel/me/confirm?to={to}{told}")),
            _ => {
                let start = self.home.as_deref().unwrap_or("/panel");
                failure.page(self.language, self.request_id(), start)
            }
        }
    }
}

/// A form that is as small as most.
async fn whole(multipart: Option<&str>, payload: Payload) -> Result<Sent, Failure> {
    let body = payload.to_bytes_limited(BODY_BYTES_MAX).await;
    let body = body.map_err(|_| Failure::TooLarge)?;
    let body = body.map_err(|_| Failure::Malformed(not_a_form()))?;
    match multipart {
        Some(kind) => multipart::sent(kind, body).await,
        None => {
            let text = std::str::from_utf8(&body);
            Ok(Sent::of(text.map_err(|_| Failure::Malformed(not_a_form()))?))
        }
    }
}

fn no_card_numbers() -> kernel::Message {
    message!(
        "The form holds what looks like the number of a payment card; nothing of it was kept. Card numbers are entered only with the provider: go back, remove it and send the form again.",
        "El formulario contiene lo que parece el número de una tarjeta; no se guardó nada. Los números de tarjeta solo se \
         capturan con el proveedor: regresa, quítalo y envía el formulario de nuevo."
    )
}

fn not_a_form() -> kernel::Message {
    message!("the form must be UTF-8 text", "el formulario debe ser texto UTF-8")
}

fn header<'a>(request: &'a HttpRequest, name: &str) -> Option<&'a str> {
    request.headers().get(name).and_then(|value| value.to_str().ok())
}

/// Whose request it is.
fn client_of(request: &HttpRequest, panel: &Panel) -> IpAddr {
    let peer = request.peer_addr().map_or(NO_PEER, |peer| peer.ip());
    let lines = request.headers().get_all(X_FORWARDED_FOR);
    let lines: Vec<_> = lines.map(|line| line.to_str().unwrap_or("illegible")).collect();
    client_address(peer, lines.into_iter(), &panel.settings.trusted_proxies)
}

/// How the browser reached the service.
fn origin_of(request: &HttpRequest, is_https: bool) -> String {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b".-:[]".contains(&b);
    let host = header(request, HOST.as_str());
    let host = host.or_else(|| request.uri().authority().map(|it| it.as_str()));
    let host = host.filter(|host| !host.is_empty() && host.bytes().all(is_plain));
    let scheme = if is_https { "https" } else { "http" };
    format!("{scheme}://{}", host.unwrap_or("localhost:8080"))
}
