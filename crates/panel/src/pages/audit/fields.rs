//! What fields of the log are called, and what they held, in words; what is not known here stays as it is on record.

use accounts::{
    Overlap, Role, Scope,
    audit::{REMOVED, REPLACED},
};
use approvals::{EntityType, Field, Op};
use bulk::Stopped;
use cfdi::catalogs::zones::Zone;
use inventory::{Allocation, Kind};
use invoices::{ItemDetail, LogoPlace, global::Periodicity, provider::ProviderKind};
use kernel::Timestamp;
use payments::{Method, settings::LatePayments};
use tasks::{Status, TaskState};

use crate::{
    format::moment,
    pages::{
        api_keys::overlap_name,
        approvals::{called, comparison, entity_name, field_name},
        invoicing::{detail_name, place_name, provider_name},
        jobs,
        money::method_name,
        payments::late_name,
        stock::{allocation_name, kind_name},
        team::role_name,
    },
    texts::Say,
};

/// What a field of what was done is called.
pub(super) fn name(say: Say, action: &str, field: &str) -> Option<&'static str> {
    Some(match field {
        "action" => say.action(),
        "address" => say.address(),
        "address.city" => say.city(),
        "address.country" => say.country(),
        "address.neighborhood" => say.neighborhood(),
        "address.phone" => say.phone(),
        "address.state" => say.state_of_country(),
        "address.street" => say.street(),
        "address.zip" => say.zip(),
        "allocation" => say.allocation(),
        "allowSelfApproval" => say.self_approval(),
        "amount" => say.amount(),
        "autoCreditNotes" => say.auto_credit_notes(),
        "autoReceipts" => say.auto_receipts(),
        "automatic" => say.global_automatic(),
        "branchId" => say.branch(),
        "conditions" => say.conditions(),
        "currency" => say.currency(),
        "customerGroupId" => say.group(),
        "default" => say.default_provider(),
        "defaultTaxes" => say.default_taxes(),
        "defaultWarehouseId" => say.usual_warehouse(),
        "delayHours" => say.global_delay(),
        "description" => say.description(),
        "done" => say.rows_done_well(),
        "email" => say.email(),
        "entityType" => say.approval(),
        "events" => say.events(),
        "expiresAfterHours" => say.hours(),
        "expiresAt" => say.expires(),
        "installments" => say.installments(),
        "isDefault" => say.is_default_issuer(),
        "issuerId" => say.issuer(),
        "key" => say.secret_key(),
        "kind" if action.starts_with("warehouse.") => say.kind(),
        "kind" => say.provider(),
        "keyEnd" | "last4" => say.ends_in(),
        "legalName" => say.legal_name(),
        "levels" => say.levels(),
        "logo" => say.logo(),
        "mayApprove" => say.may_approve(),
        "name" => say.name(),
        "nextFolio" => say.next_folio(),
        "notificationSecret" => say.notification_secret(),
        "overlap" => say.overlap(),
        "password" => say.provider_password(),
        "paymentForm" => say.payment_form(),
        "pdf.accent" => say.accent(),
        "pdf.address" => say.printed_address(),
        "pdf.email" => say.email(),
        "pdf.footer" => say.footer(),
        "pdf.hidden" => say.hidden_columns(),
        "pdf.logoPlace" => say.logo_place(),
        "pdf.phone" => say.phone(),
        "pdf.spanishAbroad" => say.spanish_abroad(),
        "pdf.website" => say.website(),
        "periodicity" => say.global_period(),
        "phone" => say.phone(),
        "placeOfIssue" => say.place_of_issue(),
        "priority" => say.priority(),
        "ratePerHour" => say.rate_per_hour(),
        "reason" => say.reason(),
        "refundLatePayments" => say.late_payments(),
        "refused" => say.rows_rejected(),
        "rfc" => say.rfc(),
        "role" => say.role(),
        "rows" => say.rows_in_all(),
        "satPaymentForms" => say.sat_payment_forms(),
        "scaleCodes" => say.scale_codes(),
        "scopes" => say.scopes(),
        "secret" => say.signing_secret(),
        "series.credit" => say.series_credit(),
        "series.income" => say.series_income(),
        "series.payment" => say.series_payment(),
        "series.transfer" => say.series_transfer(),
        "shippingTaxes" => say.shipping_taxes(),
        "skipped" => say.rows_skipped(),
        "simulate.cancellation" => say.simulated_cancellation(),
        "simulate.stamping" => say.simulated_stamping(),
        "stamp" => say.global_stamp(),
        "status" => say.state(),
        "taxRegime" => say.tax_regime(),
        "taxZip" => say.tax_zip(),
        "ticketsPerInvoice" => say.global_tickets(),
        "token" => say.provider_token(),
        "url" => say.url(),
        "user" => say.provider_user(),
        "urlQuery" => say.url_query(),
        "validFrom" => say.valid_from(),
        "validUntil" => say.valid_until(),
        _ => return None,
    })
}

/// What a field held; moments on the clocks of a zone.
pub(super) fn value(say: Say, zone: Zone, field: &str, held: &str) -> String {
    let known = match field {
        "action" => jobs::known_action(say, held),
        "allocation" => named(Allocation::EVERY, Allocation::name, held)
            .map(|allocation| allocation_name(say, allocation)),
        "kind" => named(ProviderKind::EVERY, ProviderKind::name, held)
            .map(|provider| provider_name(say, provider))
            .or_else(|| named(Kind::EVERY, Kind::name, held).map(|kind| kind_name(say, kind))),
        "allowSelfApproval" | "autoCreditNotes" | "autoReceipts" | "automatic" | "default"
        | "isDefault" | "mayApprove" | "pdf.spanishAbroad" | "stamp" => yes_or_no(say, held),
        "conditions" => return conditions(say, held),
        "defaultTaxes" | "shippingTaxes" => return taxes(say, held),
        "entityType" => entity(say, held),
        "key" | "notificationSecret" | "password" | "secret" | "token" | "urlQuery" => {
            secret(say, held)
        }
        "expiresAt" | "validFrom" | "validUntil" => return at(say, zone, held),
        "levels" => return levels(say, held),
        "overlap" => {
            named(Overlap::EVERY, Overlap::name, held).map(|overlap| overlap_name(say, overlap))
        }
        "pdf.hidden" => return details(say, held),
        "pdf.logoPlace" => {
            named(LogoPlace::EVERY, LogoPlace::name, held).map(|place| place_name(say, place))
        }
        "periodicity" => named(Periodicity::EVERY, Periodicity::code, held)
            .map(|periodicity| period_name(say, periodicity)),
        "reason" => return reason(say, held),
        "refundLatePayments" => {
            named(LatePayments::EVERY, LatePayments::name, held).map(|late| late_name(say, late))
        }
        "role" => Role::parse(held).map(|role| role_name(say, role)),
        "satPaymentForms" => return forms(say, held),
        "scopes" => return scopes(say, held),
        "status" => match held {
            "enabled" => Some(say.webhook_enabled()),
            "disabled" => Some(say.webhook_disabled()),
            held => named(TaskState::EVERY, TaskState::name, held)
                .map(|state| jobs::status_name(say, Status::Ended(state))),
        },
        _ => None,
    };
    known.unwrap_or(held).to_owned()
}

fn at(say: Say, zone: Zone, held: &str) -> String {
    Timestamp::parse(held).map_or_else(|_| held.to_owned(), |at| moment(at, zone, say.0).text)
}

fn yes_or_no(say: Say, held: &str) -> Option<&'static str> {
    match held {
        "true" => Some(say.yes()),
        "false" => Some(say.not_so()),
        _ => None,
    }
}

const fn period_name(say: Say, periodicity: Periodicity) -> &'static str {
    match periodicity {
        Periodicity::Day => say.period_day(),
        Periodicity::Week => say.period_week(),
        Periodicity::Fortnight => say.period_fortnight(),
        Periodicity::Month => say.period_month(),
        Periodicity::TwoMonths => say.period_two_months(),
    }
}

/// What a key may call: `orders,products`.
fn scopes(say: Say, held: &str) -> String {
    let told = held.split(',').map(|one| match one {
        "*" => say.every_scope(),
        one => named(Scope::EVERY, Scope::name, one).map_or(one, |scope| scope_name(say, scope)),
    });
    told.collect::<Vec<_>>().join(", ")
}

const fn scope_name(say: Say, scope: Scope) -> &'static str {
    match scope {
        Scope::Products => say.products(),
        Scope::Orders => say.orders(),
        Scope::Customers => say.customers(),
        Scope::Leads => say.leads(),
        Scope::Deals => say.deals(),
        Scope::Invoices => say.invoices(),
        Scope::Inbox => say.called_inbox(),
        Scope::Campaigns => say.called_campaigns(),
        Scope::Payments => say.payments(),
        Scope::Webhooks => say.webhooks(),
        Scope::Analytics => say.called_analytics(),
        Scope::Warehouses => say.warehouses(),
    }
}

/// What became of a secret.
fn secret(say: Say, held: &str) -> Option<&'static str> {
    match held {
        REPLACED => Some(say.secret_replaced()),
        REMOVED => Some(say.secret_removed()),
        _ => None,
    }
}

fn entity(say: Say, held: &str) -> Option<&'static str> {
    named(EntityType::EVERY, EntityType::name, held).map(|entity| entity_name(say, entity))
}

/// The one of that name.
fn named<T: Copy>(every: &[T], name: impl Fn(T) -> &'static str, held: &str) -> Option<T> {
    every.iter().copied().find(|one| name(*one) == held)
}

/// What must be met, as in `total gt 500; channel eq web`.
fn conditions(say: Say, held: &str) -> String {
    let told = |one: &str| -> Option<String> {
        let mut parts = one.splitn(3, ' ');
        let (field, op, values) = (parts.next()?, parts.next()?, parts.next()?);
        let (field, op) = (Field::named(field)?, named(Op::EVERY, Op::name, op)?);
        let value = |value| called(say, value, field).unwrap_or(value);
        let values = values.split(", ").map(value).collect::<Vec<_>>().join(", ");
        Some(format!("{} {} {values}", field_name(say, field), comparison(say, op)))
    };
    in_parts(held, told)
}

/// Who must agree, as in `1 of usr_…, key_…; 2 of …`.
fn levels(say: Say, held: &str) -> String {
    in_parts(held, |one| {
        let (count, people) = one.split_once(" of ")?;
        Some(say.so_many_of(count.parse().ok()?, people))
    })
}

/// Each part in words, where it is understood.
fn in_parts(held: &str, told: impl Fn(&str) -> Option<String>) -> String {
    let parts = held.split("; ").map(|one| told(one).unwrap_or_else(|| one.to_owned()));
    parts.collect::<Vec<_>>().join("; ")
}

/// Why a bulk action has stopped.
fn reason(say: Say, held: &str) -> String {
    let known = Stopped::EVERY.iter().map(|stopped| stopped.reason());
    let told = known.filter(|known| known.code == held).map(|known| known.message);
    let told = told.map(|message| message.in_language(say.0).to_owned()).next();
    told.unwrap_or_else(|| held.to_owned())
}

/// What the items of a PDF leave out: `sku, taxes`.
fn details(say: Say, held: &str) -> String {
    let told = |one| {
        let known = named(ItemDetail::EVERY, ItemDetail::name, one);
        known.map_or(one, |detail| detail_name(say, detail))
    };
    held.split(", ").map(told).collect::<Vec<_>>().join(", ")
}

/// Taxes, as in `IVA Tasa 0.16, ISR Tasa 0.0125 withheld`.
fn taxes(say: Say, held: &str) -> String {
    let told = |one: &str| match one.strip_suffix(" withheld") {
        Some(tax) => format!("{tax} {}", say.tax_withheld()),
        None => one.to_owned(),
    };
    match held {
        "none" => say.taxes_no_object().to_owned(),
        taxes => taxes.split(", ").map(told).collect::<Vec<_>>().join(", "),
    }
}

/// Payment forms of SAT by how it is paid: `card 04, cash 01`.
fn forms(say: Say, held: &str) -> String {
    let told = |one: &str| match one.split_once(' ') {
        Some((method, form)) => match named(Method::EVERY, Method::name, method) {
            Some(method) => format!("{} {form}", method_name(say, method)),
            None => one.to_owned(),
        },
        None => one.to_owned(),
    };
    held.split(", ").map(told).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use kernel::Language;

    use super::*;

    #[test]
    fn fields_and_what_they_held_are_told_in_the_language_of_the_reader() {
        let [english, spanish] = [Say(Language::English), Say(Language::Spanish)];
        assert_eq!(
            [english, spanish].map(|say| name(say, "webhook.changed", "status")),
            [Some("State"), Some("Estado")]
        );
        for (field, held, wanted) in [
            ("status", "disabled", "Desactivado"),
            ("status", "succeeded", spanish.job_succeeded()),
            ("reason", "rights_lost", "Quien la solicitó ya no tiene permiso para hacerlo."),
            ("reason", "tired", "tired"),
            ("role", "accountant", role_name(spanish, Role::Accountant)),
            ("mayApprove", "true", "sí"),
            ("scopes", "*", "Todo"),
            ("scopes", "orders,webhooks,shine", "Pedidos, Webhooks, shine"),
            ("overlap", "24h", "sirve 24 horas más"),
            ("satPaymentForms", "cash 01, card 04", "Efectivo 01, Tarjeta 04"),
            ("allocation", "anyAvailable", allocation_name(spanish, Allocation::AnyAvailable)),
            ("action", "orders.ship", spanish.ship_orders()),
            ("allowSelfApproval", "false", "no"),
            ("entityType", "refund", spanish.of_refund()),
            ("key", "replaced", "se reemplazó"),
            ("notificationSecret", "removed", "se eliminó"),
            ("password", "replaced", "se reemplazó"),
            ("levels", "2 of usr_1, key_2; 1 of usr_3", "2 de usr_1, key_2; 1 de usr_3"),
            ("autoReceipts", "true", "sí"),
            ("periodicity", "03", "Quincenal"),
            ("validFrom", "2026-01-01T06:00:00.000Z", "1 ene 2026, 00:00"),
            ("expiresAt", "some day", "some day"),
            ("kind", "sandbox", provider_name(spanish, ProviderKind::Sandbox)),
            ("kind", "quarantine", "Cuarentena"),
            ("pdf.hidden", "sku, shine", "La clave propia (SKU), shine"),
            ("pdf.logoPlace", "center", "Arriba de todo"),
            ("defaultTaxes", "none", spanish.taxes_no_object()),
            (
                "shippingTaxes",
                "IVA Tasa 0.16, ISR Tasa 0.0125 withheld",
                "IVA Tasa 0.16, ISR Tasa 0.0125 retenido",
            ),
            // What is not known.
            ("action", "orders.paint", "orders.paint"),
            ("status", "paused", "paused"),
            ("rfc", "EKU9003173C9", "EKU9003173C9"),
            ("satPaymentForms", "gold 01", "gold 01"),
            ("conditions", "shine gt 5; what", "shine gt 5; what"),
        ] {
            assert_eq!(value(spanish, Zone::Central, field, held), wanted, "{field}");
        }
        for (action, wanted) in
            [("warehouse.created", "Para"), ("certification_provider.chosen", "Proveedor (PAC)")]
        {
            assert_eq!(name(spanish, action, "kind"), Some(wanted));
        }
        assert_eq!(name(spanish, "webhook.changed", "shoeSize"), None);
        let wanted = format!("{} {} 500", spanish.total(), spanish.compared_gt());
        assert_eq!(value(spanish, Zone::Central, "conditions", "total gt 500"), wanted);
    }
}
