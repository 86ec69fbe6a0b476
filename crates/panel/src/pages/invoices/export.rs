//! The papers of a month as one file, which a job makes.

use intake::{
    Form,
    checks::{one_of, text},
    noun,
};
use invoices::{
    InvoiceError,
    export::{Content, ExportInvoices},
};
use kernel::{Day, FieldFault, Message, message};
use time::{Date, Duration};

use super::{PATH, WRITE, told::told};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    layout::Sheet,
    markup::Markup,
    page::Page,
    parts::{Asked, Field},
    reply::{concluded, whole},
    texts::Say,
};

/// What a file may have in it.
const CONTENTS: &[Content] = &[Content::Xml, Content::XmlAndPdf, Content::Csv];

const FORM: Form<(Date, Content)> = Form::body(
    "Papers",
    noun("this form", "este formulario"),
    |fields| {
        let month = fields.required("month", text(month));
        let content = fields.required("content", one_of(CONTENTS, Content::name));
        Some((month?, content?))
    },
    "",
);

/// The first day of a month, as browsers write it.
fn month(text: &str) -> Result<Date, Message> {
    let first = Day::parse(&format!("{text}-01")).map(Day::date);
    first.ok_or_else(|| message!("must be a month: 2026-01", "debe ser un mes: 2026-01"))
}

/// The last day of the month of a day.
fn last_of_month(first: Date) -> Date {
    let in_next = first.replace_day(28).map(|late| late.saturating_add(Duration::days(4)));
    let next = in_next.and_then(|day| day.replace_day(1));
    next.ok().and_then(Date::previous_day).unwrap_or(first)
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("invoices/export", WRITE, ask), Page::post("invoices/export", WRITE, begin)]
}

async fn ask(call: Call<Member>) -> Result<Answer, Failure> {
    let today = call.zone().local(call.now()).date();
    // Books are closed for the month before.
    let before = today.replace_day(1).unwrap_or(today).previous_day().unwrap_or(today);
    let month = format!("{:04}-{:02}", before.year(), u8::from(before.month()));
    Ok(page(&call, &Values::with(&[("month", &month)]), &[]))
}

const fn content_name(say: Say, content: Content) -> &'static str {
    match content {
        Content::Xml => say.papers_xml(),
        Content::XmlAndPdf | Content::Pdf => say.papers_xml_and_pdf(),
        Content::Csv => say.papers_csv(),
    }
}

fn page(call: &Call<Member>, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let choice =
        |content: &Content| (content.name().to_owned(), content_name(say, *content).to_owned());
    let contents = CONTENTS.iter().map(choice).collect();
    let fields = vec![
        Field::input("month", "month", say.month(), values),
        Field::select("content", say.papers_content(), contents, values),
    ];
    let form = call.form(call.href("invoices/export"), fields, say.make_file(), faults);
    let body = Asked { text: say.papers_intro().to_owned(), form: Markup::of(&form) };
    let sheet = Sheet::new(say.papers_of_month(), &body).wrong_if(!faults.is_empty());
    call.page(sheet.back(say.invoices(), call.href(PATH)))
}

async fn begin(call: Call<Member>) -> Result<Answer, Failure> {
    let (from, content) = match call.read(&FORM)? {
        Ok(given) => given,
        Err(faults) => return Ok(page(&call, call.sent.values(), &faults)),
    };
    let command = ExportInvoices {
        from,
        to: last_of_month(from),
        kind: None,
        cancelled: None,
        issuer: None,
        branch: None,
        customer: None,
        content,
        language: Some(call.language),
    };
    let making = call.services().exports.export(call.ctx(), command);
    Ok(match concluded(making, refused).await? {
        Ok(_) => call.done_at("jobs", "file.begun"),
        Err(faults) => page(&call, call.sent.values(), &faults),
    })
}

/// Why no file is made.
fn refused(error: InvoiceError) -> Vec<FieldFault> {
    match error {
        InvoiceError::TooManyFiles => vec![whole(message!(
            "The maximum of files is kept already. Each is removed 7 days after it was requested.",
            "Ya se conserva el máximo de archivos. Cada uno se elimina 7 días después de solicitarlo."
        ))],
        error => told(&error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_ends_with_its_last_day() {
        for (text, last) in [
            ("2026-01", "2026-01-31"),
            ("2026-02", "2026-02-28"),
            ("2028-02", "2028-02-29"),
            ("2026-12", "2026-12-31"),
        ] {
            let first = month(text).unwrap();
            assert_eq!(last_of_month(first), Day::parse(last).unwrap().date(), "{text}");
        }
        for wrong in ["", "2026", "2026-13", "2026-01-01"] {
            assert!(month(wrong).is_err(), "{wrong}");
        }
    }
}
