//! Valid withholdings, one of every kind that has a form of its own.

use kernel::Amount;
use time::macros::{date, datetime};

use super::{
    Beneficiary, Complements, Contribution, Distribution, Dividends, Fee, Foreign, ForeignPayment,
    Interest, National, NonBeneficiary, Origin, Period, PlatformService, PlatformServices, Prize,
    Receiver, Related, Remainder, ServiceTax, ShareSale, Totals, TrustLease, WithheldTax,
    Withholding,
};
use crate::{document::Issuer, tax::Tax};

pub(crate) const UUID: &str = "5FB2822E-396D-4725-8521-CDC4BDD20CCF";

pub(crate) const ALL: &[fn() -> Withholding] = &[
    fees,
    fees_abroad,
    others,
    dividends,
    interest,
    abroad,
    trust_lease,
    share_sale,
    prize,
    platform,
    incorporation,
];

pub(crate) fn amount(text: &str) -> Amount {
    Amount::parse(text).unwrap()
}

pub(crate) fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

pub(crate) fn withheld(base: &str, tax: Tax, amount_of: &str, kind: &str) -> WithheldTax {
    WithheldTax {
        base: Some(amount(base)),
        tax: Some(tax),
        amount: amount(amount_of),
        payment_kind: kind.to_owned(),
    }
}

/// A company withholds income tax and IVA from the fees of a professional.
pub(crate) fn fees() -> Withholding {
    Withholding {
        folio: text("R1024"),
        issued_at: datetime!(2026-08-03 11:30:00),
        place_of_issue: "06600".to_owned(),
        code: "01".to_owned(),
        description: None,
        related: None,
        issuer: Issuer {
            rfc: "EKU9003173C9".to_owned(),
            legal_name: "ESCUELA KEMPER URGATE".to_owned(),
            tax_regime: "601".to_owned(),
        },
        receiver: Receiver::National(National {
            rfc: "CACX7605101P8".to_owned(),
            legal_name: "XOCHILT CASAS CHAVEZ".to_owned(),
            curp: text("CACX760510MGTSHC04"),
            tax_zip: "64000".to_owned(),
        }),
        period: Period { first_month: 7, last_month: 7, year: 2026 },
        totals: totals("10000", "0", "2066.67"),
        taxes: vec![
            withheld("10000", Tax::Isr, "1000", "04"),
            withheld("1600", Tax::Iva, "1066.67", "01"),
        ],
        complements: Complements::default(),
    }
}

fn totals(taxed: &str, exempt: &str, withheld: &str) -> Totals {
    Totals {
        operation: crate::decimal::sum([amount(taxed), amount(exempt)]),
        taxed: amount(taxed),
        exempt: amount(exempt),
        withheld: amount(withheld),
        bimonthly_profit: None,
        bimonthly_isr: None,
    }
}

/// Of that code, with a complement, and only income tax.
fn of(code: &str, complements: Complements) -> Withholding {
    Withholding {
        code: code.to_owned(),
        totals: totals("1000", "250.5", "100"),
        taxes: vec![withheld("1000", Tax::Isr, "100", "03")],
        complements,
        ..fees()
    }
}

fn somebody_abroad() -> Receiver {
    Receiver::Foreign(Foreign {
        foreign_tax_id: text("123456789"),
        legal_name: "Fabrikam & Sons, Inc.".to_owned(),
    })
}

fn beneficiary() -> ForeignPayment {
    ForeignPayment::Beneficiary(Beneficiary {
        rfc: "CACX7605101P8".to_owned(),
        curp: "CACX760510MGTSHC04".to_owned(),
        legal_name: "XOCHILT CASAS CHAVEZ".to_owned(),
        payee: "2".to_owned(),
        description: "Honorarios".to_owned(),
    })
}

/// Fees of a foreigner who is represented in Mexico.
pub(crate) fn fees_abroad() -> Withholding {
    let complements =
        Complements { foreign_payment: Some(beneficiary()), ..Complements::default() };
    Withholding { receiver: somebody_abroad(), ..of("01", complements) }
}

/// Of another kind, in place of an earlier one, of an unnamed tax.
pub(crate) fn others() -> Withholding {
    let related = Related { relation: "04".to_owned(), uuid: UUID.to_owned() };
    let mut withholding = of("25", Complements::default());
    withholding.taxes[0].tax = None;
    withholding.taxes[0].base = None;
    Withholding { description: text("Cinco al millar"), related: Some(related), ..withholding }
}

pub(crate) fn dividends() -> Withholding {
    let distribution = Distribution {
        kind: "06".to_owned(),
        isr_withheld_in_mexico: amount("100"),
        isr_withheld_abroad: Amount::ZERO,
        withheld_from_foreign_dividends: Some(amount("12.345678")),
        company: Origin::National,
        creditable_isr: Some(amount("428.57")),
        national_income: Some(amount("1428.57")),
        foreign_income: None,
    };
    let dividends = Dividends {
        distribution: Some(distribution),
        remainder: Some(Remainder { percentage: Some(amount("33.3333")) }),
    };
    of("14", Complements { dividends: Some(dividends), ..Complements::default() })
}

pub(crate) fn interest() -> Withholding {
    let interest = Interest {
        from_financial_system: true,
        withdrawn: false,
        from_derivatives: false,
        nominal: amount("1250.5"),
        real: amount("-12.5"),
        loss: Amount::ZERO,
    };
    of("16", Complements { interest: Some(interest), ..Complements::default() })
}

/// A payment to a foreigner on behalf of somebody else.
pub(crate) fn abroad() -> Withholding {
    let payment = ForeignPayment::NonBeneficiary(NonBeneficiary {
        tax_residence: "US".to_owned(),
        payee: "3".to_owned(),
        description: "Regalías".to_owned(),
    });
    let complements = Complements { foreign_payment: Some(payment), ..Complements::default() };
    Withholding { receiver: somebody_abroad(), ..of("18", complements) }
}

pub(crate) fn trust_lease() -> Withholding {
    let lease = TrustLease {
        paid_by_trustee: amount("900"),
        yielded: amount("1250.5"),
        deductions: amount("250.5"),
        withheld: Some(amount("100")),
        distributed_result: None,
        other_distributions: Some(amount("5")),
        other_description: text("Reembolso de capital"),
    };
    of("17", Complements { trust_lease: Some(lease), ..Complements::default() })
}

pub(crate) fn share_sale() -> Withholding {
    let sale = ShareSale {
        contract: "Contrato 123 \"A\"".to_owned(),
        gain: amount("1000"),
        loss: Amount::ZERO,
    };
    of("19", Complements { share_sale: Some(sale), ..Complements::default() })
}

pub(crate) fn prize() -> Withholding {
    let prize = Prize {
        state: "09".to_owned(),
        paid: amount("1250.5"),
        taxed: amount("1000"),
        exempt: amount("250.5"),
    };
    of("20", Complements { prize: Some(prize), ..Complements::default() })
}

/// Two rooms let through a platform, one of them without IVA.
pub(crate) fn platform() -> Withholding {
    let first = PlatformService {
        payment_form: "03".to_owned(),
        kind: "04".to_owned(),
        subtype: None,
        helper_rfc: text("CACX7605101P8"),
        paid_on: date!(2026 - 07 - 12),
        price: amount("1000"),
        tax: Some(ServiceTax {
            base: amount("1000"),
            tax: Tax::Iva,
            rate: amount("0.16"),
            amount: amount("160"),
        }),
        contribution: Some(Contribution { amount: amount("30"), state: "23".to_owned() }),
        fee: Some(Fee {
            base: Some(amount("1000")),
            rate: Some(amount("0.155")),
            amount: amount("155"),
        }),
    };
    let second = PlatformService {
        subtype: text("04"),
        helper_rfc: None,
        price: amount("100.123456"),
        tax: None,
        contribution: None,
        fee: None,
        ..first.clone()
    };
    let services = PlatformServices { periodicity: "02".to_owned(), services: vec![first, second] };
    Withholding {
        totals: totals("1100.12", "0", "124"),
        taxes: vec![
            withheld("1100.12", Tax::Isr, "44", "04"),
            withheld("160", Tax::Iva, "80", "01"),
        ],
        ..of("26", Complements { platform_services: Some(services), ..Complements::default() })
    }
}

/// The profit of two months.
pub(crate) fn incorporation() -> Withholding {
    let totals = Totals {
        bimonthly_profit: Some(amount("5000")),
        bimonthly_isr: Some(amount("95.5")),
        ..totals("0", "0", "95.5")
    };
    Withholding {
        period: Period { first_month: 5, last_month: 6, year: 2026 },
        totals,
        taxes: vec![withheld("5000", Tax::Isr, "95.5", "03")],
        ..of("28", Complements::default())
    }
}
