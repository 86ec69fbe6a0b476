//! What stands around every page: navigation, heading, messages.

use actix_web::http::StatusCode;
use askama::Template;

use crate::{
    answer::Answer,
    assets,
    markup::Markup,
    parts::{ButtonForm, Link, Pill, Views},
    texts::Say,
};

/// What stands around a page.
pub(crate) struct Frame<'a> {
    pub(crate) say: Say,
    /// `light` or `dark`, where somebody has chosen.
    pub(crate) theme: Option<&'static str>,
    pub(crate) is_compact: bool,
    /// Whether keys of the keyboard do something outside of fields.
    pub(crate) has_shortcuts: bool,
    /// Who has signed in, if anybody.
    pub(crate) person: Option<&'a str>,
    /// The account, if the page is of one.
    pub(crate) account: Option<Place<'a>>,
    pub(crate) csrf: String,
    /// What was just done.
    pub(crate) done: Option<&'static str>,
    /// Forms of the page that were not sent.
    pub(crate) unsent: Vec<Unsent>,
}

/// A form that was not sent.
pub(crate) struct Unsent {
    pub(crate) text: String,
    /// Where it is filled in as it was, unless it is already.
    pub(crate) restore: Option<String>,
    pub(crate) discard: ButtonForm,
}

/// The account that a page is of.
pub(crate) struct Place<'a> {
    pub(crate) name: &'a str,
    pub(crate) home: String,
    pub(crate) is_test: bool,
    /// To what there is for stamping, for who may see that.
    pub(crate) credits: Option<Link>,
    pub(crate) groups: Vec<NavGroup>,
}

/// A group of the navigation.
pub(crate) struct NavGroup {
    pub(crate) label: &'static str,
    pub(crate) links: Vec<NavLink>,
}

/// A line of it.
pub(crate) struct NavLink {
    pub(crate) label: &'static str,
    pub(crate) href: String,
    pub(crate) icon: &'static str,
    /// The key that goes there behind `g`.
    pub(crate) key: &'static str,
    pub(crate) waiting: Option<Figure>,
    pub(crate) is_current: bool,
}

/// How many wait, with what is said of them to who does not see the place of the figure.
pub(crate) struct Figure {
    pub(crate) figure: String,
    pub(crate) told: String,
}

impl Frame<'_> {
    /// Nothing but the page.
    pub(crate) fn bare(say: Say) -> Self {
        Self {
            say,
            theme: None,
            is_compact: false,
            has_shortcuts: true,
            person: None,
            account: None,
            csrf: String::new(),
            done: None,
            unsent: Vec::new(),
        }
    }
}

/// A page without what stands around it.
pub(crate) struct Sheet {
    status: StatusCode,
    title: String,
    pill: Option<Pill>,
    actions: Vec<Link>,
    quiet: Vec<Link>,
    grave: Vec<Link>,
    /// What is done at once by the most important button.
    act: Option<Markup>,
    back: Option<Link>,
    /// The saved views of a list.
    views: Option<Markup>,
    is_wrong: bool,
    /// After how many seconds a browser without script reads the page again.
    again: Option<u32>,
    body: Markup,
}

impl Sheet {
    /// A page with this heading.
    pub(crate) fn new(title: impl Into<String>, body: &impl Template) -> Self {
        Self {
            status: StatusCode::OK,
            title: title.into(),
            pill: None,
            actions: Vec::new(),
            quiet: Vec::new(),
            grave: Vec::new(),
            act: None,
            back: None,
            views: None,
            is_wrong: false,
            again: None,
            body: Markup::of(body),
        }
    }

    /// With another status.
    pub(crate) fn status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// A form that was not accepted, if `is_wrong`.
    pub(crate) fn wrong_if(mut self, is_wrong: bool) -> Self {
        if is_wrong {
            self.status = StatusCode::UNPROCESSABLE_ENTITY;
            self.is_wrong = true;
        }
        self
    }

    /// With the state of what is shown.
    pub(crate) fn pill(mut self, pill: Pill) -> Self {
        self.pill = Some(pill);
        self
    }

    /// With something to do; the first one is the most important.
    pub(crate) fn action(mut self, label: impl Into<String>, href: impl Into<String>) -> Self {
        self.actions.push(Link::new(label, href));
        self
    }

    /// With another way to look at the same, which is never the most important thing to do.
    pub(crate) fn quiet(mut self, label: impl Into<String>, href: impl Into<String>) -> Self {
        self.quiet.push(Link::new(label, href));
        self
    }

    /// With something that takes away what is not easily brought back: it stands last, and is never the most important.
    pub(crate) fn grave(mut self, label: impl Into<String>, href: impl Into<String>) -> Self {
        self.grave.push(Link::new(label, href));
        self
    }

    /// With something to do at a path below a place: what is done most stands first, what takes away last.
    pub(crate) fn offered(self, label: &'static str, place: &str, path: &str) -> Self {
        let href = format!("{place}/{path}");
        match path {
            path if GRAVE.contains(&path) => self.grave(label, href),
            "edit" | "return" => self.quiet(label, href),
            _ => self.action(label, href),
        }
    }

    /// With the saved views of a list above it.
    pub(crate) fn views(mut self, views: &Views) -> Self {
        self.views = Some(Markup::of(views));
        self
    }

    /// Its body without the frame, for a script that puts it into the page that is there.
    pub(crate) fn alone(self) -> Answer {
        Answer::page(self.status, self.body.into_html())
    }

    /// With what is done at once, before all else that there is to do.
    pub(crate) fn act(mut self, act: &ButtonForm) -> Self {
        self.act = Some(Markup::of(act));
        self
    }

    /// Which shows what changes by itself: a browser without script reads it again after so many seconds.
    pub(crate) fn again(mut self, seconds: u32) -> Self {
        self.again = Some(seconds);
        self
    }

    /// With the way back to where it is listed.
    pub(crate) fn back(mut self, label: impl Into<String>, href: impl Into<String>) -> Self {
        self.back = Some(Link::new(label, href));
        self
    }

    /// Its buttons in their order: those that are shown, and those behind a menu.
    fn buttons(&mut self) -> (Vec<Button>, Vec<Button>) {
        let done_at_once = usize::from(self.act.is_some());
        let chief = |place: usize| if place + done_at_once == 0 { "" } else { " plain" };
        let actions = std::mem::take(&mut self.actions).into_iter().enumerate();
        let actions = actions.map(|(place, link)| Button { link, class: chief(place) });
        let of = |links: &mut Vec<Link>, class: &'static str| {
            std::mem::take(links).into_iter().map(move |link| Button { link, class })
        };
        let quiet = of(&mut self.quiet, " plain");
        let grave = of(&mut self.grave, " plain grave");
        let mut shown: Vec<_> = actions.chain(quiet).chain(grave).collect();
        if shown.len() + done_at_once <= BUTTONS_MAX {
            return (shown, Vec::new());
        }
        let more = shown.split_off(BUTTONS_MAX - 1 - done_at_once);
        (shown, more)
    }
}

/// What is done below these paths is never the most important thing to do.
const GRAVE: &[&str] = &["cancel", "close", "delete", "refund", "remove", "revoke"];
/// How many buttons a heading has beside it; more of them are behind the last one.
const BUTTONS_MAX: usize = 4;

/// A way from the heading, and how it looks.
struct Button {
    link: Link,
    class: &'static str,
}

#[derive(Template)]
#[template(path = "layout.html", whitespace = "minimize")]
struct Layout<'a> {
    say: Say,
    frame: &'a Frame<'a>,
    sheet: Sheet,
    buttons: Vec<Button>,
    more: Vec<Button>,
    style: &'static str,
    script: &'static str,
    icons: &'static str,
    font: &'static str,
}

/// A whole page.
pub(crate) fn drawn(frame: &Frame<'_>, mut sheet: Sheet) -> Answer {
    let (style, script) = (assets::style(), assets::script());
    let (icons, font) = (assets::icons(), assets::font());
    let status = sheet.status;
    let (buttons, more) = sheet.buttons();
    let say = frame.say;
    let html = Markup::of(&Layout { say, frame, sheet, buttons, more, style, script, icons, font });
    Answer::page(status, html.into_html())
}
