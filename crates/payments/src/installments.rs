//! Cards paid in monthly installments without interest (meses sin intereses): who offers how many, and for which amounts.
//!
//! The merchant receives everything at once, less a fee, and the payer's bank collects it over the months: for us it is one
//! payment by credit card.

use kernel::{Amount, Currency, FieldFault, Message, message};

use crate::{Method, ProviderAccount, ProviderKind};

/// The numbers of months that can be offered.
pub const MONTHS: &[u8] = &[3, 6, 9, 12, 18, 24];

/// A number of months, and the least amount that is paid in so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstallmentPlan {
    /// How many months.
    pub months: u8,
    /// From which amount on, in pesos.
    pub min: Amount,
}

const fn plan(months: u8, pesos: i64) -> InstallmentPlan {
    InstallmentPlan { months, min: Amount::from_micros(pesos * 1_000_000) }
}

/// The least amounts that Stripe and Conekta document, a hundred pesos a month: Stripe under "Meses sin intereses" in its guide
/// to installments in Mexico, Conekta under "Meses sin intereses" (developers.conekta.com). Mercado Pago leaves it to the issuer
/// and to the seller's own terms, and the same amounts are usual there.
const DOCUMENTED: &[InstallmentPlan] =
    &[plan(3, 300), plan(6, 600), plan(9, 900), plan(12, 1_200), plan(18, 1_800), plan(24, 2_400)];
/// Conekta's page takes up to 18 months (`monthly_installments_options`).
const UP_TO_18: &[InstallmentPlan] =
    &[plan(3, 300), plan(6, 600), plan(9, 900), plan(12, 1_200), plan(18, 1_800)];

/// What of the numbers of months that a provider offers can be left out for a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Picking {
    /// Any of them.
    Any,
    /// Those above some number: the page is told the largest alone (Mercado Pago).
    Largest,
    /// None of them: the payer sees all that are switched on at the provider and suit the card (Stripe).
    All,
}

impl ProviderKind {
    /// The numbers of months that the provider documents, with their least amounts; none where it has no installments.
    #[must_use]
    pub const fn documented_installments(self) -> &'static [InstallmentPlan] {
        match self {
            Self::Manual => &[],
            Self::Conekta => UP_TO_18,
            Self::Sandbox | Self::Stripe | Self::MercadoPago => DOCUMENTED,
        }
    }

    const fn picking(self) -> Picking {
        match self {
            Self::Manual | Self::Sandbox | Self::Conekta => Picking::Any,
            Self::MercadoPago => Picking::Largest,
            Self::Stripe => Picking::All,
        }
    }
}

impl ProviderAccount {
    /// The numbers of months that this account offers, with their least amounts: those that it has set, or the documented
    /// ones.
    #[must_use]
    pub fn plans(&self) -> &[InstallmentPlan] {
        self.installments.as_deref().unwrap_or_else(|| self.kind.documented_installments())
    }
}

/// Through whom a payment is made, with the installments that the account offers there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Through {
    /// The provider.
    pub kind: ProviderKind,
    /// What it offers, the fewest months first.
    pub plans: Vec<InstallmentPlan>,
}

impl From<ProviderKind> for Through {
    fn from(kind: ProviderKind) -> Self {
        Self { kind, plans: kind.documented_installments().to_vec() }
    }
}

/// Whether there are installments for a method in a currency at all.
#[must_use]
pub fn is_for(method: Method, currency: Currency) -> bool {
    method == Method::Card && currency == Currency::MXN
}

/// Numbers of months in words.
fn listed(months: impl Iterator<Item = u8>) -> String {
    let words: Vec<String> = months.map(|months| months.to_string()).collect();
    if words.is_empty() { "-".to_owned() } else { words.join(", ") }
}

impl Through {
    /// A provider as an account has it, whether or not it has set it up.
    #[must_use]
    pub fn of(kind: ProviderKind, accounts: &[ProviderAccount]) -> Self {
        let own = accounts.iter().find(|account| account.kind == kind);
        own.map_or_else(|| kind.into(), |own| Self { kind, plans: own.plans().to_vec() })
    }

    /// The numbers of months that suit an amount.
    #[must_use]
    pub fn suiting(&self, amount: Amount) -> Vec<u8> {
        let suiting = self.plans.iter().filter(|plan| plan.min <= amount);
        suiting.map(|plan| plan.months).collect()
    }

    /// What of the wanted numbers of months is offered for an amount, as far as the provider can be told.
    #[must_use]
    pub fn offered(&self, wanted: &[u8], amount: Amount) -> Vec<u8> {
        let suiting = self.suiting(amount);
        let is_wanted = |months: &u8| wanted.contains(months);
        match self.kind.picking() {
            Picking::Any => suiting.into_iter().filter(is_wanted).collect(),
            Picking::Largest => suiting.into_iter().take_while(is_wanted).collect(),
            Picking::All if suiting.iter().all(is_wanted) => suiting,
            Picking::All => Vec::new(),
        }
    }

    /// Why so many months cannot be offered for a payment, if so.
    #[must_use]
    pub fn fault(
        &self,
        wanted: &[u8],
        (method, currency): (Method, Currency),
        amount: Amount,
    ) -> Option<FieldFault> {
        let misfit = match wanted {
            [] => None,
            _ if is_for(method, currency) => self.misfit(wanted, amount),
            _ => Some(Misfit::OtherPayment),
        };
        misfit.map(|misfit| FieldFault::new("installments", misfit.message(self.kind, amount)))
    }

    /// What is wrong with months for a payment that may have some.
    fn misfit(&self, wanted: &[u8], amount: Amount) -> Option<Misfit> {
        let is_known = |months: &u8| self.plans.iter().any(|plan| plan.months == *months);
        if !wanted.iter().all(is_known) {
            let known: Vec<u8> = self.plans.iter().map(|plan| plan.months).collect();
            return Some(Misfit::Unknown { known });
        }
        let too_many =
            self.plans.iter().find(|plan| wanted.contains(&plan.months) && plan.min > amount);
        if let Some(plan) = too_many {
            return Some(Misfit::TooSmall(*plan));
        }
        if self.offered(wanted, amount) == wanted {
            return None;
        }
        let suiting = self.suiting(amount);
        Some(match self.kind.picking() {
            Picking::All => Misfit::LeavesOut { all: suiting },
            Picking::Largest | Picking::Any => {
                let largest = wanted.iter().copied().max().unwrap_or_default();
                let all = suiting.into_iter().filter(|months| *months <= largest).collect();
                Misfit::LeavesOutFewer { all }
            }
        })
    }
}

/// Why months cannot be offered for a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Misfit {
    /// It is no card payment in pesos.
    OtherPayment,
    /// The provider has no such numbers of months; these are all that it has.
    Unknown { known: Vec<u8> },
    /// The amount is too small for so many.
    TooSmall(InstallmentPlan),
    /// The provider can leave out none of these.
    LeavesOut { all: Vec<u8> },
    /// The provider can leave out none of these, which are the largest of the wanted ones and those below it.
    LeavesOutFewer { all: Vec<u8> },
}

impl Misfit {
    fn message(self, kind: ProviderKind, amount: Amount) -> Message {
        let name = kind.name();
        match self {
            Self::OtherPayment => message!(
                "goes only with card payments in MXN",
                "solo aplica a pagos con tarjeta (card) en MXN"
            ),
            Self::Unknown { known } if known.is_empty() => message!(
                "must be absent: the provider {name} offers no installments; GET /payment-methods lists who does",
                "debe omitirse: el proveedor {name} no ofrece meses sin intereses; GET /payment-methods muestra quién sí"
            ),
            Self::Unknown { known } => {
                let known = listed(known.into_iter());
                message!(
                    "must be among {known}, which the provider {name} offers",
                    "debe estar entre {known}, que son los que ofrece el proveedor {name}"
                )
            }
            Self::TooSmall(InstallmentPlan { months, min }) => message!(
                "cannot contain {months}: so many months are offered from {min} on, and the amount is {amount}",
                "no puede contener {months}: se ofrecen a partir de {min} y el importe es {amount}"
            ),
            Self::LeavesOut { all } => {
                let all = listed(all.into_iter());
                message!(
                    "must be [{all}]: the payer chooses at {name}, where none of these can be left out; set those that are switched \
                     on there with PUT /payments/providers/{name}",
                    "debe ser [{all}]: el pagador elige en {name}, donde no se puede omitir ninguno; hay que indicar los que tiene activados \
                     con PUT /payments/providers/{name}"
                )
            }
            Self::LeavesOutFewer { all } => {
                let all = listed(all.into_iter());
                message!(
                    "must be [{all}]: {name} is told the largest number of months alone, and offers fewer, too",
                    "debe ser [{all}]: a {name} solo se le indica el plazo mayor y también ofrece los menores"
                )
            }
        }
    }
}

/// What an account may set of the installments of a provider, the fewest months first.
///
/// # Errors
/// What is wrong with it.
pub fn settings(
    kind: ProviderKind,
    mut plans: Vec<InstallmentPlan>,
) -> Result<Vec<InstallmentPlan>, FieldFault> {
    plans.sort_by_key(|plan| plan.months);
    let known = kind.documented_installments();
    let name = kind.name();
    let problem = if known.is_empty() && !plans.is_empty() {
        Some(message!(
            "must be absent: {name} offers no installments",
            "debe omitirse: {name} no ofrece meses sin intereses"
        ))
    } else if plans.iter().any(|plan| known.iter().all(|known| known.months != plan.months)) {
        let known = listed(known.iter().map(|plan| plan.months));
        Some(message!(
            "must have only months among {known}, which {name} offers",
            "solo debe tener plazos entre {known}, que son los que ofrece {name}"
        ))
    } else if plans.iter().any(|plan| !plan.min.fits(Currency::MXN.decimals())) {
        let decimals = Currency::MXN.decimals();
        Some(message!(
            "must have amounts with at most {decimals} decimals",
            "debe tener importes con a lo más {decimals} decimales"
        ))
    } else {
        let pairs = plans.iter().zip(plans.iter().skip(1));
        let is_twice = pairs.clone().any(|(one, next)| one.months == next.months);
        let falls = pairs.clone().any(|(one, next)| one.min > next.min);
        match (is_twice, falls) {
            (true, _) => Some(message!(
                "must have each number of months once",
                "debe tener cada plazo una sola vez"
            )),
            (false, true) => Some(message!(
                "must not have a smaller minAmount for more months",
                "no debe tener un minAmount menor para un plazo mayor"
            )),
            (false, false) => None,
        }
    };
    match problem {
        Some(problem) => Err(FieldFault::new("installments", problem)),
        None => Ok(plans),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CARD: (Method, Currency) = (Method::Card, Currency::MXN);

    fn pesos(units: i64) -> Amount {
        Amount::from_micros(units * 1_000_000)
    }

    #[test]
    fn each_provider_takes_what_it_can_be_told() {
        use ProviderKind::{Conekta, Manual, MercadoPago, Sandbox, Stripe};
        let months = |months: &[u8]| months.to_vec();
        for (kind, wanted, units, misfit) in [
            (Sandbox, &[6, 12][..], 1_200, None),
            (Sandbox, &[6, 12], 1_199, Some(Misfit::TooSmall(plan(12, 1_200)))),
            (Conekta, &[3, 18], 5_000, None),
            (Conekta, &[3, 24], 5_000, Some(Misfit::Unknown { known: months(&[3, 6, 9, 12, 18]) })),
            (MercadoPago, &[3, 6], 5_000, None),
            (
                MercadoPago,
                &[3, 12],
                5_000,
                Some(Misfit::LeavesOutFewer { all: months(&[3, 6, 9, 12]) }),
            ),
            (Stripe, &[3, 6, 9], 1_000, None),
            (Stripe, &[3, 6], 1_000, Some(Misfit::LeavesOut { all: months(&[3, 6, 9]) })),
            (Stripe, &[3, 6, 9], 300, Some(Misfit::TooSmall(plan(6, 600)))),
            (Manual, &[3], 5_000, Some(Misfit::Unknown { known: Vec::new() })),
            (Stripe, &[], 1, None),
        ] {
            let through = Through::from(kind);
            let fault = through.fault(wanted, CARD, pesos(units));
            let field = fault.map(|fault| fault.field);
            let expected = misfit.as_ref().map(|_| "installments");
            assert_eq!(field.as_deref(), expected, "{kind:?} {wanted:?} {units}");
            if !wanted.is_empty() {
                let found = through.misfit(wanted, pesos(units));
                assert_eq!(found, misfit, "{kind:?} {wanted:?} {units}");
            }
        }
        let dollars = Currency::parse("USD").unwrap();
        for of in [(Method::Oxxo, Currency::MXN), (Method::Card, dollars)] {
            let fault = Through::from(Sandbox).fault(&[3], of, pesos(9_000)).unwrap();
            assert_eq!(fault.field, "installments");
        }
    }

    #[test]
    fn what_is_offered_is_what_suits_the_amount_and_can_be_told() {
        let offered = |kind: ProviderKind, wanted: &[u8], units| {
            Through::from(kind).offered(wanted, pesos(units))
        };
        assert_eq!(offered(ProviderKind::Conekta, &[3, 9], 900), [3, 9]);
        assert_eq!(offered(ProviderKind::Conekta, &[3, 9], 899), [3]);
        assert_eq!(offered(ProviderKind::MercadoPago, &[3, 6, 12], 5_000), [3, 6]);
        assert_eq!(offered(ProviderKind::Stripe, MONTHS, 700), [3, 6]);
        assert!(offered(ProviderKind::Stripe, &[3], 700).is_empty());
        assert!(offered(ProviderKind::Sandbox, MONTHS, 299).is_empty());
    }

    #[test]
    fn an_account_sets_its_own_terms() {
        let own = |months, units| InstallmentPlan { months, min: pesos(units) };
        let set = settings(ProviderKind::Stripe, vec![own(6, 700), own(3, 500)]).unwrap();
        assert_eq!(set, [own(3, 500), own(6, 700)]);
        assert_eq!(settings(ProviderKind::Stripe, Vec::new()), Ok(Vec::new()));
        for (kind, plans) in [
            (ProviderKind::Manual, vec![own(3, 300)]),
            (ProviderKind::Conekta, vec![own(24, 3_000)]),
            (ProviderKind::Stripe, vec![own(4, 300)]),
            (ProviderKind::Stripe, vec![own(3, 300), own(3, 400)]),
            (ProviderKind::Stripe, vec![own(3, 600), own(6, 300)]),
            (
                ProviderKind::Stripe,
                vec![InstallmentPlan { months: 3, min: Amount::from_micros(1) }],
            ),
        ] {
            assert_eq!(
                settings(kind, plans.clone()).unwrap_err().field,
                "installments",
                "{plans:?}"
            );
        }
        let through = Through { kind: ProviderKind::Stripe, plans: set };
        assert_eq!(through.offered(&[3, 6], pesos(9_000)), [3, 6]);
        assert_eq!(through.fault(&[3], CARD, pesos(600)), None);
    }
}
