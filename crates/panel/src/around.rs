//! What is read for what stands around a page of an account: the figures of the navigation, what there is for stamping, and the
//! member's views of a list.

use accounts::{Entry, SavedView, UserId};
use invoices::Status;
use kernel::{Fault, Pending};
use orders::OrderStatus;

use crate::{
    Services,
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
    /// What stands around a page that a member opens. All of it is asked for before any is waited for; files have nothing
    /// around them.
    pub(crate) async fn read(
        services: &Services,
        pages: &[Page],
        (user, entry): (UserId, &Entry),
        page: &Page,
    ) -> Result<Self, Failure> {
        if page.is_file() {
            return Ok(Self::default());
        }
        let asked = pages.iter().filter_map(|page| {
            let waiting = page.nav?.waiting?;
            opens(entry, page).then(|| (waiting, count(services, entry, waiting)))
        });
        let asked: Vec<_> = asked.collect();
        let of_credits = pages.iter().find(|page| page.path == CREDITS && opens(entry, page));
        let balance = of_credits.map(|_| services.credits.balance(entry.account.id));
        let (account, list) = (entry.account.id, page.path.to_owned());
        let views = page.is_list.then(|| services.saved_views.of_list(account, user, list));
        let mut waiting = Vec::with_capacity(asked.len());
        for (what, counting) in asked {
            waiting.push((what, answered(counting).await?));
        }
        let credits = match balance {
            Some(balance) => Some(answered(balance).await?.available),
            None => None,
        };
        let views = match views {
            Some(reading) => Some(answered(reading).await?),
            None => None,
        };
        Ok(Self { waiting, credits, views })
    }

    /// How many wait, if any do.
    pub(crate) fn figure(&self, say: Say, what: Waiting) -> Option<Figure> {
        let &(_, rows) = self.waiting.iter().find(|(known, rows)| *known == what && *rows > 0)?;
        Some(figure(say, what, rows))
    }
}

/// Whether a member may read a page.
pub(crate) fn opens(entry: &Entry, page: &Page) -> bool {
    page.method == Method::Get
        && matches!(page.opens, Opens::Member(right, _) if entry.role.allows(right))
}

fn count(services: &Services, entry: &Entry, waiting: Waiting) -> Pending<Result<u32, Fault>> {
    let account = entry.account.id;
    match waiting {
        Waiting::Orders => services.orders.count_of_status(account, OrderStatus::Paid, COUNTED_MAX),
        Waiting::Invoices => services.invoices.count_of_status(account, Status::Draft, COUNTED_MAX),
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
