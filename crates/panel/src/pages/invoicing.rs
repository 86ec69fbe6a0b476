//! What invoicing needs: issuers, their certificates, the provider, series and branches.

mod branches;
mod certificates;
mod issuers;
mod logo;
mod papers;
mod provider;
mod series;

use accounts::{Right, Scope};
use askama::Template;
use cfdi::catalogs::{regimes, zones::Zone};
use invoices::{Branch, Issuer, IssuerCertificate, ProviderChoice, series::SeriesFolio};
use kernel::{
    FieldFault, PageRequest, Timestamp,
    page::{Count, LIMIT_MAX},
};

pub(super) use self::{
    papers::{detail_name, place_name},
    provider::kind_name as provider_name,
};
use super::invoices::coded;
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    format::{grouped, moment, signed},
    layout::Sheet,
    list::{self, encoded},
    markup::Markup,
    page::{Group, Page},
    parts::{Asked, FormPart, Link, Moment, Pager, Pill, Stat, Tone},
    reply::answered,
    texts::Say,
};

const READ: Right = Right::read(Scope::Invoices);
/// Whoever answers for the books sets up what invoices are issued with; whoever sells only issues them.
const WRITE: Right = Right::approve(Scope::Invoices);
const PATH: &str = "settings/invoicing";
const DAY_SECONDS: i64 = 86_400;
/// So many days before it ends, a certificate is told to be renewed.
const RENEWAL_DAYS: i64 = 60;

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own =
        vec![Page::get(PATH, READ, show).listed(Group::Settings, "stamp", Say::invoicing).key("2")];
    [
        own,
        issuers::pages(),
        papers::pages(),
        logo::pages(),
        certificates::pages(),
        provider::pages(),
        series::pages(),
        branches::pages(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[derive(Template)]
#[template(path = "invoicing/overview.html", whitespace = "minimize")]
struct Overview {
    say: Say,
    path: String,
    may_write: bool,
    issuers: Vec<IssuerLine>,
    certificates: Vec<Card>,
    provider: String,
    provider_pill: Pill,
    credits: String,
    series: Vec<SeriesLine>,
    /// To the series that do not fit.
    more_series: Vec<Link>,
    branches: Vec<BranchLine>,
}

struct IssuerLine {
    name: String,
    rfc: String,
    regime: String,
    zip: String,
    is_default: Option<Pill>,
    href: String,
}

/// A certificate.
struct Card {
    rfc: String,
    name: String,
    number: String,
    from: Moment,
    until: Moment,
    state: Pill,
    is_active: bool,
    href: String,
}

struct SeriesLine {
    series: String,
    issuer: String,
    next: String,
    href: String,
}

struct BranchLine {
    name: String,
    place: String,
    series: String,
    href: String,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, services, account) = (call.say(), call.services(), call.account());
    let issuers = answered(services.issuers.issuers(account)).await?;
    let certificates = answered(services.issuers.certificates(account)).await?;
    let choice = answered(services.issuers.provider(account)).await?;
    let asked = PageRequest { limit: LIMIT_MAX, count: Count::Nothing, ..list::asked(&call.query) };
    let series = answered(services.issuers.series(account, None, asked)).await?;
    let branches = answered(services.branches.branches(account)).await?;
    let balance = answered(services.credits.balance(account)).await?;
    let zone = call.zone();
    let path = call.href(PATH);
    let Pager { first, next, .. } = list::pager(say, &path, &call.query, &series);
    let series = series.items.iter().map(|one| series_line(&path, &issuers, one));
    let (provider, provider_pill) = provider_line(say, &choice);
    let body = Overview {
        say,
        may_write: call.may(WRITE),
        certificates: certificates.into_iter().map(|one| card(&call, one, zone)).collect(),
        provider,
        provider_pill,
        credits: say.credits_left(&signed(balance.available)),
        series: series.collect(),
        more_series: first.into_iter().chain(next).collect(),
        branches: branches.into_iter().map(|branch| branch_line(&path, branch)).collect(),
        issuers: issuers.into_iter().map(|issuer| issuer_line(say, &path, issuer)).collect(),
        path,
    };
    Ok(call.page(Sheet::new(say.invoicing(), &body)))
}

fn issuer_line(say: Say, path: &str, issuer: Issuer) -> IssuerLine {
    let regime = regimes::find(&issuer.tax_regime).map(|row| row.name);
    IssuerLine {
        href: format!("{path}/issuers/{}", issuer.id),
        is_default: issuer.is_default.then(|| Pill::new(Tone::Good, say.default_issuer())),
        name: issuer.legal_name,
        rfc: issuer.rfc,
        regime: coded(&issuer.tax_regime, regime),
        zip: issuer.tax_zip,
    }
}

fn card(call: &Call<Member>, certificate: IssuerCertificate, zone: Zone) -> Card {
    Card {
        state: validity(call.say(), &certificate, call.now()),
        from: moment(certificate.valid_from, zone, call.language),
        until: moment(certificate.valid_until, zone, call.language),
        is_active: certificate.is_active,
        href: format!("{}/certificates/{}", call.href(PATH), certificate.id),
        rfc: certificate.rfc,
        name: certificate.legal_name,
        number: certificate.number,
    }
}

/// In how many days the certificate ends that seals and ends first, if it is time to renew it.
pub(super) fn ending(call: &Call<Member>, ends: Timestamp) -> Option<Stat> {
    let days = days_left(ends, call.now());
    (days <= RENEWAL_DAYS).then(|| Stat {
        label: call.say().certificate_days_left().to_owned(),
        figure: days.max(0).to_string(),
        href: Some(call.href(PATH)),
    })
}

/// Whole days until a certificate ends; below zero after that.
fn days_left(ends: Timestamp, now: Timestamp) -> i64 {
    let left = ends.micros().saturating_sub(now.micros());
    left.div_euclid(DAY_SECONDS * 1_000_000)
}

/// Whether a certificate seals, and for how long.
fn validity(say: Say, certificate: &IssuerCertificate, now: Timestamp) -> Pill {
    let days = days_left(certificate.valid_until, now);
    match (certificate.is_active, days) {
        (_, ..=-1) => Pill::new(Tone::Bad, say.certificate_ended()),
        (true, ..=RENEWAL_DAYS) => Pill::new(Tone::Waiting, say.certificate_ends_in(days)),
        (true, _) => Pill::new(Tone::Good, say.active()),
        (false, _) => Pill::new(Tone::Plain, say.certificate_idle()),
    }
}

/// Who stamps, in words.
fn provider_line(say: Say, choice: &ProviderChoice) -> (String, Pill) {
    match (choice.kind, &choice.user) {
        (Some(kind), Some(user)) => (
            format!("{} · {user}", provider::kind_name(say, kind)),
            Pill::new(Tone::Good, say.active()),
        ),
        (Some(kind), None) => {
            (provider::kind_name(say, kind).to_owned(), Pill::new(Tone::Good, say.active()))
        }
        (None, _) => (say.no_provider().to_owned(), Pill::new(Tone::Waiting, say.missing())),
    }
}

fn series_line(path: &str, issuers: &[Issuer], series: &SeriesFolio) -> SeriesLine {
    let issuer = issuers.iter().find(|issuer| issuer.id == series.issuer);
    SeriesLine {
        href: format!(
            "{path}/series?issuerId={}&series={}",
            series.issuer,
            encoded(&series.series)
        ),
        issuer: issuer.map(|issuer| issuer.rfc.clone()).unwrap_or_default(),
        next: grouped(series.next_folio),
        series: series.series.clone(),
    }
}

fn branch_line(path: &str, branch: Branch) -> BranchLine {
    let series = &branch.series;
    let own = [&series.income, &series.credit, &series.payment, &series.transfer];
    BranchLine {
        href: format!("{path}/branches/{}", branch.id),
        series: own.into_iter().flatten().cloned().collect::<Vec<_>>().join(", "),
        place: branch.place_of_issue,
        name: branch.name,
    }
}

/// A page with a form about invoicing.
fn with_form(call: &Call<Member>, title: &str, form: &FormPart, faults: &[FieldFault]) -> Answer {
    let sheet = Sheet::new(title, form).wrong_if(!faults.is_empty());
    call.page(sheet.back(call.say().invoicing(), call.href(PATH)))
}

/// A page that asks whether something is to be taken away.
fn deletion(
    call: &Call<Member>,
    (title, text): (&str, String),
    form: FormPart,
    faults: &[FieldFault],
) -> Answer {
    let body = Asked { text, form: Markup::of(&form.dangerous()) };
    let sheet = Sheet::new(title, &body).wrong_if(!faults.is_empty());
    call.page(sheet.back(call.say().invoicing(), call.href(PATH)))
}

#[cfg(test)]
mod tests {
    use invoices::CertificateId;
    use kernel::Language;

    use super::*;

    #[test]
    fn a_certificate_tells_when_it_ends() {
        let now = Timestamp::from_micros(0).plus_seconds(1_000 * DAY_SECONDS);
        let say = Say(Language::English);
        let told = |is_active, days: i64| {
            let certificate = IssuerCertificate {
                id: CertificateId::from_u128(1),
                number: String::new(),
                rfc: String::new(),
                legal_name: String::new(),
                valid_from: Timestamp::from_micros(0),
                valid_until: now.plus_seconds(days * DAY_SECONDS),
                is_active,
                created_at: now,
            };
            let pill: Pill = validity(say, &certificate, now);
            pill.render().unwrap()
        };
        for (is_active, days, class) in [
            (true, -1, "bad"),
            (false, -1, "bad"),
            (true, 7, "warn"),
            (true, 60, "warn"),
            (true, 61, "ok"),
            (false, 61, "plain"),
        ] {
            let html = told(is_active, days);
            assert!(html.contains(&format!("pill {class}")), "{is_active} {days}: {html}");
        }
    }
}
