//! Where a customer fills in their own tax data.

use actix_web::http::StatusCode;
use cfdi::{
    catalogs::{countries, postal_codes, regimes, uses},
    document::is_generic,
    rules::Finding,
};
use crm::{
    Customer, CustomerChanges, CustomerId, UpdateCustomer,
    customer::{self, FOREIGN_ID_CHARS_MAX, NAME_CHARS_MAX},
    tax,
};
use intake::{Fields, Form, noun};
use invoices::{KnownCustomer, tax_data};
use kernel::{AccountId, Actor, Ctx, Language, Message, message, text as words};
use links::{LinkKind, Token};
use pages::{Choice, Fault, Outcome, TaxDataPage, Values};

use super::{anything, followed, merchant, nothing, page, reader, unless_gone};
use crate::{
    answer::Answer,
    call::Call,
    error::{ApiError, Code},
    reply::{answered, found, outcome},
};

/// The code of a foreign tax identifier without its country.
const NO_RESIDENCE: &str = "CFDI40153";

pub(super) const FORM: Form<Sent> =
    Form::body("TaxData", noun("tax data", "los datos fiscales"), read_form, "{}");

/// What was sent.
pub(super) struct Sent {
    values: Values,
    /// The digest of the values that were probably a mistake, and are none.
    confirmed: Option<String>,
}

fn read_form(fields: &mut Fields<'_>) -> Option<Sent> {
    let mut read = |name| fields.optional(name, anything()).unwrap_or_default();
    let values = Values {
        rfc: read("rfc"),
        legal_name: read("legalName"),
        tax_zip: read("taxZip"),
        tax_regime: read("taxRegime"),
        cfdi_use: read("cfdiUse"),
        tax_residence: read("taxResidence"),
        foreign_tax_id: read("foreignTaxId"),
        email: read("email"),
    };
    let confirmed = fields.optional("confirmed", anything());
    Some(Sent { values, confirmed })
}

pub(super) async fn show(call: Call<()>, token: Option<Token>) -> Result<Answer, ApiError> {
    match held_by(&call, token).await? {
        Some((account, customer)) => {
            shown(&call, account, values(&customer), Outcome::Blank, StatusCode::OK).await
        }
        None => nothing(&call),
    }
}

pub(super) async fn save(
    call: Call<()>,
    (token, sent): (Option<Token>, Sent),
) -> Result<Answer, ApiError> {
    let Some((account, customer)) = held_by(&call, token).await? else {
        return nothing(&call);
    };
    let Sent { values, confirmed } = sent;
    let values = tidied(values);
    // Whoever has changed something since is asked again.
    let is_confirmed = confirmed.is_some_and(|confirmed| confirmed == values.digest());
    let language = reader(call.headers());
    let faults = malformed(&values, language);
    if !faults.is_empty() {
        let refused = Outcome::Refused(faults);
        return shown(&call, account, values, refused, StatusCode::BAD_REQUEST).await;
    }
    let changes = changes(&values);
    let issuer = answered(call.services().issuers.issuer(account, None)).await?;
    let place = issuer.as_ref().map(|issuer| issuer.tax_zip.as_str());
    let changed = customer::update(&customer, changes.clone(), call.now);
    let check = tax_data::check(&KnownCustomer::from(&changed), place, call.now);
    if !check.findings.is_empty() {
        let refused = Outcome::Refused(faults_of(&check.findings, language));
        return shown(&call, account, values, refused, StatusCode::BAD_REQUEST).await;
    }
    if !check.doubts.is_empty() && !is_confirmed {
        let doubted = Outcome::Doubted(faults_of(&check.doubts, language));
        return shown(&call, account, values, doubted, StatusCode::OK).await;
    }
    let ctx = Ctx::system(account, call.now).by(Actor::Public);
    let command = UpdateCustomer { id: customer.id, version: None, changes, is_submitted: true };
    match outcome(call.services().customers.update(ctx, command)).await? {
        Ok(_) => shown(&call, account, values, Outcome::Saved, StatusCode::OK).await,
        Err(refused) => {
            let error = ApiError::from(refused);
            match error.code {
                Code::NotFound => nothing(&call),
                Code::DuplicateEmail => {
                    let problem = message!(
                        "belongs to another customer already: use another one, or leave it empty",
                        "ya pertenece a otro cliente: use otro o déjelo vacío"
                    );
                    let refused = Outcome::Refused(vec![fault("email", &problem, language)]);
                    shown(&call, account, values, refused, StatusCode::CONFLICT).await
                }
                _ => Err(error),
            }
        }
    }
}

/// The customer that a token leads to, with the account.
async fn held_by(
    call: &Call<()>,
    token: Option<Token>,
) -> Result<Option<(AccountId, Customer)>, ApiError> {
    let Some((account, subject)) = followed(call, token, LinkKind::TaxData).await? else {
        return Ok(None);
    };
    let Some(id) = CustomerId::parse(&subject) else { return Ok(None) };
    let customer = unless_gone(found(call.services().customers.get(account, id)).await)?;
    Ok(customer.map(|customer| (account, customer)))
}

async fn shown(
    call: &Call<()>,
    account: AccountId,
    values: Values,
    outcome: Outcome,
    status: StatusCode,
) -> Result<Answer, ApiError> {
    let (merchant, sandbox) = merchant(call, account).await?;
    let language = reader(call.headers());
    let regimes = regimes::all().iter().map(|row| Choice { code: row.code, name: row.name });
    let uses = uses::all().iter().filter(|row| is_of_a_sale(row.code));
    let uses = uses.map(|row| Choice { code: row.code, name: row.name });
    let countries = countries::all().iter().filter(|row| row.code != countries::MEXICO);
    let countries = countries.map(|row| Choice { code: row.code, name: row.name });
    let html = TaxDataPage {
        language,
        sandbox,
        merchant: &merchant,
        values,
        regimes: regimes.collect(),
        uses: uses.collect(),
        countries: countries.collect(),
        outcome,
    }
    .html();
    page(status, html, language)
}

/// Payment receipts and payroll have uses of their own.
fn is_of_a_sale(cfdi_use: &str) -> bool {
    !["CP01", "CN01"].contains(&cfdi_use)
}

fn values(customer: &Customer) -> Values {
    let text = |field: &Option<String>| field.clone().unwrap_or_default();
    Values {
        rfc: text(&customer.rfc),
        legal_name: text(&customer.legal_name),
        tax_zip: text(&customer.tax_zip),
        tax_regime: text(&customer.tax_regime),
        cfdi_use: text(&customer.cfdi_use),
        tax_residence: text(&customer.tax_residence),
        foreign_tax_id: text(&customer.foreign_tax_id),
        email: text(&customer.email),
    }
}

/// As SAT writes them: in capitals, and an RFC without what people put between its parts. The email address as the
/// customer keeps it.
fn tidied(values: Values) -> Values {
    let is_part = |c: &char| !c.is_whitespace() && *c != '-';
    Values {
        rfc: values.rfc.chars().filter(is_part).collect::<String>().to_uppercase(),
        legal_name: values.legal_name.to_uppercase(),
        tax_residence: values.tax_residence.trim().to_ascii_uppercase(),
        email: words::email(&values.email).unwrap_or(values.email),
        ..values
    }
}

/// What cannot be saved, field by field.
fn malformed(values: &Values, language: Language) -> Vec<Fault> {
    let known = |is_known: bool, problem: Message| if is_known { Ok(()) } else { Err(problem) };
    let choose = || message!("must be chosen", "debe elegirse");
    // Who has no RFC of their own has the postal code of the place of issue, no obligations, and one use.
    let follows = |text: &str| text.is_empty() && is_generic(&values.rfc);
    let judged = [
        ("rfc", tax::rfc(&values.rfc).map(drop)),
        ("legalName", words::line(&values.legal_name, NAME_CHARS_MAX).map(drop)),
        (
            "taxZip",
            known(
                follows(&values.tax_zip) || postal_codes::find(&values.tax_zip).is_some(),
                message!(
                    "must be a postal code of SAT's catalog, 5 digits",
                    "debe ser un código postal del catálogo del SAT, de 5 dígitos"
                ),
            ),
        ),
        (
            "taxRegime",
            known(
                follows(&values.tax_regime) || regimes::find(&values.tax_regime).is_some(),
                choose(),
            ),
        ),
        (
            "cfdiUse",
            known(follows(&values.cfdi_use) || uses::find(&values.cfdi_use).is_some(), choose()),
        ),
        (
            "taxResidence",
            match values.tax_residence.as_str() {
                "" => Ok(()),
                country => known(countries::find(country).is_some(), choose()),
            },
        ),
        (
            "foreignTaxId",
            match values.foreign_tax_id.as_str() {
                "" => Ok(()),
                id => words::line(id, FOREIGN_ID_CHARS_MAX).map(drop),
            },
        ),
        (
            "email",
            match values.email.as_str() {
                "" => Ok(()),
                email => words::email(email).map(drop),
            },
        ),
    ];
    let faults = judged.into_iter().filter_map(|(field, verdict)| Some((field, verdict.err()?)));
    faults.map(|(field, problem)| fault(field, &problem, language)).collect()
}

fn fault(field: &str, problem: &Message, language: Language) -> Fault {
    let clause = format!("{}.", problem.in_language(language));
    Fault { field: field.to_owned(), clause }
}

/// Findings as clauses that follow the label of their field. What asks the merchant to ask the customer is said to the
/// customer in other words.
fn faults_of(findings: &[Finding], language: Language) -> Vec<Fault> {
    let fault = |finding: &Finding| {
        let field = finding.field.trim_start_matches("receiver.").to_owned();
        if field == "cfdiUse" {
            let problem = message!(
                "is not open to your tax regime: choose another one, such as S01, or correct the regime",
                "no corresponde a su régimen fiscal: elija otro, por ejemplo S01, o corrija el régimen"
            );
            return self::fault(&field, &problem, language);
        }
        if finding.code == NO_RESIDENCE {
            let problem = message!(
                "must be chosen, or leave the tax identifier empty as well",
                "debe elegirse, o deje vacío también el número de identidad tributaria"
            );
            return self::fault(&field, &problem, language);
        }
        let message = finding.message(language);
        let clause = message.strip_prefix(&finding.field).unwrap_or(message).trim_start();
        Fault { field, clause: clause.to_owned() }
    };
    findings.iter().map(fault).collect()
}

fn changes(values: &Values) -> CustomerChanges {
    let set = |text: &str| Some(Some(text.to_owned()));
    let given = |text: &str| Some(Some(text.to_owned()).filter(|text| !text.is_empty()));
    CustomerChanges {
        rfc: set(&values.rfc),
        legal_name: set(&values.legal_name),
        tax_zip: given(&values.tax_zip),
        tax_regime: given(&values.tax_regime),
        cfdi_use: given(&values.cfdi_use),
        tax_residence: given(&values.tax_residence),
        foreign_tax_id: given(&values.foreign_tax_id),
        // A customer whose address is known is not made unreachable by a field that was left empty.
        email: if values.email.is_empty() { None } else { set(&values.email) },
        ..CustomerChanges::default()
    }
}
