//! What is read for what stands around a page of an account: the figures of the navigation, what there is for stamping, and the
//! member's views of a list.

use accounts::{Entry, SavedView, ToDo, ToDoQuery, UserId};

use crate::{
    Services,
    call::{Call, Member},
    failure::Failure,
    format::grouped,
    layout::Figure,
    page::{Method, Opens, Page, Waiting},
    reply::answered,
    texts::Say,
};

/// As many of one kind are counted; of more it is said that there are more.
const COUNTED_MAX: u32 = 100;

/// Where credits are shown.
pub(crate) const CREDITS: &str = "settings/credits";

/// What was read, for one request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Around {
    /// What the navigation counts for the member.
    counted: Vec<Waiting>,
    /// Whether the member sees what there is for stamping.
    sees_credits: bool,
    waiting: Vec<(Waiting, u32)>,
    /// What there is for stamping, for who may see that.
    pub(crate) credits: Option<i64>,
    /// The member's views of the list, if the page is one.
    pub(crate) views: Option<Vec<SavedView>>,
}

impl Around {
    /// What stands around a page that a member opens, asked for before any of it is waited for; files have nothing around them.
    pub(crate) async fn read(
        services: &Services,
        pages: &[Page],
        (user, entry): (UserId, &Entry),
        page: &Page,
    ) -> Result<Self, Failure> {
        if page.is_file() {
            return Ok(Self::default());
        }
        let counted = pages.iter().filter(|page| opens(entry, page));
        let mut around = Self {
            counted: counted.filter_map(|page| page.nav?.waiting).collect(),
            sees_credits: pages.iter().any(|page| page.path == CREDITS && opens(entry, page)),
            ..Self::default()
        };
        let (account, list) = (entry.account.id, page.path.to_owned());
        let figures = (!page.reads_figures)
            .then(|| services.to_do.to_do(account, around.asking(ToDoQuery::default())));
        let views = page.is_list.then(|| services.saved_views.of_list(account, user, list));
        if let Some(reading) = figures {
            around.learn(&answered(reading).await?);
        }
        if let Some(reading) = views {
            around.views = Some(answered(reading).await?);
        }
        Ok(around)
    }

    /// Also asking for what the navigation counts.
    pub(crate) fn asking(&self, query: ToDoQuery) -> ToDoQuery {
        let query = self.counted.iter().fold(query, |query, what| asking(query, *what));
        ToDoQuery { credits: query.credits || self.sees_credits, ..query }
    }

    /// Takes the figures of the navigation of what was read.
    pub(crate) fn learn(&mut self, figures: &ToDo) {
        let counted = self.counted.iter();
        self.waiting = counted.map(|what| (*what, rows(figures, *what))).collect();
        self.credits = self.sees_credits.then_some(figures.credits);
    }

    /// How many wait, if any do.
    pub(crate) fn figure(&self, say: Say, what: Waiting) -> Option<Figure> {
        let &(_, rows) = self.waiting.iter().find(|(known, rows)| *known == what && *rows > 0)?;
        Some(figure(say, what, rows))
    }
}

/// What there is for stamping; for who sees it around the page it was read with that.
pub(crate) async fn available(call: &Call<Member>) -> Result<i64, Failure> {
    match call.who.around.credits {
        Some(available) => Ok(available),
        None => Ok(answered(call.services().credits.balance(call.account())).await?.available),
    }
}

/// Whether a member may read a page.
pub(crate) fn opens(entry: &Entry, page: &Page) -> bool {
    page.method == Method::Get
        && matches!(page.opens, Opens::Member(right, _) if entry.role.allows(right))
}

/// Also asking for what is counted of a page.
fn asking(query: ToDoQuery, waiting: Waiting) -> ToDoQuery {
    match waiting {
        Waiting::Orders => {
            ToDoQuery { orders_to_ship: query.orders_to_ship.max(COUNTED_MAX), ..query }
        }
        Waiting::Invoices => ToDoQuery { drafts: query.drafts.max(COUNTED_MAX), ..query },
    }
}

/// How many of it there are.
const fn rows(figures: &ToDo, waiting: Waiting) -> u32 {
    match waiting {
        Waiting::Orders => figures.orders_to_ship,
        Waiting::Invoices => figures.drafts,
    }
}

fn figure(say: Say, what: Waiting, rows: u32) -> Figure {
    let label = match (what, rows) {
        (Waiting::Orders, 1) => say.order_to_ship(),
        (Waiting::Orders, _) => say.orders_to_ship(),
        (Waiting::Invoices, 1) => say.invoice_to_stamp(),
        (Waiting::Invoices, _) => say.invoices_to_stamp(),
    };
    let figure = match rows < COUNTED_MAX {
        true => grouped(u64::from(rows)),
        false => format!("{}+", COUNTED_MAX - 1),
    };
    Figure { told: format!("{figure} {label}"), figure }
}

#[cfg(test)]
mod tests {
    use kernel::Language;

    use super::*;

    #[test]
    fn what_is_asked_for_already_is_not_asked_for_again() {
        let counted = vec![Waiting::Orders, Waiting::Invoices];
        let mut around = Around { counted, sees_credits: true, ..Around::default() };
        let query = around.asking(ToDoQuery { orders_to_ship: 1_001, ..ToDoQuery::default() });
        assert_eq!((query.orders_to_ship, query.drafts, query.credits), (1_001, COUNTED_MAX, true));
        around.learn(&ToDo { orders_to_ship: 700, drafts: 3, credits: 9, ..ToDo::default() });
        let told = |what| around.figure(Say(Language::English), what).unwrap().figure;
        assert_eq!(
            (told(Waiting::Orders).as_str(), told(Waiting::Invoices).as_str()),
            ("99+", "3")
        );
        assert_eq!(around.credits, Some(9));
        let nobody = Around::default();
        assert_eq!(nobody.asking(ToDoQuery::default()), ToDoQuery::default());
    }

    #[test]
    fn figures_are_bounded_and_none_is_none() {
        let of = |rows| Around { waiting: vec![(Waiting::Orders, rows)], ..Around::default() };
        let told = |rows| of(rows).figure(Say(Language::English), Waiting::Orders);
        assert!(told(0).is_none());
        assert!(of(3).figure(Say(Language::English), Waiting::Invoices).is_none());
        for (rows, figure) in [(1, "1"), (12, "12"), (99, "99"), (100, "99+")] {
            assert_eq!(told(rows).unwrap().figure, figure);
        }
    }
}
