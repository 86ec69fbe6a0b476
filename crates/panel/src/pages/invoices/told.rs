//! Why nothing came of a command about invoices, as forms say it.

use cfdi::rules::Finding;
use intake::Faults;
use invoices::{
    CancelRefusal, InvoiceError, STAMP_COST, Status, provider::Rejection, stamping::no_certificate,
};
use kernel::{FieldFault, Language, Message, message, reason::within};

use crate::reply::whole;

/// What stands for a field where something is missing that no form of an invoice has.
pub(super) const NO_ISSUER: &str = "noIssuer";
pub(super) const NO_CERTIFICATE: &str = "noCertificate";
pub(super) const NO_PROVIDER: &str = "noProvider";
pub(super) const NO_CREDITS: &str = "noCredits";
/// The most findings that are told at once.
const FINDINGS_MAX: usize = 30;

/// What is wrong, each with its field if it has one.
pub(in crate::pages) fn told(error: &InvoiceError) -> Faults {
    match error {
        InvoiceError::Findings(findings) => {
            findings.iter().take(FINDINGS_MAX).map(finding).collect()
        }
        InvoiceError::Cancel(refusal) => vec![uncancelled(refusal)],
        InvoiceError::FolioTaken { next } => vec![FieldFault::new(
            "nextFolio",
            message!(
                "must be {next} or more: the series has been past this one",
                "debe ser {next} o más: la serie ya pasó de ese"
            ),
        )],
        InvoiceError::KnownIssuer { .. } => vec![FieldFault::new(
            "rfc",
            message!(
                "is that of another issuer with the same tax regime",
                "es el de otro emisor con el mismo régimen fiscal"
            ),
        )],
        InvoiceError::SharedSeries { series, .. } => vec![whole(message!(
            "Another issuer of the same RFC has the series {series} too: folios would be issued twice. Use series with other names.",
            "Otro emisor del mismo RFC también tiene la serie {series}: se repetirían folios. Indica series con otros \
             nombres."
        ))],
        InvoiceError::DuplicateBranch { .. } => vec![FieldFault::new(
            "name",
            message!("is that of another branch", "es el de otra sucursal"),
        )],
        InvoiceError::KnownCertificate { .. } => vec![FieldFault::new(
            "certificate",
            message!("was added before", "ya se había agregado"),
        )],
        InvoiceError::Provider(rejection) => vec![match receiver_field(&rejection.code) {
            Some(field) => as_registered(field, rejection),
            None => refused(rejection),
        }],
        InvoiceError::InsufficientCredits { available } => vec![whole(message!(
            "A stamp takes {STAMP_COST} credits, and {available} are available.",
            "Un timbre cuesta {STAMP_COST} créditos y hay {available} disponibles."
        ))],
        _ => vec![whole(sentence(error))],
    }
}

/// A provider's refusal in its words.
fn refused(rejection: &Rejection) -> FieldFault {
    whole(message!(
        "The provider refused with code {code}: {words}. Nothing was stamped or cancelled, and no credit was spent.",
        "El proveedor lo rechazó con el código {code}: {words}. No se timbró ni canceló nada y no se gastaron créditos.",
        code = rejection.code,
        words = rejection.message.trim_end_matches('.')
    ))
}

/// The field of the receiver that SAT refuses with this code: what it has on record is another.
fn receiver_field(code: &str) -> Option<&'static str> {
    Some(match code.trim_start_matches("CFDI") {
        "40143" => "receiver.rfc",
        "40144" | "40145" => "receiver.legalName",
        "40147" | "40148" => "receiver.taxZip",
        "40157" | "40158" => "receiver.taxRegime",
        "40160" | "40161" => "receiver.cfdiUse",
        _ => return None,
    })
}

/// A provider's refusal at the field of the receiver that it is about.
fn as_registered(field: &str, rejection: &Rejection) -> FieldFault {
    let (code, words) = (&rejection.code, rejection.message.trim_end_matches('.'));
    FieldFault::new(
        field,
        message!(
            "is not as SAT has it: write it as in the Constancia de Situación Fiscal ({code}: {words})",
            "no es como lo tiene el SAT: escríbelo como en la Constancia de Situación Fiscal ({code}: {words})"
        ),
    )
}

/// The same, where what is missing stands for a field: pages lead from it to where that is added.
pub(super) fn placed(error: &InvoiceError) -> Faults {
    let field = match error {
        InvoiceError::NoIssuer => NO_ISSUER,
        InvoiceError::NoCertificate => NO_CERTIFICATE,
        InvoiceError::NoProvider => NO_PROVIDER,
        InvoiceError::InsufficientCredits { .. } => NO_CREDITS,
        _ => return told(error),
    };
    let named = |fault| FieldFault { field: field.to_owned(), ..fault };
    told(error).into_iter().map(named).collect()
}

/// A finding, as a clause that follows its field; of a missing certificate as a sentence.
pub(in crate::pages) fn finding(finding: &Finding) -> FieldFault {
    if *finding == no_certificate() {
        return FieldFault::new(NO_CERTIFICATE, sentence(&InvoiceError::NoCertificate));
    }
    if is_without_period(finding) {
        return FieldFault::new(
            "receiver.legalName",
            message!(
                "cannot be PUBLICO EN GENERAL in the invoice of one sale: write the customer's name, with the RFC \
                 XAXX010101000 if there is no other ({code})",
                "no puede ser PUBLICO EN GENERAL en la factura de una sola venta: escribe el nombre del cliente, con el RFC \
                 XAXX010101000 si no hay otro ({code})",
                code = finding.code
            ),
        );
    }
    let clause = Message::both(|language| {
        let sentence = finding.message(language);
        let clause = sentence.strip_prefix(&finding.field).unwrap_or(sentence).trim();
        format!("{} ({})", clause.trim_end_matches('.'), finding.code)
    });
    FieldFault::new(finding.field.clone(), clause)
}

/// Whether the period of a global invoice is missing. No form has one: what it is about is the name that asks for it.
fn is_without_period(finding: &Finding) -> bool {
    finding.field == "global" && finding.message(Language::English).starts_with("global is missing")
}

/// What has no field and nothing to fill in.
fn sentence(error: &InvoiceError) -> Message {
    match error {
        InvoiceError::NoIssuer => message!(
            "There is no issuer yet: set one in the invoicing settings.",
            "Aún no hay emisor: configúralo en Facturación."
        ),
        InvoiceError::NoCertificate => message!(
            "No active certificate (CSD) can seal this: add one in the invoicing settings.",
            "Ningún certificado (CSD) activo puede sellar esto: agrega uno en Facturación."
        ),
        InvoiceError::NoProvider => message!(
            "No provider (PAC) is chosen: choose one in the invoicing settings.",
            "No hay proveedor (PAC) elegido: elígelo en Facturación."
        ),
        InvoiceError::NotDraft { status: Status::Stamping } | InvoiceError::UnderWay => message!(
            "It is being stamped or cancelled right now. Look at it again in a moment.",
            "Se está timbrando o cancelando en este momento. Vuelve a verla en un momento."
        ),
        InvoiceError::NotDraft { .. } => message!(
            "Only a draft can be stamped or deleted, and this one no longer is.",
            "Solo un borrador se puede timbrar o eliminar, y esta ya no lo es."
        ),
        InvoiceError::NotStamped { .. } => {
            message!("This needs a stamped invoice.", "Para esto se necesita una factura timbrada.")
        }
        InvoiceError::OrderInvoiced { .. } => message!(
            "The order is invoiced already: cancel or delete that invoice first.",
            "El pedido ya está facturado: primero cancela o elimina esa factura."
        ),
        InvoiceError::ProviderUnavailable { reason } => within(reason, |reason| {
            message!(
                "The provider did not take the request: {reason}. Nothing was stamped or cancelled, and no credit was \
                 spent. Try again later.",
                "El proveedor no aceptó la solicitud: {reason}. No se timbró ni canceló nada y no se gastaron créditos. \
                 Intenta más tarde."
            )
        }),
        InvoiceError::NothingToEmail => message!(
            "Only a stamped invoice can be sent by email.",
            "Solo se puede enviar por correo una factura timbrada."
        ),
        InvoiceError::NoMailServer => message!(
            "No mail server is set: download XML and PDF, or make a link to both, and send them yourself.",
            "No hay servidor de correo configurado: descarga el XML y el PDF, o crea un enlace a ambos, y envíalos tú."
        ),
        InvoiceError::EmailRefused { reason } => within(reason, |reason| {
            message!(
                "The mail server did not take it: {reason}. Nothing was sent.",
                "El servidor de correo no lo aceptó: {reason}. No se envió nada."
            )
        }),
        InvoiceError::OutcomeUnknown { .. } => message!(
            "The provider gave no reliable answer. It is being checked: look at the invoice again in a moment. There will be one stamp and one charge.",
            "El proveedor no dio una respuesta confiable. Se está verificando: vuelve a ver la factura en un momento. \
             Habrá un solo timbre y un solo cobro."
        ),
        InvoiceError::ProviderInUse => message!(
            "Documents are being stamped with the provider right now. Until their outcome is known, neither provider nor \
             user can be changed.",
            "Hay documentos timbrándose con el proveedor en este momento. Hasta conocer su resultado no se puede cambiar \
             el proveedor ni el usuario."
        ),
        InvoiceError::TooManyIssuers | InvoiceError::TooManyBranches => message!(
            "The account already has the maximum: delete one first.",
            "La cuenta tiene el máximo permitido: elimina uno primero."
        ),
        InvoiceError::TooManyCertificates => message!(
            "The account already has the maximum of certificates: delete one first.",
            "La cuenta tiene el máximo de certificados: elimina uno primero."
        ),
        InvoiceError::DefaultIssuer => message!(
            "The default issuer cannot be deleted: make another one the default first.",
            "El emisor predeterminado no se puede eliminar: primero haz predeterminado a otro."
        ),
        InvoiceError::IssuerInUse => message!(
            "Drafts or branches name this issuer: stamp or delete those drafts, and give those branches another issuer.",
            "Hay borradores o sucursales con este emisor: timbra o elimina esos borradores y asigna otro emisor a esas \
             sucursales."
        ),
        _ => message!("This cannot be done as it stands.", "Esto no se puede hacer tal como está."),
    }
}

/// Why an invoice is not cancelled.
fn uncancelled(refusal: &CancelRefusal) -> FieldFault {
    match refusal {
        CancelRefusal::BadReplacement => FieldFault::new(
            "replacementUuid",
            message!(
                "must be the fiscal folio of a stamped invoice that was made to replace this one",
                "debe ser el folio fiscal de una factura timbrada que se hizo para sustituir a esta"
            ),
        ),
        CancelRefusal::Replaced { uuid } => FieldFault::new(
            "reason",
            message!(
                "must be 01 with the fiscal folio {uuid}: that stamped invoice has taken its place",
                "debe ser 01 con el folio fiscal {uuid}: esa factura timbrada la sustituye"
            ),
        ),
        CancelRefusal::NotStamped { .. } => whole(message!(
            "Only a stamped invoice can be cancelled; a draft is deleted.",
            "Solo se puede cancelar una factura timbrada; un borrador se elimina."
        )),
        CancelRefusal::UnderWay { reason } => whole(message!(
            "Its cancellation was already requested, with reason {reason}.",
            "Su cancelación ya se solicitó, con el motivo {reason}.",
            reason = reason.code()
        )),
        CancelRefusal::Related { uuids } => whole(message!(
            "Documents in force refer to this one: cancel them first. {uuids}",
            "Hay documentos vigentes relacionados con esta: cancélalos primero. {uuids}",
            uuids = uuids.join(", ")
        )),
        CancelRefusal::NoCertificate => whole(message!(
            "No active certificate (CSD) can sign the request: add one in the invoicing settings.",
            "Ningún certificado (CSD) activo puede firmar la solicitud: agrega uno en Facturación."
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_a_clause_of_its_field_with_its_code() {
        let found = Finding::new("CFDI40147", "receiver.taxZip", "must be other", "debe ser otro");
        let fault = finding(&found);
        assert_eq!(fault.field, "receiver.taxZip");
        assert_eq!(fault.problem.in_language(Language::Spanish), "debe ser otro (CFDI40147)");
        assert_eq!(told(&InvoiceError::Findings(vec![found.clone(), found])).len(), 2);
    }

    #[test]
    fn one_sale_to_nobody_in_particular_is_cured_by_a_name() {
        let at = |english| finding(&Finding::new("CFDI40130", "global", english, "falta")).field;
        assert_eq!(at("is missing: say of what time the sales are"), "receiver.legalName");
        assert_eq!(at("must be left out"), "global");
    }
}
