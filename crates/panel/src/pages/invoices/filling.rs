//! The fields of an invoice: who issues it to whom, what is sold, how it is paid.

use cfdi::{
    catalogs::{payment_forms, regimes, uses},
    document::is_generic,
};
use invoices::{BranchId, Issuer};

use super::{
    rows::{ROWS, ROWS_FIRST, ROWS_MORE, Row},
    taxes::ItemTaxes,
};
use crate::{
    call::{Call, Member},
    failure::Failure,
    form::{Sent, Values},
    pages::reading::rows_shown,
    parts::{Choice, Field},
    reply::answered,
    texts::Say,
};

/// The regime of generic RFCs.
const WITHOUT_OBLIGATIONS: &str = "616";
/// Uses of receipts of payments and of payroll: no sale has them.
const OF_NO_SALE: &[&str] = &["CP01", "CN01"];
/// Characters of the RFCs of companies and of people.
const LEGAL_RFC_CHARS: usize = 12;
const NATURAL_RFC_CHARS: usize = 13;
/// The words by which choices of regimes tell for whom they are.
const LEGAL: &str = "legal";
const NATURAL: &str = "natural";
const GENERIC: &str = "generic";

/// Who issues it and where, as far as there is anything to choose. Issuers are not read again where they are known.
pub(super) async fn places(
    call: &Call<Member>,
    values: &Values,
    known: &[Issuer],
) -> Result<Vec<Field>, Failure> {
    let (say, services, account) = (call.say(), call.services(), call.account());
    let issuers = match known {
        [] => answered(services.issuers.issuers(account)).await?,
        known => known.to_vec(),
    };
    let branches = answered(services.branches.branches(account)).await?;
    let usual = || (String::new(), say.as_usual().to_owned());
    let issuer = (issuers.len() > 1).then(|| {
        let known = issuers.iter().map(|issuer| {
            let name = format!("{} {} ({})", issuer.rfc, issuer.legal_name, issuer.tax_regime);
            (issuer.id.to_string(), name)
        });
        let known = std::iter::once(usual()).chain(known).collect();
        Field::select("issuerId", say.issuer(), known, values)
    });
    // A draft may be of a branch that is there no more.
    let told = values.filled("branchId");
    let is_gone = |id: BranchId| branches.iter().all(|branch| branch.id != id);
    let former = told.filter(|id| BranchId::parse(id).is_some_and(is_gone));
    let branch = (!branches.is_empty() || told.is_some()).then(|| {
        let former = former.map(|id| (id.to_owned(), say.as_it_is().to_owned()));
        let known = branches.iter().map(|branch| (branch.id.to_string(), branch.name.clone()));
        let known = std::iter::once(usual()).chain(former).chain(known).collect();
        Field::select("branchId", say.branch(), known, values)
    });
    Ok(issuer.into_iter().chain(branch).collect())
}

/// What kind of person has this RFC; `None` while it is none.
fn person(rfc: &str) -> Option<&'static str> {
    match rfc.chars().count() {
        _ if is_generic(rfc) => Some(GENERIC),
        LEGAL_RFC_CHARS => Some(LEGAL),
        NATURAL_RFC_CHARS => Some(NATURAL),
        _ => None,
    }
}

/// Whom it is made out to; regimes are those of that kind of person, uses those of the regime.
pub(super) fn receiver(say: Say, values: &Values) -> Field {
    let rfc = values.filled("receiver.rfc").map(str::to_uppercase);
    let regimes = regimes::all().iter().map(|row| {
        let words = [
            (row.legal, LEGAL),
            (row.natural, NATURAL),
            (row.code == WITHOUT_OBLIGATIONS, GENERIC),
        ];
        let words: Vec<_> = words.into_iter().filter(|(is, _)| *is).map(|(_, word)| word).collect();
        Choice::new(row.code, format!("{} {}", row.code, row.name)).fitting(&words)
    });
    let regimes = std::iter::once(Choice::new("", say.unknown())).chain(regimes).collect();
    let of_sales = uses::all().iter().filter(|row| !OF_NO_SALE.contains(&row.code));
    let uses = of_sales.map(|row| {
        Choice::new(row.code, format!("{} {}", row.code, row.name)).fitting(row.regimes)
    });
    let uses = std::iter::once(Choice::new("", say.as_usual())).chain(uses).collect();
    let by_person = ("receiver.rfc", rfc.as_deref().and_then(person));
    let by_regime = ("receiver.taxRegime", values.filled("receiver.taxRegime"));
    let regime =
        Field::narrowed("receiver.taxRegime", say.tax_regime(), regimes, by_person, values);
    let cfdi_use = Field::narrowed("receiver.cfdiUse", say.cfdi_use(), uses, by_regime, values);
    let fields = vec![
        Field::text("receiver.rfc", say.rfc(), values),
        Field::text("receiver.legalName", say.legal_name(), values).wide(),
        Field::text("receiver.taxZip", say.tax_zip(), values),
        regime.wide(),
        cfdi_use.wide(),
    ];
    Field::group("receiver", say.receiver(), fields).hint(say.receiver_hint())
}

/// What only receivers abroad have.
pub(super) fn abroad(say: Say, values: &Values) -> Option<Field> {
    let is_known = ["receiver.taxResidence", "receiver.foreignTaxId"]
        .into_iter()
        .any(|name| values.filled(name).is_some());
    let is_abroad = values.filled("receiver.rfc").is_some_and(is_generic);
    (is_known || is_abroad).then(|| {
        let residence = Field::text("receiver.taxResidence", say.tax_residence(), values);
        let fields = vec![
            residence.hint(say.tax_residence_hint()),
            Field::text("receiver.foreignTaxId", say.foreign_tax_id(), values),
        ];
        Field::behind("abroad", say.receiver_abroad(), fields)
    })
}

/// The rows of what is sold, and whether its prices have the taxes inside.
pub(super) fn items(say: Say, shown: usize, values: &Values) -> Vec<Field> {
    let row = |(place, row): (usize, &Row)| {
        let is_of_draft = values.filled(row.of).is_some();
        let untold = if is_of_draft { say.as_it_is() } else { say.as_usual() };
        let taxes =
            ItemTaxes::EVERY.iter().map(|one| (one.code().to_owned(), one.name(say).to_owned()));
        let taxes = std::iter::once((String::new(), untold.to_owned())).chain(taxes).collect();
        let mut further = vec![
            Field::text(row.sat_product_key, say.sat_product_key(), values).autocomplete("off"),
            Field::text(row.sat_unit_key, say.sat_unit_key(), values).autocomplete("off"),
            Field::text(row.discount, say.discount(), values).autocomplete("off"),
            Field::select(row.taxes, say.taxes(), taxes, values),
        ];
        if is_of_draft {
            further.push(Field::tick(row.left_out, say.leave_item_out(), values));
        }
        let further = Field::behind(row.group, say.sat_keys(), further);
        let fields = vec![
            Field::text(row.sku, say.sku_or_ean(), values).autocomplete("off"),
            Field::text(row.description, say.description(), values).autocomplete("off"),
            Field::text(row.quantity, say.quantity(), values).autocomplete("off"),
            Field::text(row.unit_price, say.unit_price(), values).autocomplete("off"),
            if is_of_draft { further.quiet() } else { further },
        ];
        Field::group(row.group, say.item(place + 1), fields).lined()
    };
    let included = Field::tick("taxIncluded", say.tax_included(), values);
    ROWS.iter().take(shown).enumerate().map(row).chain([included]).collect()
}

/// How many rows are shown: those that are asked for, and all down to the last that is filled in.
pub(super) fn rows(sent: &Sent, values: &Values) -> usize {
    let asked = sent.rows_asked(ROWS.iter().map(|row| row.sku), ROWS_MORE);
    let is_filled = |row: &Row| {
        [row.of, row.sku, row.description, row.quantity, row.unit_price, row.sat_product_key]
            .into_iter()
            .any(|name| values.filled(name).is_some())
    };
    rows_shown(asked, ROWS, ROWS_FIRST, is_filled)
}

/// How it is paid.
pub(super) fn payment(say: Say, values: &Values) -> Field {
    let usual = || (String::new(), say.as_usual().to_owned());
    let methods = [("PUE", say.method_pue()), ("PPD", say.method_ppd())];
    let methods = methods.map(|(code, name)| (code.to_owned(), name.to_owned()));
    let methods = std::iter::once(usual()).chain(methods).collect();
    let forms = payment_forms::all().iter();
    let forms = forms.map(|row| (row.code.to_owned(), format!("{} {}", row.code, row.name)));
    let forms = std::iter::once(usual()).chain(forms).collect();
    let fields = vec![
        Field::select("paymentMethod", say.payment_method(), methods, values),
        Field::select("paymentForm", say.payment_form(), forms, values),
    ];
    Field::group("payment", say.payment(), fields)
}

#[cfg(test)]
mod tests {
    use askama::Template;
    use kernel::Language;

    use super::*;

    #[test]
    fn regimes_are_of_the_person_and_uses_of_the_regime() {
        let drawn = |rfc: &str, regime: &str| {
            let values = [("receiver.rfc", rfc), ("receiver.taxRegime", regime)];
            receiver(Say(Language::English), &Values::with(&values)).render().unwrap()
        };
        let offered = |html: &str, code: &str| {
            let option = format!("<option value=\"{code}\"");
            let rest = html.split(&option).nth(1).unwrap_or_else(|| panic!("{code}: {html}"));
            !rest.split('>').next().unwrap().contains("disabled")
        };
        let company = drawn("URE180429TM6", "601");
        for (code, wanted) in [("601", true), ("612", false), ("626", true), ("616", false)] {
            assert_eq!(offered(&company, code), wanted, "{code}");
        }
        for (code, wanted) in [("G03", true), ("D01", false), ("S01", true)] {
            assert_eq!(offered(&company, code), wanted, "{code}");
        }
        let person = drawn("cacx7605101p8", "612");
        for (code, wanted) in [("601", false), ("612", true), ("D01", true)] {
            assert_eq!(offered(&person, code), wanted, "{code}");
        }
        let nobody = drawn("XAXX010101000", "");
        assert!(offered(&nobody, "616") && !offered(&nobody, "612"));
        let unknown = drawn("", "");
        assert!(["601", "612", "D01"].into_iter().all(|code| offered(&unknown, code)));
        assert!(offered(&drawn("URE180429TM6", "612"), "612"), "what was chosen is kept");
        assert!(!company.contains("CP01"), "{company}");
    }
}
