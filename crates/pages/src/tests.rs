use kernel::Language;
use time::macros::datetime;

use crate::{
    AttemptPage, Bill, Choice, Fault, InvoicePage, Money, Outcome, PayMethod, PayNotice, PayPage,
    PayStage, PayValues, TaxDataPage, Values, nothing, texts::PAIRS,
};

fn form(outcome: Outcome, language: Language) -> String {
    form_of("CACX7605101P8", outcome, language)
}

fn form_of(rfc: &str, outcome: Outcome, language: Language) -> String {
    let values = Values {
        rfc: rfc.to_owned(),
        legal_name: "\"><script>alert(1)</script>".to_owned(),
        tax_regime: "612".to_owned(),
        ..Values::default()
    };
    let regimes = vec![Choice { code: "601", name: "General" }, Choice { code: "612", name: "PF" }];
    let uses = vec![Choice { code: "G03", name: "Gastos en general" }];
    let merchant = "Abarrotes <La Luz>";
    let countries = vec![Choice { code: "USA", name: "Estados Unidos (los)" }];
    let sandbox = true;
    TaxDataPage { language, sandbox, merchant, values, regimes, uses, countries, outcome }.html()
}

fn fault(field: &str) -> Vec<Fault> {
    vec![Fault { field: field.to_owned(), clause: "debe tener 5 dígitos.".to_owned() }]
}

#[test]
fn what_is_given_is_shown_as_text() {
    let html = form(Outcome::Blank, Language::Spanish);
    assert!(!html.contains("<script") && !html.contains("<La Luz>"), "{html}");
    assert!(html.contains("value=\"612\" selected") && !html.contains("value=\"601\" selected"));
    assert!(html.contains("lang=\"es-MX\"") && html.contains("Ambiente de pruebas"));
    // SAT's catalogs are in Spanish on any page, and read out as such.
    let english = form(Outcome::Blank, Language::English);
    assert!(english.contains("name=\"cfdiUse\" lang=\"es-MX\""), "{english}");
    assert!(english.contains("value=\"\" lang=\"en\">Choose"), "{english}");
}

#[test]
fn a_fault_stands_at_its_field_and_at_the_top() {
    let html = form(Outcome::Refused(fault("taxZip")), Language::Spanish);
    let sentence = "Código postal del domicilio fiscal debe tener 5 dígitos.";
    assert!(html.contains(&format!("id=\"taxZip-fault\">{sentence}")), "{html}");
    assert!(
        html.contains("aria-describedby=\"taxZip-fault\"") && html.contains("href=\"#taxZip\"")
    );
    assert!(html.contains("<title>Error: ") && !html.contains("confirmed"));
    assert!(form(Outcome::Doubted(fault("rfc")), Language::Spanish).contains("name=\"confirmed\""));
    assert!(form(Outcome::Saved, Language::English).contains("Thank you"));
    // What hardly anybody has is out of sight, unless it is wrong, or they are who has it.
    assert!(html.contains("<details>") && !html.contains("<details open>"), "{html}");
    let abroad = form(Outcome::Refused(fault("taxResidence")), Language::Spanish);
    assert!(abroad.contains("<details open>"), "{abroad}");
    let foreign = form_of("xexx010101000", Outcome::Saved, Language::Spanish);
    assert!(foreign.contains("<details open>"), "{foreign}");
}

#[test]
fn an_invoice_is_shown_with_its_documents() {
    let page = |kind, sandbox, cancelled| {
        InvoicePage {
            language: Language::English,
            sandbox,
            kind,
            number: "F 12",
            issuer: "ESCUELA KEMPER URGATE",
            receiver: "XOCHILT CASAS CHAVEZ",
            issued_at: datetime!(2026-01-31 12:05:07),
            total: Some(Money { digits: "1234567.50".to_owned(), currency: "MXN".to_owned() }),
            uuid: "5FB2822E-396D-4725-8521-CDC4BDD20CCF",
            cancelled,
            verification_url: "https://verificacfdi.example/?id=5FB2822E&re=A",
            address: "/invoice/abc",
        }
        .html()
    };
    let html = page("I", false, false);
    for part in [
        "href=\"/invoice/abc/pdf\"",
        "href=\"/invoice/abc/xml\"",
        "$1,234,567.50 MXN",
        "January 31, 2026, 12:05",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(!html.contains("Cancelled") && page("I", false, true).contains("Cancelled"));
    assert!(page("P", true, false).contains("Payment receipt F 12"));
    assert!(!page("P", true, false).contains("Verify"));
}

#[test]
fn every_sentence_is_in_both_languages() {
    let same = PAIRS.iter().filter(|(english, spanish)| english == spanish);
    assert_eq!(same.map(|(english, _)| *english).collect::<Vec<_>>(), ["RFC", "Total", "Error"]);
    assert!(nothing(Language::Spanish).contains("Aquí no hay nada"));
    assert!(nothing(Language::English).contains("There is nothing here"));
}

fn money(digits: &str, currency: &str) -> Money {
    Money { digits: digits.to_owned(), currency: currency.to_owned() }
}

fn bill(amount: Option<Money>) -> Bill<'static> {
    Bill {
        language: Language::English,
        sandbox: false,
        merchant: "Abarrotes La Luz",
        title: "A cup",
        description: None,
        order_number: None,
        invoice: None,
        amount,
    }
}

#[test]
fn amounts_have_the_sign_of_their_currency() {
    let shown = |currency| {
        let bill = bill(Some(money("1249.50", currency)));
        PayNotice::Busy.html(&bill, "/pay/abc")
    };
    assert!(shown("MXN").contains("$1,249.50 <span>MXN") && shown("USD").contains("$1,249.50"));
    assert!(shown("EUR").contains(">1,249.50 <span>EUR"), "{}", shown("EUR"));
}

#[test]
fn faults_are_listed_as_their_fields_follow() {
    let fault = |field: &str| Fault { field: field.to_owned(), clause: "is wrong.".to_owned() };
    let html = PayPage {
        bill: bill(Some(money("10", "MXN"))),
        bounds: None,
        methods: &[PayMethod::Spei, PayMethod::Card],
        installments: None,
        needs_payer: false,
        needs_phone: false,
        expires_at: datetime!(2026-01-31 12:05),
        action: "/pay/abc/attempts",
        form: "form",
        values: PayValues::default(),
        faults: vec![fault("email"), fault("amount"), fault("name"), fault("method")],
    }
    .html();
    let (_, list) = html.split_once("<ul>").unwrap();
    let (list, _) = list.split_once("</ul>").unwrap();
    let links: Vec<&str> =
        list.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    // The amount is no field of this page.
    assert_eq!(links, ["method-spei", "name", "email"]);
    assert!(list.contains("<li>Amount is wrong."), "{list}");
}

fn attempt(stage: PayStage) -> String {
    AttemptPage {
        bill: bill(Some(money("10", "MXN"))),
        stage,
        expires_at: None,
        address: "/pay/abc/a/def",
        link: "/pay/abc",
        can_choose_again: true,
    }
    .html()
}

#[test]
fn who_should_not_pay_again_is_not_invited_to() {
    let paid = |is_late, is_short, is_excess| PayStage::Paid {
        success_url: None,
        is_late,
        is_short,
        is_excess,
    };
    for (stage, invitation) in [
        (PayStage::Declined { problem: None }, Some("Try again")),
        (PayStage::Canceled, Some("Try again")),
        (PayStage::Expired, Some("Try again")),
        (paid(false, false, false), Some("Make another payment")),
        (paid(true, false, false), None),
        (paid(false, true, false), None),
        (paid(false, false, true), None),
        (PayStage::Unclear, None),
        (PayStage::Processing, None),
    ] {
        let html = attempt(stage.clone());
        let invited = html.split_once("href=\"/pay/abc\">").map(|(_, rest)| rest);
        let invited = invited.and_then(|rest| rest.split('<').next());
        assert_eq!(invited, invitation, "{stage:?}");
    }
}

#[test]
fn an_account_number_is_copied_without_spaces() {
    let html = attempt(PayStage::Transfer {
        clabe: "646180132242542507".to_owned(),
        bank: None,
        reference: None,
        received: None,
        left: money("10", "MXN"),
    });
    assert!(html.contains("<span>6461</span>"), "{html}");
    let text: String =
        html.split('<').map(|part| part.split_once('>').map_or("", |it| it.1)).collect();
    assert!(text.contains("646180132242542507"), "{text}");
}
