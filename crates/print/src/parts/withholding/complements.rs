//! What some kinds of withholding state beside their sums.

use cfdi::withholding::{
    Distribution, Dividends, ForeignPayment, Interest, Prize, ShareSale, TrustLease, Withholding,
};
use kernel::{Amount, Language};

use super::{money, platform};
use crate::{
    block::Block,
    figures,
    names::Catalog,
    parts::{FULL, Field, fields, heading, stated},
    text::facts,
    texts::{self, Label},
};

const NAME_WIDTH: f32 = 168.0;

/// The parts of the complements that a withholding has.
pub(super) fn complements(withholding: &Withholding, language: Language) -> Vec<Block> {
    let it = &withholding.complements;
    let platform = it.platform_services.as_ref().zip(withholding.platform_totals());
    let parts = [
        it.dividends.as_ref().map(|it| (texts::DIVIDENDS, dividends(it, language))),
        it.interest.as_ref().map(|it| (texts::INTEREST, interest(it, language))),
        it.foreign_payment
            .as_ref()
            .map(|it| (texts::FOREIGN_PAYMENT, foreign_payment(it, language))),
        it.trust_lease.as_ref().map(|it| (texts::TRUST_LEASE, trust_lease(it))),
        it.share_sale.as_ref().map(|it| (texts::SHARE_SALE, share_sale(it))),
        it.prize.as_ref().map(|it| (texts::PRIZE, prize(it))),
        platform.map(|(it, totals)| (texts::PLATFORM_SERVICES, platform::facts(it, &totals))),
    ];
    parts.into_iter().flatten().map(|(title, list)| part(title, &list, language)).collect()
}

fn part(title: Label, list: &[Field], language: Language) -> Block {
    let list = fields(list, FULL, NAME_WIDTH, language);
    heading(title.text(language), FULL).then(list).then(Block::space(8.0))
}

fn dividends(dividends: &Dividends, language: Language) -> Vec<Field> {
    let remainder = dividends.remainder.as_ref().and_then(|remainder| remainder.percentage);
    let share = remainder.map(|share| texts::PERCENT.with(language, &[&figures::plain(share)]));
    let distribution = dividends.distribution.iter().flat_map(distribution);
    distribution.chain(stated([(texts::REMAINDER_SHARE, share)])).collect()
}

fn distribution(of: &Distribution) -> Vec<Field> {
    stated([
        (texts::DIVIDEND_KIND, Some(Catalog::Dividend.labelled(&of.kind))),
        (texts::DISTRIBUTING_COMPANY, Some(of.company.spanish().to_owned())),
        (texts::ISR_WITHHELD_IN_MEXICO, Some(money(of.isr_withheld_in_mexico))),
        (texts::ISR_WITHHELD_ABROAD, Some(money(of.isr_withheld_abroad))),
        (texts::WITHHELD_FROM_FOREIGN_DIVIDENDS, of.withheld_from_foreign_dividends.map(money)),
        (texts::CREDITABLE_ISR, of.creditable_isr.map(money)),
        (texts::NATIONAL_INCOME, of.national_income.map(money)),
        (texts::FOREIGN_INCOME, of.foreign_income.map(money)),
    ])
}

fn interest(interest: &Interest, language: Language) -> Vec<Field> {
    let yes_or_no = |yes| Some(yes_or_no(yes, language));
    let sum = |amount: Amount| Some(money(amount));
    stated([
        (texts::FROM_FINANCIAL_SYSTEM, yes_or_no(interest.from_financial_system)),
        (texts::WITHDRAWN, yes_or_no(interest.withdrawn)),
        (texts::FROM_DERIVATIVES, yes_or_no(interest.from_derivatives)),
        (texts::NOMINAL_INTEREST, sum(interest.nominal)),
        (texts::REAL_INTEREST, sum(interest.real)),
        (texts::LOSS, sum(interest.loss)),
    ])
}

fn foreign_payment(payment: &ForeignPayment, language: Language) -> Vec<Field> {
    let (whom, payee, description) = match payment {
        ForeignPayment::Beneficiary(one) => {
            let who = [one.legal_name.clone(), one.rfc.clone(), one.curp.clone()];
            ((texts::REPRESENTATIVE, facts(&who)), &one.payee, &one.description)
        }
        ForeignPayment::NonBeneficiary(one) => {
            let country = Catalog::ForeignCountry.labelled(&one.tax_residence);
            ((texts::RESIDENCE, country), &one.payee, &one.description)
        }
    };
    let benefits = matches!(payment, ForeignPayment::Beneficiary(_));
    vec![
        (texts::IS_BENEFICIARY, yes_or_no(benefits, language)),
        whom,
        (texts::PAYEE, Catalog::Payee.labelled(payee)),
        (texts::PAID_FOR, description.clone()),
    ]
}

fn trust_lease(lease: &TrustLease) -> Vec<Field> {
    let other = lease.other_distributions.map(|other| {
        let parts = [Some(money(other)), lease.other_description.clone()];
        facts(&parts.into_iter().flatten().collect::<Vec<_>>())
    });
    stated([
        (texts::PAID_BY_TRUSTEE, Some(money(lease.paid_by_trustee))),
        (texts::TRUST_YIELD, Some(money(lease.yielded))),
        (texts::DEDUCTIONS, Some(money(lease.deductions))),
        (texts::TRUST_WITHHELD, lease.withheld.map(money)),
        (texts::FIBRA_RESULT, lease.distributed_result.map(money)),
        (texts::OTHER_DISTRIBUTIONS, other),
    ])
}

fn share_sale(sale: &ShareSale) -> Vec<Field> {
    vec![
        (texts::BROKERAGE_CONTRACT, sale.contract.clone()),
        (texts::GAIN, money(sale.gain)),
        (texts::LOSS, money(sale.loss)),
    ]
}

fn prize(prize: &Prize) -> Vec<Field> {
    vec![
        (texts::STATE, Catalog::State.labelled(&prize.state)),
        (texts::PRIZE_PAID, money(prize.paid)),
        (texts::TAXED_AMOUNT, money(prize.taxed)),
        (texts::EXEMPT_AMOUNT, money(prize.exempt)),
    ]
}

fn yes_or_no(yes: bool, language: Language) -> String {
    if yes { texts::YES } else { texts::NO }.text(language).to_owned()
}
