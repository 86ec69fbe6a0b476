//! A browser without script: it keeps cookies, follows redirects, and sends forms as they were shown.

use std::{cell::RefCell, collections::BTreeMap, thread};

use accounts::{Accounts, NewUser, Password, People, Purpose, Role, UserOffice};
use kernel::{Actor, Ctx};
use testkit::{App, Client, Reply};

pub(super) const PASSWORD: &str = "siete caballos en la azotea";
pub(super) const EMAIL: &str = "ana@shop.example";

/// What stands between the parts of a form with files.
const BOUNDARY: &str = "----trastienda";
const URLENCODED: &str = "application/x-www-form-urlencoded";

/// A browser.
pub(super) struct Browser {
    client: Client,
    origin: String,
    cookies: RefCell<BTreeMap<String, String>>,
}

impl Browser {
    /// One that has never been here, and reads Spanish.
    pub(super) fn new(app: &App) -> Self {
        Self { client: app.anonymous(), origin: app.origin(), cookies: RefCell::default() }
    }

    /// That of the first user, who has signed up by the link that the service prints, with the path of the account.
    pub(super) fn of_owner(app: &App) -> (Self, String) {
        let (browser, account, _) = Self::signed_up(app);
        (browser, account)
    }

    /// The same, with the path of the link.
    pub(super) fn signed_up(app: &App) -> (Self, String, String) {
        let browser = Self::new(app);
        let link = app.store().issue_link(Purpose::SetUp, app.now());
        let token = link.wait().unwrap().unwrap().value.token;
        let page = format!("/panel/setup/{}", token.reveal());
        let mut fields = vec![("name", "Ana"), ("email", EMAIL), ("password", PASSWORD)];
        if browser.get(&page).text.contains("accountName") {
            fields.push(("accountName", "Flores del Sur"));
        }
        let entered = browser.send(&page, &page, &fields);
        assert_eq!(
            (entered.status, entered.header("location")),
            (303, Some("/panel")),
            "{}",
            entered.text
        );
        let chosen = browser.get("/panel");
        let account =
            chosen.header("location").unwrap_or_else(|| panic!("{}", chosen.text)).to_owned();
        assert!(app.store().has_users().wait().unwrap().unwrap());
        (browser, account, page)
    }

    /// That of a member of the owner's account, who has signed in.
    pub(super) fn of_member(app: &App, role: Role) -> Self {
        let accounts = app.store().list_accounts().wait().unwrap().unwrap();
        let account = accounts.iter().find(|one| one.name == "Flores del Sur").unwrap().id;
        let email = format!("{}@shop.example", role.name());
        let user = NewUser {
            name: role.name().to_owned(),
            email: email.clone(),
            password: Password::new(PASSWORD),
            language: None,
            account_name: None,
        };
        let ctx = Ctx::system(account, app.now()).by(Actor::Operator("test".into()));
        let _ = app.store().add_user(ctx, user, role).wait().unwrap().unwrap();
        let browser = Self::new(app);
        let door = "/panel/sign-in";
        let entered = browser.send(door, door, &[("email", &email), ("password", PASSWORD)]);
        assert_eq!(entered.status, 303, "{}", entered.text);
        browser
    }

    /// The same one, for which another service answers.
    pub(super) fn at(&self, app: &App) -> Self {
        let cookies = self.cookies.clone();
        Self { client: self.client.at(app), origin: app.origin(), cookies }
    }

    /// Reads a page.
    pub(super) fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, None, &[])
    }

    /// Reads what is in the frame of a page, as the script of a page does.
    pub(super) fn get_fragment(&self, path: &str) -> Reply {
        self.ask("GET", path, None, &[("HX-Request", "true")])
    }

    /// Reads a page that there must be.
    #[track_caller]
    pub(super) fn read(&self, path: &str) -> String {
        let reply = self.get(path);
        assert_eq!(reply.status, 200, "{path}: {} {:?}", reply.text, reply.header("location"));
        reply.text
    }

    /// Opens a page and sends a form of it to `action`. Where it leads elsewhere, a second click leads there, too.
    #[track_caller]
    pub(super) fn send(&self, page: &str, action: &str, fields: &[(&str, &str)]) -> Reply {
        let shown = self.get(page);
        let csrf = hidden(&shown.text, "csrf").unwrap_or_else(|| panic!("{page}: {}", shown.text));
        let once = hidden(&shown.text, "once").unwrap_or_default();
        let tokens = [("csrf", csrf.as_str()), ("once", once.as_str())];
        let fields: Vec<_> = tokens.into_iter().chain(fields.iter().copied()).collect();
        let before = self.cookies();
        let reply = self.post(action, &fields);
        if reply.status == 303 && !once.is_empty() {
            // Who clicks twice has not been given anything by then.
            let now = self.cookies.replace(before);
            let again = self.post(action, &fields);
            let _ = self.cookies.replace(now);
            let led = |reply: &Reply| (reply.status, reply.header("location").map(str::to_owned));
            assert_eq!(led(&again), led(&reply), "{action}, sent again: {}", again.text);
        }
        reply
    }

    /// Sends forms to a place, all at once.
    pub(super) fn post_at_once(&self, path: &str, forms: &[Vec<(&str, &str)>]) -> Vec<Reply> {
        let asking = |fields: &Vec<(&str, &str)>| {
            let body = Some((URLENCODED, urlencoded(fields)));
            self.asking("POST", path, body, &[("Origin", &self.origin)])
        };
        let asking: Vec<_> = forms.iter().map(asking).collect();
        thread::scope(|scope| {
            let sent: Vec<_> = asking.into_iter().map(|ask| scope.spawn(ask)).collect();
            sent.into_iter().map(|one| one.join().unwrap()).collect()
        })
    }

    /// Opens a page and sends a form of it with files to `action`.
    #[track_caller]
    pub(super) fn send_files(
        &self,
        page: &str,
        action: &str,
        fields: &[(&str, &str)],
        files: &[(&str, &[u8])],
    ) -> Reply {
        let shown = self.get(page);
        let token = |name: &str| hidden(&shown.text, name).unwrap_or_default();
        let (csrf, once) = (token("csrf"), token("once"));
        let tokens = [("csrf", csrf.as_str()), ("once", once.as_str())];
        let fields: Vec<_> = tokens.into_iter().chain(fields.iter().copied()).collect();
        self.post_files(action, &fields, files)
    }

    /// Sends these fields and files, and no others, from a page of the panel.
    pub(super) fn post_files(
        &self,
        action: &str,
        fields: &[(&str, &str)],
        files: &[(&str, &[u8])],
    ) -> Reply {
        let mut body = Vec::new();
        for (name, text) in fields {
            let head = format!("Content-Disposition: form-data; name=\"{name}\"");
            body.extend(format!("--{BOUNDARY}\r\n{head}\r\n\r\n{text}\r\n").into_bytes());
        }
        for (name, bytes) in files {
            let head =
                format!("Content-Disposition: form-data; name=\"{name}\"; filename=\"{name}.bin\"");
            let kind = "Content-Type: application/octet-stream";
            body.extend(format!("--{BOUNDARY}\r\n{head}\r\n{kind}\r\n\r\n").into_bytes());
            body.extend_from_slice(bytes);
            body.extend_from_slice(b"\r\n");
        }
        body.extend(format!("--{BOUNDARY}--\r\n").into_bytes());
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        self.ask("POST", action, Some((kind.as_str(), body)), &[("Origin", &self.origin)])
    }

    /// Sends these fields and no others, from a page of the panel.
    pub(super) fn post(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        self.post_with(path, fields, &[("Origin", &self.origin)])
    }

    /// Sends these fields with these headers.
    pub(super) fn post_with(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        headers: &[(&str, &str)],
    ) -> Reply {
        self.ask("POST", path, Some((URLENCODED, urlencoded(fields))), headers)
    }

    /// What proves to come from a page of this browser.
    pub(super) fn csrf(&self, page: &str) -> String {
        let shown = self.get(page).text;
        hidden(&shown, "csrf").unwrap_or_else(|| panic!("{page}: {shown}"))
    }

    /// Its cookies, each by name.
    pub(super) fn cookies(&self) -> BTreeMap<String, String> {
        self.cookies.borrow().clone()
    }

    fn ask(
        &self,
        method: &str,
        path: &str,
        body: Option<(&str, Vec<u8>)>,
        headers: &[(&str, &str)],
    ) -> Reply {
        let reply = self.asking(method, path, body, headers)();
        for cookie in reply.headers_of("set-cookie") {
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.borrow_mut().insert(name.to_owned(), value.to_owned());
        }
        self.cookies.borrow_mut().retain(|_, value| !value.is_empty());
        reply
    }

    /// What asks for something as this browser is known now.
    fn asking(
        &self,
        method: &str,
        path: &str,
        body: Option<(&str, Vec<u8>)>,
        headers: &[(&str, &str)],
    ) -> impl FnOnce() -> Reply + Send + use<> {
        let mut request = self.client.request(method, path).header("Accept-Language", "es-MX");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let cookies = self
            .cookies
            .borrow()
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect::<Vec<_>>();
        if !cookies.is_empty() {
            request = request.header("Cookie", cookies.join("; "));
        }
        if let Some((kind, body)) = body {
            request = request.header("Content-Type", kind).body(body);
        }
        move || Reply::to(request)
    }
}

/// The value of the first hidden field of a name.
pub(super) fn hidden(html: &str, name: &str) -> Option<String> {
    let (_, rest) = html.split_once(&format!("name=\"{name}\" value=\""))?;
    rest.split_once('"').map(|(value, _)| value.to_owned())
}

/// What stands in a text area of an identifier.
pub(super) fn copied(html: &str, id: &str) -> String {
    let area =
        html.split_once(&format!("<textarea id=\"{id}\"")).unwrap_or_else(|| panic!("{html}")).1;
    let (text, _) = area.split_once("</textarea>").unwrap();
    text.split_once('>').unwrap().1.to_owned()
}

fn urlencoded(fields: &[(&str, &str)]) -> Vec<u8> {
    let pairs = fields.iter().map(|(name, text)| format!("{}={}", encoded(name), encoded(text)));
    pairs.collect::<Vec<_>>().join("&").into_bytes()
}

fn encoded(text: &str) -> String {
    let code = |byte: u8| match byte {
        b if b.is_ascii_alphanumeric() => char::from(b).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(code).collect()
}
