//! The catalogs of withholdings and of their complements.

use cfdi::catalogs::{Entry, withholdings as catalogs};

use super::{
    body::{CodeBody, WithheldPaymentKindBody, WithholdingKindBody},
    examples, rows, small,
};
use crate::endpoint::Endpoint;

pub(super) fn endpoints() -> Vec<Endpoint> {
    special().into_iter().chain(of_codes()).collect()
}

fn special() -> [Endpoint; 2] {
    [
        small(
            "/invoices/cfdi/claves-retencion",
            || rows::<_, WithholdingKindBody>(catalogs::kinds::all()),
            examples::WITHHOLDING_KINDS,
        )
        .summary("List kinds of withholding")
        .describes(
            "c_CveRetenc: values of `code` of withholdings, with the complements that they take.",
        ),
        small(
            "/invoices/cfdi/tipos-pago-retencion",
            || rows::<_, WithheldPaymentKindBody>(catalogs::payment_kinds::all()),
            examples::WITHHELD_PAYMENT_KINDS,
        )
        .summary("List payment kinds of withheld taxes")
        .describes("c_TipoPagoRet: values of `paymentKind` of withheld taxes."),
    ]
}

/// Catalogs of codes and names.
fn of_codes() -> [Endpoint; 8] {
    let codes = |path, all: fn() -> &'static [Entry], example| {
        small(path, move || rows::<_, CodeBody>(all()), example)
    };
    [
        codes("/invoices/cfdi/tipos-dividendo", catalogs::dividends::all, examples::DIVIDENDS)
            .summary("List dividend types")
            .describes("c_TipoDividendoOUtilidadDistribuida: values of `kind` of distributions."),
        codes(
            "/invoices/cfdi/tipos-contribuyente-retencion",
            catalogs::payees::all,
            examples::PAYEES,
        )
        .summary("List types of payees abroad")
        .describes("c_TipoContribuyenteSujetoRetencion: values of `payee` of payments abroad."),
        codes("/invoices/cfdi/paises-retencion", catalogs::countries::all, examples::OLD_COUNTRIES)
            .summary("List countries of withholdings")
            .describes("c_Pais of withholdings: values of `taxResidence` of payments abroad."),
        codes("/invoices/cfdi/entidades-federativas", catalogs::states::all, examples::STATES)
            .summary("List states")
            .describes("c_EntidadesFederativas: values of `state` of prizes and contributions."),
        codes(
            "/invoices/cfdi/periodicidades-retencion",
            catalogs::periodicities::all,
            examples::PERIODICITIES,
        )
        .summary("List platform withholding periodicities")
        .describes("c_Periodicidad of withholdings: values of `periodicity` of platform services."),
        codes("/invoices/cfdi/servicios-plataformas", catalogs::services::all, examples::SERVICES)
            .summary("List platform services")
            .describes("c_TipoDeServ: values of `kind` of platform services."),
        codes(
            "/invoices/cfdi/subtipos-servicio-plataformas",
            catalogs::service_subtypes::all,
            examples::SERVICE_SUBTYPES,
        )
        .summary("List platform service subtypes")
        .describes("c_SubTipoServ: values of `subtype` of platform services."),
        codes(
            "/invoices/cfdi/formas-pago-plataformas",
            catalogs::service_payments::all,
            examples::SERVICE_PAYMENTS,
        )
        .summary("List platform payment forms")
        .describes("c_FormaPagoServ: values of `paymentForm` of platform services."),
    ]
}
