//! Reading what some kinds of withholding state beside their sums.

mod platform;

use cfdi::withholding::{
    Beneficiary, Complements, Distribution, Dividends, ForeignPayment, Interest, NonBeneficiary,
    Origin, Prize, Remainder, ShareSale, TrustLease,
};
use intake::{
    Check, Fields,
    checks::{flag, line, number, object, one_of, text},
    noun,
};
use kernel::{Amount, message};

use super::{
    not_negative,
    receiver::{CURP_CHARS, one_of_two},
};
use crate::resources::fiscal::{rfc, two_digits};
use platform::read_platform_services;

/// Maximum characters of any text; the rules know the limit of each.
const CHARS_MAX: usize = 300;
const ABOUT: &str =
    "What the kind of withholding needs beside its sums; an update replaces all of them.";

pub(super) fn complements() -> impl Check<Value = Complements> {
    object(noun("complements", "complementos"), read_complements).about(ABOUT)
}

fn read_complements(fields: &mut Fields<'_>) -> Option<Complements> {
    let dividends = object(noun("dividends", "dividendos"), read_dividends)
        .about("Dividends or profits that are distributed (complement Dividendos).");
    let interest = object(noun("interest", "intereses"), read_interest)
        .about("Interest that was earned (complement Intereses).");
    let payment = object(noun("a payment abroad", "un pago al extranjero"), read_foreign_payment)
        .about("To whom abroad it was paid (complement Pagos a extranjeros).");
    let lease = object(noun("a lease in trust", "un arrendamiento"), read_trust_lease)
        .about("What a trust earned by leases (complement Arrendamiento en fideicomiso).");
    let sale = object(noun("a sale of shares", "una enajenación de acciones"), read_share_sale)
        .about("Shares that were sold (complement Enajenación de acciones).");
    let prize = object(noun("a prize", "un premio"), read_prize)
        .about("A prize that was won (complement Premios).");
    let services = object(noun("services", "los servicios"), read_platform_services)
        .about("Services sold through a platform (complement Plataformas tecnológicas).");
    Some(Complements {
        dividends: fields.optional("dividends", dividends),
        interest: fields.optional("interest", interest),
        foreign_payment: fields.optional("foreignPayment", payment),
        trust_lease: fields.optional("trustLease", lease),
        share_sale: fields.optional("shareSale", sale),
        prize: fields.optional("prize", prize),
        platform_services: fields.optional("platformServices", services),
    })
}

fn read_dividends(fields: &mut Fields<'_>) -> Option<Dividends> {
    let distribution = object(noun("a distribution", "una distribución"), read_distribution)
        .about("Dividends or profits that were distributed.");
    let remainder = object(noun("a remainder", "un remanente"), read_remainder)
        .about("What a civil association distributes of its remainder.");
    Some(Dividends {
        distribution: fields.optional("distribution", distribution),
        remainder: fields.optional("remainder", remainder),
    })
}

fn read_distribution(fields: &mut Fields<'_>) -> Option<Distribution> {
    let kind = two_digits("01")
        .about("What they are paid out of, see GET /invoices/cfdi/tipos-dividendo.");
    let kind = fields.required("kind", kind);
    let mexico = not_negative().about("Creditable income tax withheld in Mexico; defaults to 0.");
    let mexico = fields.optional("isrWithheldInMexico", mexico);
    let abroad = not_negative().about("Creditable income tax withheld abroad; defaults to 0.");
    let abroad = fields.optional("isrWithheldAbroad", abroad);
    let foreign = not_negative().about("Amount withheld abroad from foreign dividends.");
    let withheld_from_foreign_dividends = fields.optional("withheldFromForeignDividends", foreign);
    let company =
        one_of(Origin::EVERY, Origin::name).about("Where the company that distributes is from.");
    let company = fields.required("company", company);
    let creditable = not_negative().about("Creditable income tax of the company.");
    let creditable_isr = fields.optional("creditableIsr", creditable);
    let national = not_negative().about("Taxable income from a Mexican company's dividend.");
    let national_income = fields.optional("nationalIncome", national);
    let foreign = not_negative().about("Taxable income from a foreign company's dividend.");
    let foreign_income = fields.optional("foreignIncome", foreign);
    Some(Distribution {
        kind: kind?,
        isr_withheld_in_mexico: mexico.unwrap_or_default(),
        isr_withheld_abroad: abroad.unwrap_or_default(),
        withheld_from_foreign_dividends,
        company: company?,
        creditable_isr,
        national_income,
        foreign_income,
    })
}

fn read_remainder(fields: &mut Fields<'_>) -> Option<Remainder> {
    let percentage = not_negative().about("The receiver's share, in percent.");
    Some(Remainder { percentage: fields.optional("percentage", percentage) })
}

fn read_interest(fields: &mut Fields<'_>) -> Option<Interest> {
    let mut whether = |name, about| fields.optional(name, flag().about(about)).unwrap_or_default();
    let from_financial_system = whether(
        "fromFinancialSystem",
        "Whether the financial system pays it; defaults to `false`.",
    );
    let withdrawn = whether("withdrawn", "Whether it was withdrawn; defaults to `false`.");
    let from_derivatives =
        whether("fromDerivatives", "Whether it is of financial derivatives; defaults to `false`.");
    let nominal = fields.required("nominal", not_negative().about("Nominal interest."));
    let real = number(None, Ok).about("Real interest; negative if inflation was higher.");
    let real = fields.required("real", real);
    let loss = fields.optional("loss", not_negative().about("Loss; defaults to 0."));
    Some(Interest {
        from_financial_system,
        withdrawn,
        from_derivatives,
        nominal: nominal?,
        real: real?,
        loss: loss.unwrap_or_default(),
    })
}

fn read_foreign_payment(fields: &mut Fields<'_>) -> Option<ForeignPayment> {
    let beneficiary = object(noun("a beneficiary", "un beneficiario"), read_beneficiary)
        .about("Representative in Mexico of the receiver, who benefits.");
    let other = object(noun("a non-beneficiary", "un no beneficiario"), read_non_beneficiary)
        .about("Resident abroad who is paid without benefiting.");
    one_of_two(fields, ("beneficiary", beneficiary), ("nonBeneficiary", other))
}

fn read_beneficiary(fields: &mut Fields<'_>) -> Option<ForeignPayment> {
    let rfc = fields.required("rfc", rfc());
    let curp = fields.required("curp", line(CURP_CHARS));
    let legal_name = fields.required("legalName", line(CHARS_MAX));
    let payee = fields.required("payee", payee());
    let description = fields.required("description", paid_for());
    Some(ForeignPayment::Beneficiary(Beneficiary {
        rfc: rfc?,
        curp: curp?,
        legal_name: legal_name?,
        payee: payee?,
        description: description?,
    }))
}

fn read_non_beneficiary(fields: &mut Fields<'_>) -> Option<ForeignPayment> {
    let tax_residence = fields.required("taxResidence", country());
    let payee = fields.required("payee", payee());
    let description = fields.required("description", paid_for());
    Some(ForeignPayment::NonBeneficiary(NonBeneficiary {
        tax_residence: tax_residence?,
        payee: payee?,
        description: description?,
    }))
}

fn paid_for() -> impl Check<Value = String> {
    line(CHARS_MAX).about("What is paid for.")
}

/// A code of c_TipoContribuyenteSujetoRetencion.
fn payee() -> impl Check<Value = String> {
    text(|code| match code.len() == 1 && code.bytes().all(|b| b.is_ascii_digit()) {
        true => Ok(code.to_owned()),
        false => Err(message!("must be a code of 1 digit", "debe ser un código de 1 dígito")),
    })
    .pattern("^[0-9]$")
    .example("3")
    .about("Kind of taxpayer that is paid, see GET /invoices/cfdi/tipos-contribuyente-retencion.")
}

/// A country of the catalog of withholdings; lower case is raised.
fn country() -> impl Check<Value = String> {
    text(|code| {
        let code = code.trim().to_ascii_uppercase();
        let is_code = (2..=3).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_uppercase());
        match is_code {
            true => Ok(code),
            false => Err(message!(
                "must be a country of 2 or 3 letters such as \"US\"",
                "debe ser un país de 2 o 3 letras, como \"US\""
            )),
        }
    })
    .pattern("^[A-Za-z]{2,3}$")
    .example("US")
    .about("Country of residence, see GET /invoices/cfdi/paises-retencion.")
}

fn read_trust_lease(fields: &mut Fields<'_>) -> Option<TrustLease> {
    let paid = not_negative().about("Amount that the trustee paid to the lessor.");
    let paid_by_trustee = fields.required("paidByTrustee", paid);
    let yielded = fields.required("yielded", not_negative().about("Yield of the trust."));
    let deductions =
        fields.required("deductions", not_negative().about("Deductions that correspond to it."));
    let withheld = fields.optional("withheld", not_negative().about("Amount withheld."));
    let result = not_negative().about("Fiscal result that a FIBRA distributed.");
    let distributed_result = fields.optional("distributedResult", result);
    let other = not_negative().about("Amount of other distributions.");
    let other_distributions = fields.optional("otherDistributions", other);
    let description = line(CHARS_MAX).about("What the other distributions are.");
    let other_description = fields.optional("otherDescription", description);
    Some(TrustLease {
        paid_by_trustee: paid_by_trustee?,
        yielded: yielded?,
        deductions: deductions?,
        withheld,
        distributed_result,
        other_distributions,
        other_description,
    })
}

fn read_share_sale(fields: &mut Fields<'_>) -> Option<ShareSale> {
    let contract = line(CHARS_MAX).about("Contract with the broker, in words.");
    let contract = fields.required("contract", contract);
    let (gain, loss) = gain_and_loss(fields);
    Some(ShareSale { contract: contract?, gain, loss })
}

fn gain_and_loss(fields: &mut Fields<'_>) -> (Amount, Amount) {
    let gain = fields.optional("gain", not_negative().about("Gain; defaults to 0."));
    let loss = fields.optional("loss", not_negative().about("Loss; defaults to 0."));
    (gain.unwrap_or_default(), loss.unwrap_or_default())
}

fn read_prize(fields: &mut Fields<'_>) -> Option<Prize> {
    let state = two_digits("09")
        .about("State where it is paid, see GET /invoices/cfdi/entidades-federativas.");
    let state = fields.required("state", state);
    let paid = fields.required("paid", not_negative().about("Amount paid."));
    let taxed = fields.required("taxed", not_negative().about("Taxed part of it."));
    let exempt =
        fields.optional("exempt", not_negative().about("Exempt part of it; defaults to 0."));
    Some(Prize { state: state?, paid: paid?, taxed: taxed?, exempt: exempt.unwrap_or_default() })
}
