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
        let counted: Vec<Waiting> = counted.filter_map(|page| page.nav?.waiting).collect();
        let sees_credits = pages.iter().any(|page| page.path == CREDITS && opens(entry, page));
        let query = counted.iter().fold(ToDoQuery::default(), |query, what| asking(query, *what));
        let (account, list) = (entry.account.id, page.path.to_owned());
        let query = ToDoQuery { credits: sees_credits, ..query };
        let figures = services.to_do.to_do(account, query);
        let views = page.is_list.then(|| services.saved_views.of_list(account, user, list));
        let figures = answered(figures).await?;
        let views = match views {
            Some(reading) => Some(answered(reading).await?),
            None => None,
        };
        let waiting = counted.into_iter().map(|what| (what, rows(&figures, what))).collect();
        Ok(Self { waiting, credits: sees_credits.then_some(figures.credits), views })
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
        Waiting::Orders => ToDoQuery { orders_to_ship: COUNTED_MAX, ..query },
        Waiting::Invoices => ToDoQuery { drafts: COUNTED_MAX, ..query },
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
    fn figures_are_bounded_and_none_is_none() {
        let of =
            |rows| Around { waiting: vec![(Waiting::Orders, rows)], credits: None, views: None };
        let told = |rows| of(rows).figure(Say(Language::English), Waiting::Orders);
        assert!(told(0).is_none());
        assert!(of(3).figure(Say(Language::English), Waiting::Invoices).is_none());
        for (rows, figure) in [(1, "1"), (12, "12"), (99, "99"), (100, "99+")] {
            assert_eq!(told(rows).unwrap().figure, figure);
        }
    }
}
