//! What was sold through a platform.

use cfdi::{
    document::day,
    withholding::{
        Contribution, Fee, PlatformService, PlatformServices, PlatformTotals, ServiceTax,
    },
};
use kernel::Language;

use super::money;
use crate::{
    block::Block,
    figures,
    flow::Flow,
    names::Catalog,
    parts::{FULL, Field, stated, taxes},
    table::{Cell, Spec, Table, Width, cell},
    text::{self, Align, Style},
    texts::{self, Label},
};

/// The sums of all that was sold.
pub(super) fn facts(services: &PlatformServices, totals: &PlatformTotals) -> Vec<Field> {
    let periodicity = Catalog::PlatformPeriodicity.labelled(&services.periodicity);
    stated([
        (texts::PERIODICITY, Some(periodicity)),
        (texts::SERVICES_COUNT, Some(totals.count.to_string())),
        (texts::SERVICES_PRICE, Some(money(totals.price))),
        (texts::IVA_CHARGED, Some(money(totals.iva_charged))),
        (texts::IVA_WITHHELD, Some(money(totals.iva_withheld))),
        (texts::ISR_WITHHELD, Some(money(totals.isr_withheld))),
        (texts::IVA_DELIVERED, Some(money(totals.iva_delivered))),
        (texts::FEES, Some(money(totals.fees))),
        (texts::CONTRIBUTIONS, totals.contributions.map(money)),
    ])
}

/// The table of each sale.
pub(super) fn services(services: &PlatformServices, language: Language, flow: &mut Flow) {
    let rows: Vec<_> = services.services.iter().map(|service| row(service, language)).collect();
    let fitting = |title: Label, align, most| Spec {
        title: title.text(language),
        align,
        width: Width::Fitting { most },
    };
    let specs = [
        fitting(texts::SERVICE_DAY, Align::Left, 60.0),
        Spec { title: texts::SERVICE.text(language), align: Align::Left, width: Width::Rest },
        fitting(texts::SERVICE_PRICE, Align::Right, 80.0),
        fitting(texts::TAX, Align::Right, 80.0),
        fitting(texts::CONTRIBUTION, Align::Right, 80.0),
        fitting(texts::FEE, Align::Right, 80.0),
    ];
    let table = Table::for_rows(FULL, &specs, &rows);
    flow.begin_table(table.head());
    for row in &rows {
        flow.place_row(table.row(row));
    }
    flow.end_table();
    flow.place(Block::space(8.0));
}

fn row(service: &PlatformService, language: Language) -> Vec<Cell> {
    let subtype = service.subtype.as_deref().map(|code| Catalog::ServiceSubtype.labelled(code));
    let payment = Catalog::ServicePayment.labelled(&service.payment_form);
    let helper = service.helper_rfc.as_ref().map(|rfc| texts::HELPER.with(language, &[rfc]));
    let details: Vec<_> = [subtype, Some(payment), helper].into_iter().flatten().collect();
    let mut sold = cell(Catalog::Service.labelled(&service.kind));
    sold.push((Style::FINE, text::facts(&details)));
    vec![
        cell(day::to_text(service.paid_on)),
        sold,
        cell(money(service.price)),
        service.tax.as_ref().map(|tax| self::tax(tax, language)).unwrap_or_default(),
        service.contribution.as_ref().map(contribution).unwrap_or_default(),
        service.fee.as_ref().map(|fee| self::fee(fee, language)).unwrap_or_default(),
    ]
}

fn tax(tax: &ServiceTax, language: Language) -> Cell {
    let name = format!("{} {}", taxes::name(tax.tax, language), figures::percent(tax.rate));
    let base = texts::TAX_BASE.with(language, &[&money(tax.base)]);
    detailed(money(tax.amount), [Some(name), Some(base)])
}

fn contribution(contribution: &Contribution) -> Cell {
    let state = Catalog::State.labelled(&contribution.state);
    detailed(money(contribution.amount), [Some(state), None])
}

fn fee(fee: &Fee, language: Language) -> Cell {
    let base = fee.base.map(|base| texts::TAX_BASE.with(language, &[&money(base)]));
    detailed(money(fee.amount), [fee.rate.map(figures::percent), base])
}

/// A cell of an amount with what is said of it below.
fn detailed(amount: String, details: [Option<String>; 2]) -> Cell {
    let details = details.into_iter().flatten().map(|text| (Style::FINE, text));
    cell(amount).into_iter().chain(details).collect()
}
