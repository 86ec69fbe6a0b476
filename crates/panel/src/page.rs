//! The declaration of a page: one value that mounts it, guards it, and lists it in the navigation.

use std::{future::Future, pin::Pin};

use accounts::Right;

use crate::{
    answer::Answer,
    call::{Call, Member, Person},
    failure::Failure,
    texts::Say,
};

/// The answer under way; it stays on the thread that received the request.
pub(crate) type Answering = Pin<Box<dyn Future<Output = Result<Answer, Failure>>>>;
/// What answers a page.
pub(crate) type Run<W> = Box<dyn Fn(Call<W>) -> Answering + Send + Sync>;

/// Whether a page is read or sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Get,
    Post,
}

impl Method {
    /// Why there is no page where one takes the other method alone.
    pub(crate) const fn other(self) -> Failure {
        Failure::OtherMethod(match self {
            Self::Get => "POST",
            Self::Post => "GET, HEAD",
        })
    }
}

/// Who may open a page, and what answers.
pub(crate) enum Opens {
    /// Anybody.
    Anybody(Run<()>),
    /// Whoever has signed in.
    Person(Run<Person>),
    /// A member of the account with this right.
    Member(Right, Run<Member>),
}

/// A group of the navigation, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    /// Without a heading.
    Home,
    /// Orders, customers, leads, deals, quotes.
    Sell,
    /// Invoices, payments, refunds, payment links.
    Collect,
    /// Products, stock.
    Supply,
    /// Webhooks.
    Develop,
    /// Invoicing, keys, people, the audit log.
    Settings,
}

impl Group {
    /// Every group.
    pub(crate) const EVERY: &'static [Self] =
        &[Self::Home, Self::Sell, Self::Collect, Self::Supply, Self::Develop, Self::Settings];

    /// Its heading; none of the first.
    pub(crate) const fn label(self, say: Say) -> &'static str {
        match self {
            Self::Home => "",
            Self::Sell => say.sell(),
            Self::Collect => say.collect(),
            Self::Supply => say.supply(),
            Self::Develop => say.develop(),
            Self::Settings => say.settings(),
        }
    }
}

/// What waits for somebody and is counted in the navigation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// Orders that are paid and not shipped.
    Orders,
    /// Invoices that were begun and not stamped.
    Invoices,
}

/// How the navigation lists a page.
#[derive(Clone, Copy)]
pub(crate) struct Nav {
    pub(crate) group: Group,
    pub(crate) icon: &'static str,
    pub(crate) label: fn(Say) -> &'static str,
    /// The key that goes there behind `g`; nobody else's.
    pub(crate) key: &'static str,
    /// What of it is counted there.
    pub(crate) waiting: Option<Waiting>,
}

/// What is known of a page without opening it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Described {
    /// Whether it is sent, instead of read.
    pub is_post: bool,
    /// Below the account's own path; of pages without an account, below `/panel`.
    pub path: &'static str,
    /// Who may open it, if it is of an account.
    pub right: Option<Right>,
    /// Whether only who has signed in may open it.
    pub is_personal: bool,
    /// Whether it takes no number of a card.
    pub is_card_free: bool,
    /// Whether it is a list, which is exported and whose filters are saved as views.
    pub is_list: bool,
}

/// A page.
pub(crate) struct Page {
    pub(crate) method: Method,
    /// Below the account's own path; of pages without an account, below `/panel`.
    pub(crate) path: &'static str,
    pub(crate) opens: Opens,
    pub(crate) nav: Option<Nav>,
    /// Whether the password must have been given lately.
    pub(crate) is_grave: bool,
    /// Whether a form with the number of a card is refused before anything is made of it.
    pub(crate) is_card_free: bool,
    /// Whether the last field of its form is a file, which is handed on while it comes.
    pub(crate) takes_file: bool,
    /// Whether it is a list: the same path that ends with `.csv` sends it as a table, and members save views of it.
    pub(crate) is_list: bool,
    /// Whether nothing is kept of a form that could not be sent: it is filled in faster than found again.
    pub(crate) is_fleeting: bool,
    /// Whether it reads itself what is counted in the navigation, with what it shows.
    pub(crate) reads_figures: bool,
}

impl Page {
    /// Shows something of an account.
    pub(crate) fn get<R>(
        path: &'static str,
        right: Right,
        run: impl Fn(Call<Member>) -> R + Send + Sync + 'static,
    ) -> Self
    where
        R: Future<Output = Result<Answer, Failure>> + 'static,
    {
        Self::of(Method::Get, path, Opens::Member(right, boxed(run)))
    }

    /// Takes a form about something of an account.
    pub(crate) fn post<R>(
        path: &'static str,
        right: Right,
        run: impl Fn(Call<Member>) -> R + Send + Sync + 'static,
    ) -> Self
    where
        R: Future<Output = Result<Answer, Failure>> + 'static,
    {
        Self::of(Method::Post, path, Opens::Member(right, boxed(run)))
    }

    /// For whoever has signed in, whatever their accounts.
    pub(crate) fn personal<R>(
        method: Method,
        path: &'static str,
        run: impl Fn(Call<Person>) -> R + Send + Sync + 'static,
    ) -> Self
    where
        R: Future<Output = Result<Answer, Failure>> + 'static,
    {
        Self::of(method, path, Opens::Person(boxed(run)))
    }

    /// For anybody.
    pub(crate) fn open<R>(
        method: Method,
        path: &'static str,
        run: impl Fn(Call<()>) -> R + Send + Sync + 'static,
    ) -> Self
    where
        R: Future<Output = Result<Answer, Failure>> + 'static,
    {
        Self::of(method, path, Opens::Anybody(boxed(run)))
    }

    fn of(method: Method, path: &'static str, opens: Opens) -> Self {
        Self {
            method,
            path,
            opens,
            nav: None,
            is_grave: false,
            is_card_free: false,
            takes_file: false,
            is_list: false,
            is_fleeting: false,
            reads_figures: false,
        }
    }

    /// Listed in the navigation of those who may open it.
    pub(crate) fn listed(
        mut self,
        group: Group,
        icon: &'static str,
        label: fn(Say) -> &'static str,
    ) -> Self {
        self.nav = Some(Nav { group, icon, label, key: "", waiting: None });
        self
    }

    /// With the key that goes there behind `g`: a letter, or a digit of a setting.
    pub(crate) fn key(mut self, key: &'static str) -> Self {
        self.nav = self.nav.map(|nav| Nav { key, ..nav });
        self
    }

    /// With what of it waits for somebody, counted in the navigation.
    pub(crate) fn counting(mut self, waiting: Waiting) -> Self {
        self.nav = self.nav.map(|nav| Nav { waiting: Some(waiting), ..nav });
        self
    }

    /// Which reads what is counted in the navigation with what it shows, and tells
    /// [`Around::learn`](crate::around::Around::learn).
    pub(crate) fn reading_figures(mut self) -> Self {
        self.reads_figures = true;
        self
    }

    /// Which is a list.
    pub(crate) fn list(mut self) -> Self {
        self.is_list = true;
        self
    }

    /// What is known of it.
    pub(crate) fn described(&self) -> Described {
        let right = match self.opens {
            Opens::Member(right, _) => Some(right),
            Opens::Anybody(_) | Opens::Person(_) => None,
        };
        Described {
            is_post: self.method == Method::Post,
            path: self.path,
            right,
            is_personal: !matches!(self.opens, Opens::Anybody(_)),
            is_card_free: self.is_card_free,
            is_list: self.is_list,
        }
    }

    /// Whether it sends a file, which nothing stands around.
    pub(crate) fn is_file(&self) -> bool {
        self.path.ends_with(".csv")
    }

    /// Takes no number of a card: what is typed here is kept, shown and sent on.
    pub(crate) fn card_free(mut self) -> Self {
        self.is_card_free = true;
        self
    }

    /// Takes a form whose last field is a file of any size, while it comes.
    pub(crate) fn with_file(mut self) -> Self {
        self.takes_file = true;
        self
    }

    /// Whose form is not kept where it could not be sent.
    pub(crate) fn fleeting(mut self) -> Self {
        self.is_fleeting = true;
        self
    }

    /// Only for who has given the password lately.
    pub(crate) fn grave(mut self) -> Self {
        self.is_grave = true;
        self
    }
}

fn boxed<W, R>(run: impl Fn(Call<W>) -> R + Send + Sync + 'static) -> Run<W>
where
    R: Future<Output = Result<Answer, Failure>> + 'static,
{
    Box::new(move |call| Box::pin(run(call)))
}
