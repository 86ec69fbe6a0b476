//! The saved views of a list, above its filters.

use accounts::SavedView;
use askama::{Template, filters::HtmlSafe};

use super::FormPart;
use crate::{list, texts::Say};

/// So many stand beside each other; the menu has all.
const TABS_MAX: usize = 6;

struct Line {
    name: String,
    href: String,
    /// Where it is given another name, and removed.
    edit: String,
    is_current: bool,
    /// Whether it stands beside the others: the first ones do, and the one that is shown.
    is_tab: bool,
}

/// The saved views of a list: the first of them beside each other, and a menu of all.
#[derive(Template)]
#[template(path = "parts/views.html", whitespace = "minimize")]
pub(crate) struct Views {
    say: Say,
    all: String,
    lines: Vec<Line>,
    is_narrowed: bool,
    /// Saves what the list is narrowed to, if it is.
    form: Option<FormPart>,
}

impl HtmlSafe for Views {}

impl Views {
    /// Those of a list at this path, which is narrowed to something; they are edited at another place.
    pub(crate) fn new(
        say: Say,
        (path, place): (&str, &str),
        (views, narrowed): (&[SavedView], &str),
        form: Option<FormPart>,
    ) -> Self {
        let line = |(number, view): (usize, &SavedView)| {
            let is_current = list::is_same(&view.query, narrowed);
            Line {
                name: view.name.clone(),
                href: format!("{path}?{}", view.query),
                edit: format!("{place}/{}", view.id),
                is_current,
                is_tab: number < TABS_MAX || is_current,
            }
        };
        Self {
            say,
            all: path.to_owned(),
            lines: views.iter().enumerate().map(line).collect(),
            is_narrowed: !narrowed.is_empty(),
            form,
        }
    }
}

#[cfg(test)]
mod tests {
    use accounts::{SavedViewId, UserId};
    use kernel::{AccountId, Language, Timestamp};

    use super::*;

    fn view(number: u128, query: &str) -> SavedView {
        SavedView {
            id: SavedViewId::from_u128(number),
            account: AccountId::from_u128(1),
            user: UserId::from_u128(1),
            list: "orders".to_owned(),
            name: format!("<b>{number}"),
            query: query.to_owned(),
            created_at: Timestamp::from_micros(0),
            updated_at: Timestamp::from_micros(0),
        }
    }

    #[test]
    fn the_view_that_is_shown_is_marked_and_never_hidden() {
        let views: Vec<_> = (0..9).map(|number| view(number, &format!("q={number}"))).collect();
        let drawn = |narrowed: &str| {
            let places = ("/panel/x/orders", "/panel/x/views");
            let say = Say(Language::English);
            Views::new(say, places, (views.as_slice(), narrowed), None).render().unwrap()
        };
        let html = drawn("q=8");
        assert_eq!(html.matches("aria-current=\"page\"").count(), 1, "{html}");
        assert!(html.contains("href=\"/panel/x/orders?q=8\" aria-current=\"page\""), "{html}");
        assert!(!html.contains("<b>"), "{html}");
        assert_eq!(html.matches("<a class=\"chip\"").count(), 1 + TABS_MAX + 1, "{html}");
        assert_eq!(drawn("q=x").matches("aria-current=\"page\"").count(), 0);
        assert!(drawn("").contains("href=\"/panel/x/orders\" aria-current=\"page\""));
    }
}
