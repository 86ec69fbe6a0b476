//! What the endpoints of global invoices read.

use cfdi::catalogs::payment_forms;
use intake::{
    Check, Fields, Form,
    checks::{flag, one_of, text, whole},
    noun,
};
use invoices::global::{
    DELAY_HOURS_MAX, GlobalSettings, GlobalTerms, Periodicity, TICKETS_MAX, WantedRun,
};
use kernel::message;

use super::examples;
use crate::resources::{fiscal::day, invoices::branch, issuers::issuer_id};

pub(super) const SET: Form<GlobalSettings> = Form::body(
    "SetGlobalInvoices",
    noun("settings of global invoices", "los ajustes de facturas globales"),
    read_settings,
    examples::SET,
);
pub(super) const RUN: Form<WantedRun> = Form::body(
    "CreateGlobalInvoices",
    noun("global invoices", "facturas globales"),
    read_run,
    examples::RUN,
)
.or_absent();
pub(super) const PREVIEW: Form<WantedRun> = Form::query(read_period);

/// The form of payment of what is not paid yet, which no global invoice has.
const TO_BE_DEFINED: &str = "99";

fn read_settings(fields: &mut Fields<'_>) -> Option<GlobalSettings> {
    let usual = GlobalSettings::default();
    let automatic =
        flag().about("Whether the invoices are created by themselves when a period ends.");
    let is_automatic = fields.required("automatic", automatic);
    let [names_period, names_form] = ["periodicity", "paymentForm"].map(|name| fields.gives(name));
    let periodicity = fields.patch("periodicity", periodicity());
    let payment_form = fields.patch("paymentForm", payment_form());
    let unsaid = [
        ("periodicity", !names_period || periodicity == Some(None)),
        ("paymentForm", !names_form || payment_form == Some(None)),
    ];
    // Turning it off takes neither.
    for (name, _) in unsaid.iter().filter(|(_, is)| *is && is_automatic == Some(true)) {
        let problem =
            message!("is required if automatic is true", "es obligatorio si automatic es true");
        fields.refuse::<()>(name, problem);
    }
    let stamp =
        stamp().about("Whether they are stamped, too; defaults to `false`: they are drafts.");
    let is_to_stamp = fields.optional("stamp", stamp).unwrap_or_default();
    let tickets = tickets().about(
        "Most sales of one invoice; defaults to 1,000. Further ones go into another invoice.",
    );
    let tickets = fields.optional("ticketsPerInvoice", tickets);
    let delay = whole(0..=DELAY_HOURS_MAX).about(
        "Hours after the end of the period when its sales are invoiced; defaults to 0: a minute after it. SAT gives 24.",
    );
    let delay = fields.optional("delayHours", delay);
    let about = "Issuer; the default one if none is named.";
    let issuer = fields.optional("issuerId", issuer_id().about(about));
    let about = "Branch whose place of issue and series they have.";
    let branch = fields.optional("branchId", branch().about(about));
    fields.read_only(&["coveredUntil", "updatedAt"]);
    let terms = GlobalTerms {
        issuer,
        branch,
        payment_form: payment_form.flatten(),
        tickets_per_invoice: tickets.map_or(usual.terms.tickets_per_invoice, count),
        is_to_stamp,
    };
    Some(GlobalSettings {
        is_automatic: is_automatic?,
        periodicity: periodicity.flatten().unwrap_or(usual.periodicity),
        terms,
        delay_hours: delay.unwrap_or(usual.delay_hours),
        ..usual
    })
}

fn read_run(fields: &mut Fields<'_>) -> Option<WantedRun> {
    let period = read_period(fields)?;
    let payment_form = fields.optional("paymentForm", payment_form());
    let stamp = stamp().about("Whether they are stamped, too.");
    let is_to_stamp = fields.optional("stamp", stamp);
    Some(WantedRun { payment_form, is_to_stamp, ..period })
}

fn read_period(fields: &mut Fields<'_>) -> Option<WantedRun> {
    let date = day()
        .about("A day of the period, in local time; one of the last that has ended by default.");
    let issuer = issuer_id().about("Issuer; told together with the branch.");
    let branch = branch().about("Branch whose place of issue and series they have.");
    let tickets = tickets().about("Most sales of one invoice.");
    Some(WantedRun {
        periodicity: fields.optional("periodicity", periodicity()),
        date: fields.optional("date", date),
        issuer: fields.optional("issuerId", issuer),
        branch: fields.optional("branchId", branch),
        tickets_per_invoice: fields.optional("ticketsPerInvoice", tickets).map(count),
        ..WantedRun::default()
    })
}

fn periodicity() -> impl Check<Value = Periodicity> {
    one_of(Periodicity::EVERY, Periodicity::code).about(
        "Length of the period, see GET /invoices/cfdi/periodicidades; `05`, two months, for issuers in tax regime 621 alone.",
    )
}

fn payment_form() -> impl Check<Value = String> {
    text(|code| match payment_forms::find(code) {
        Some(form) if form.code != TO_BE_DEFINED => Ok(form.code.to_owned()),
        _ => Err(message!(
            "must be a form of payment other than 99, see GET /invoices/cfdi/formas-pago",
            "debe ser una forma de pago distinta de 99, consulte GET /invoices/cfdi/formas-pago"
        )),
    })
    .pattern("^[0-9]{2}$")
    .example("01")
    .about(
        "How the sales were paid: the form with the largest sum, since an order does not say it.",
    )
}

fn stamp() -> impl Check<Value = bool> {
    flag()
}

fn tickets() -> impl Check<Value = i64> {
    whole(1..=i64::try_from(TICKETS_MAX).unwrap_or(i64::MAX))
}

fn count(tickets: i64) -> usize {
    usize::try_from(tickets).unwrap_or(TICKETS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        let settings = SET.read_body(examples::SET.as_bytes()).unwrap();
        assert!(settings.is_automatic && settings.terms.is_to_stamp);
        assert_eq!(SET.read_body(examples::SETTINGS.as_bytes()).unwrap().delay_hours, 2);
        assert!(!SET.read_body(br#"{"automatic": false}"#).unwrap().is_automatic);
        for unsaid in [r#""paymentForm": "01""#, r#""periodicity": "01", "paymentForm": null"#] {
            let body = format!("{{\"automatic\": true, {unsaid}}}");
            assert!(SET.read_body(body.as_bytes()).is_err(), "{body}");
        }
        let wanted = RUN.read_body(examples::RUN.as_bytes()).unwrap();
        assert_eq!((wanted.periodicity, wanted.is_to_stamp), (Some(Periodicity::Day), Some(true)));
        assert_eq!(RUN.read_body(b"").unwrap(), WantedRun::default());
        let wanted = PREVIEW.read_query("periodicity=04&date=2026-01-31").unwrap();
        assert_eq!(wanted.periodicity, Some(Periodicity::Month));
    }

    #[test]
    fn what_no_global_invoice_has_is_refused_by_name() {
        let body = r#"{"automatic": true, "periodicity": "06", "paymentForm": "99", "ticketsPerInvoice": 5001,
            "delayHours": 25, "since": 1}"#;
        assert_eq!(
            SET.read_body(body.as_bytes()).unwrap_err().to_string(),
            "periodicity must be one of 01, 02, 03, 04, 05; paymentForm must be a form of payment other than 99, see \
             GET /invoices/cfdi/formas-pago; ticketsPerInvoice must be a whole number from 1 to 5000; delayHours must be a whole number from 0 to 24; \
             \"since\" is not a field of settings of global invoices"
        );
        assert!(PREVIEW.read_query("stamp=true").is_err());
    }
}
