//! Withholdings to print: one of every kind that has a form of its own.

use cfdi::{
    document::Issuer,
    tax::Tax,
    withholding::{
        Beneficiary, Complements, Contribution, Distribution, Dividends, Fee, Foreign,
        ForeignPayment, Interest, National, NonBeneficiary, Origin, Period, PlatformService,
        PlatformServices, Prize, Receiver, Related, Remainder, ServiceTax, ShareSale, Totals,
        TrustLease, WithheldTax, Withholding,
    },
};
use kernel::Amount;
use time::macros::date;

use super::samples::{cents, moment, units};

/// All of them, with a name.
pub(crate) fn all() -> Vec<(&'static str, Withholding)> {
    vec![
        ("withholding_fees", fees()),
        ("withholding_fees_abroad", fees_abroad()),
        ("withholding_others", others()),
        ("withholding_dividends", dividends()),
        ("withholding_interest", interest()),
        ("withholding_abroad", abroad()),
        ("withholding_trust_lease", trust_lease()),
        ("withholding_share_sale", share_sale()),
        ("withholding_prize", prize()),
        ("withholding_platform", platform(2)),
        ("withholding_platform_200", platform(200)),
        ("withholding_incorporation", incorporation()),
        ("withholding_long", long()),
    ]
}

fn withheld(base: Amount, tax: Tax, amount: Amount, kind: &str) -> WithheldTax {
    WithheldTax { base: Some(base), tax: Some(tax), amount, payment_kind: kind.to_owned() }
}

fn totals(taxed: Amount, exempt: Amount, withheld: Amount) -> Totals {
    Totals {
        operation: cfdi::decimal::sum([taxed, exempt]),
        taxed,
        exempt,
        withheld,
        bimonthly_profit: None,
        bimonthly_isr: None,
    }
}

/// Income tax and IVA withheld from the fees of a professional.
pub(crate) fn fees() -> Withholding {
    Withholding {
        folio: Some("R1024".to_owned()),
        issued_at: moment("2026-08-03T11:30:00"),
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
            curp: Some("CACX760510MGTSHC04".to_owned()),
            tax_zip: "64000".to_owned(),
        }),
        period: Period { first_month: 7, last_month: 8, year: 2026 },
        totals: totals(units(10_000), Amount::ZERO, cents(206_667)),
        taxes: vec![
            withheld(units(10_000), Tax::Isr, units(1_000), "04"),
            withheld(units(1_600), Tax::Iva, cents(106_667), "01"),
        ],
        complements: Complements::default(),
    }
}

/// Of that code, with a complement, and only income tax.
fn of(code: &str, complements: Complements) -> Withholding {
    Withholding {
        code: code.to_owned(),
        totals: totals(units(1_000), cents(25_050), units(100)),
        taxes: vec![withheld(units(1_000), Tax::Isr, units(100), "03")],
        complements,
        ..fees()
    }
}

fn somebody_abroad() -> Receiver {
    Receiver::Foreign(Foreign {
        foreign_tax_id: Some("123456789".to_owned()),
        legal_name: "Fabrikam & Sons, Inc.".to_owned(),
    })
}

/// Fees of a foreigner who is represented in Mexico.
pub(crate) fn fees_abroad() -> Withholding {
    let payment = ForeignPayment::Beneficiary(Beneficiary {
        rfc: "CACX7605101P8".to_owned(),
        curp: "CACX760510MGTSHC04".to_owned(),
        legal_name: "XOCHILT CASAS CHAVEZ".to_owned(),
        payee: "2".to_owned(),
        description: "Asesoría en comercio electrónico".to_owned(),
    });
    let complements = Complements { foreign_payment: Some(payment), ..Complements::default() };
    Withholding { receiver: somebody_abroad(), ..of("01", complements) }
}

/// Of another kind, in place of an earlier one, of an unnamed tax.
pub(crate) fn others() -> Withholding {
    Withholding {
        folio: None,
        description: Some("Retención del impuesto cedular".to_owned()),
        related: Some(Related {
            relation: "04".to_owned(),
            uuid: "5FB2822E-396D-4725-8521-CDC4BDD20CCF".to_owned(),
        }),
        taxes: vec![WithheldTax {
            base: None,
            tax: None,
            amount: units(100),
            payment_kind: "03".to_owned(),
        }],
        ..of("25", Complements::default())
    }
}

pub(crate) fn dividends() -> Withholding {
    let distribution = Distribution {
        kind: "06".to_owned(),
        isr_withheld_in_mexico: units(100),
        isr_withheld_abroad: Amount::ZERO,
        withheld_from_foreign_dividends: Some(cents(1_235)),
        company: Origin::National,
        creditable_isr: Some(cents(42_857)),
        national_income: Some(cents(142_857)),
        foreign_income: Some(units(77)),
    };
    let remainder = Remainder { percentage: Some(Amount::from_micros(33_333_300)) };
    let dividends = Dividends { distribution: Some(distribution), remainder: Some(remainder) };
    of("14", Complements { dividends: Some(dividends), ..Complements::default() })
}

pub(crate) fn interest() -> Withholding {
    let interest = Interest {
        from_financial_system: true,
        withdrawn: false,
        from_derivatives: false,
        nominal: cents(125_050),
        real: cents(-1_250),
        loss: cents(31),
    };
    of("16", Complements { interest: Some(interest), ..Complements::default() })
}

/// A payment to a foreigner on behalf of somebody else.
pub(crate) fn abroad() -> Withholding {
    let payment = ForeignPayment::NonBeneficiary(NonBeneficiary {
        tax_residence: "US".to_owned(),
        payee: "3".to_owned(),
        description: "Regalías por el uso de la marca".to_owned(),
    });
    let complements = Complements { foreign_payment: Some(payment), ..Complements::default() };
    Withholding { receiver: somebody_abroad(), ..of("18", complements) }
}

pub(crate) fn trust_lease() -> Withholding {
    let lease = TrustLease {
        paid_by_trustee: units(900),
        yielded: cents(125_050),
        deductions: cents(25_051),
        withheld: Some(units(101)),
        distributed_result: Some(units(333)),
        other_distributions: Some(units(5)),
        other_description: Some("Reembolso de capital".to_owned()),
    };
    of("17", Complements { trust_lease: Some(lease), ..Complements::default() })
}

pub(crate) fn share_sale() -> Withholding {
    let sale =
        ShareSale {
            contract: "Contrato 123 «A»".to_owned(), gain: units(1_001), loss: units(17)
        };
    of("19", Complements { share_sale: Some(sale), ..Complements::default() })
}

pub(crate) fn prize() -> Withholding {
    let prize = Prize {
        state: "09".to_owned(),
        paid: cents(125_052),
        taxed: cents(100_001),
        exempt: cents(25_051),
    };
    of("20", Complements { prize: Some(prize), ..Complements::default() })
}

/// That many rooms let through a platform, every other one without IVA.
pub(crate) fn platform(count: usize) -> Withholding {
    let first = PlatformService {
        payment_form: "03".to_owned(),
        kind: "04".to_owned(),
        subtype: None,
        helper_rfc: Some("CACX7605101P8".to_owned()),
        paid_on: date!(2026 - 07 - 12),
        price: units(1_000),
        tax: Some(ServiceTax {
            base: units(1_000),
            tax: Tax::Iva,
            rate: cents(16),
            amount: units(160),
        }),
        contribution: Some(Contribution { amount: units(30), state: "23".to_owned() }),
        fee: Some(Fee {
            base: Some(units(1_000)),
            rate: Some(Amount::from_micros(155_000)),
            amount: units(155),
        }),
    };
    let second = PlatformService {
        subtype: Some("04".to_owned()),
        helper_rfc: None,
        price: Amount::from_micros(100_123_456),
        tax: None,
        contribution: None,
        fee: None,
        ..first.clone()
    };
    let services = [first, second].into_iter().cycle().take(count).collect();
    let services = PlatformServices { periodicity: "02".to_owned(), services };
    Withholding {
        totals: totals(cents(110_012), Amount::ZERO, units(124)),
        taxes: vec![
            withheld(cents(110_012), Tax::Isr, units(44), "04"),
            withheld(units(160), Tax::Iva, units(80), "01"),
        ],
        ..of("26", Complements { platform_services: Some(services), ..Complements::default() })
    }
}

/// The profit of two months.
pub(crate) fn incorporation() -> Withholding {
    let totals = Totals {
        bimonthly_profit: Some(units(5_000)),
        bimonthly_isr: Some(cents(9_551)),
        ..totals(Amount::ZERO, Amount::ZERO, cents(9_550))
    };
    Withholding {
        totals,
        taxes: vec![withheld(units(5_000), Tax::Isr, cents(9_550), "03")],
        ..of("28", Complements::default())
    }
}

/// Texts as long as they may be, and more taxes than a page holds.
pub(crate) fn long() -> Withholding {
    let words = |chars: usize| "PALABRAS Y MÁS ".chars().cycle().take(chars).collect::<String>();
    let most = Amount::from_micros(999_999_999_999_990_000);
    Withholding {
        folio: Some("F".repeat(20)),
        code: "07".to_owned(),
        description: Some(words(100)),
        issuer: Issuer { legal_name: words(254), ..fees().issuer },
        receiver: Receiver::Foreign(Foreign {
            foreign_tax_id: Some("9".repeat(20)),
            legal_name: "SINESPACIOS".repeat(27),
        }),
        totals: totals(most, Amount::ZERO, most),
        taxes: vec![withheld(most, Tax::Ieps, most, "02"); 120],
        ..fees()
    }
}
