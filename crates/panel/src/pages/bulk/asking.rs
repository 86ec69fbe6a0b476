//! Pages that say in numbers what is going to be done about many, before a job does it.

use ::bulk::{BulkError, ROWS_MAX, Wanted};
use askama::Template;
use intake::{Fields, checks::text};
use kernel::{FieldFault, Timestamp, message};

use super::PATH;
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::grouped,
    layout::Sheet,
    list,
    markup::Markup,
    parts::{Field, Pill},
    reply::{carried_out, whole},
};

/// As many as a page has.
const TICKED_MAX: usize = 100;

/// Whether a query means those of a list that are ticked, instead of all that it matches: an address that was shortened
/// must not act on everything.
pub(in crate::pages) fn means_ticked(query: &Values) -> bool {
    query.filled("which") != Some("all")
}

/// Those that are ticked: each has a box of its own, named `id[…]`.
pub(in crate::pages) fn ticked<T>(
    query: &Values,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, Failure> {
    let names = query.pairs().filter_map(|(name, _)| name.strip_prefix("id["));
    let ids: Option<Vec<T>> = names.map(|name| parse(name.strip_suffix(']')?)).collect();
    let ids = ids.ok_or_else(|| {
        Failure::Malformed(message!(
            "What was selected cannot be read. Go back to the list and select it again.",
            "No se puede leer lo que se seleccionó. Regresa a la lista y selecciónalo de nuevo."
        ))
    })?;
    match ids.len() {
        0 => Err(Failure::NothingSelected),
        1..=TICKED_MAX => Ok(ids),
        _ => Err(Failure::Malformed(message!(
            "Select at most {TICKED_MAX} of them.",
            "Selecciona a lo más {TICKED_MAX}."
        ))),
    }
}

/// The moment at which the page of a form was shown.
pub(in crate::pages) fn as_of(fields: &mut Fields<'_>) -> Option<Timestamp> {
    fields.required("asOf", text(Timestamp::parse))
}

/// A moment to the microsecond: what was made in the same one is taken in.
fn exactly(at: Timestamp) -> String {
    let millis = at.to_string();
    format!("{}{:03}Z", millis.trim_end_matches('Z'), at.micros().rem_euclid(1_000))
}

/// The moment of which the page is: that of the form that was sent, or else now.
pub(in crate::pages) fn shown_at(call: &Call<Member>) -> Timestamp {
    let sent = call.sent.values().filled("asOf").and_then(|text| Timestamp::parse(text).ok());
    sent.map_or(call.now(), |at| at.min(call.now()))
}

/// What is asked.
pub(in crate::pages) struct Question {
    /// The page that asks, below the account.
    pub(in crate::pages) page: String,
    pub(in crate::pages) title: &'static str,
    /// What is going to happen, where it can.
    pub(in crate::pages) intro: String,
    /// Why nothing would come of it, where that is known: then nothing is asked.
    pub(in crate::pages) vain: Option<&'static str>,
    /// How many there are in all; none where they are too many to be counted.
    pub(in crate::pages) rows: Option<u64>,
    /// How many of them stand where.
    pub(in crate::pages) counts: Vec<(Pill, String)>,
    pub(in crate::pages) notes: Vec<String>,
    pub(in crate::pages) fields: Vec<Field>,
    pub(in crate::pages) is_dangerous: bool,
    /// Where the list is, and what it is called.
    pub(in crate::pages) back: (String, String),
}

#[derive(Template)]
#[template(path = "jobs/ask.html", whitespace = "minimize")]
struct Asked {
    text: String,
    counts: Vec<(Pill, String)>,
    notes: Vec<String>,
    form: Option<Markup>,
}

/// The page that asks; what was wrong with what was sent from it stands there.
pub(in crate::pages) fn asked(
    call: &Call<Member>,
    question: Question,
    faults: &[FieldFault],
) -> Answer {
    let Question { page, title, intro, vain, rows, counts, notes, fields, is_dangerous, back } =
        question;
    let say = call.say();
    let form = || {
        // The same are meant whenever it is sent.
        let place = list::filtered(&call.href(&page), &call.query);
        let form = call.form(place, fields, title, faults);
        let form = form.hidden("asOf", exactly(shown_at(call)));
        Markup::of(&if is_dangerous { form.dangerous() } else { form })
    };
    let (text, notes, form) = match (rows, vain) {
        (Some(0), _) => (say.bulk_none().to_owned(), Vec::new(), None),
        (_, Some(vain)) => (vain.to_owned(), Vec::new(), None),
        (Some(rows), None) if rows <= ROWS_MAX => {
            let since = say.bulk_since_hint().to_owned();
            (intro, std::iter::once(since).chain(notes).collect(), Some(form()))
        }
        (Some(_) | None, None) => (say.bulk_too_many(&grouped(ROWS_MAX)), Vec::new(), None),
    };
    let body = Asked { text, counts, notes, form };
    let sheet = Sheet::new(title, &body).wrong_if(!faults.is_empty());
    let (label, place) = back;
    call.page(sheet.back(label, place))
}

/// Begins what was confirmed, and leads to its page; or why nothing is begun.
pub(in crate::pages) async fn begun(
    call: &Call<Member>,
    wanted: Wanted,
) -> Result<Result<Answer, Vec<FieldFault>>, Failure> {
    let beginning = call.services().bulk.begin(call.ctx(), wanted);
    let begun = carried_out(beginning, |error| not_begun(&error)).await?;
    Ok(begun.map(|task| call.done_at(&format!("{PATH}/{}", task.id), "bulk.begun")))
}

/// Why nothing is begun.
fn not_begun(error: &BulkError) -> FieldFault {
    whole(match error {
        BulkError::TooManyOpen { max } => message!(
            "{max} bulk actions are under way already. Wait until one of them has ended, or cancel it.",
            "Ya hay {max} acciones masivas en curso. Espera a que termine una o cancélala."
        ),
        BulkError::TooManyKept => message!(
            "The results of too many bulk actions are kept. They are removed after a week.",
            "Hay demasiados resultados de acciones masivas guardados. Se eliminan después de una semana."
        ),
    })
}

#[cfg(test)]
mod tests {
    use orders::OrderId;

    use super::*;

    #[test]
    fn a_moment_is_carried_to_the_microsecond() {
        for micros in [0, 1, 999, 1_000, 1_795_651_200_123_456] {
            let at = Timestamp::from_micros(micros);
            assert_eq!(Timestamp::parse(&exactly(at)), Ok(at), "{}", exactly(at));
        }
    }

    #[test]
    fn some_are_chosen_by_their_boxes() {
        let of = |query: &str| ticked(&Values::of_query(query), OrderId::parse);
        let id = OrderId::from_u128(7);
        let query = format!("which=selected&id%5B{id}%5D=true");
        assert!(of(&query).is_ok_and(|ids| ids == [id]));
        for (query, is_ticked) in [(&*query, true), ("", true), ("which=all", false)] {
            assert_eq!(means_ticked(&Values::of_query(query)), is_ticked, "{query}");
        }
        for wrong in ["", "which=selected", "id%5Bord_1%5D=true", "id%5Bx=true"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
