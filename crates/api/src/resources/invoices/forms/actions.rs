//! What the actions on an invoice read.

use cfdi::addenda;
use intake::{
    Check, Fields, Form,
    checks::{deliverable_email, flag, line, list, one_of, paragraph, text},
    noun,
};
use invoices::{
    CancelReason,
    cancel::replacement_fault,
    email::{ADDRESSES_MAX, MESSAGE_CHARS_MAX, SUBJECT_CHARS_MAX},
};

use kernel::message;

use super::examples;
use crate::{error::Code, resources::fiscal::uuid};

pub(in crate::resources::invoices) const COPY: Form<bool> =
    Form::body("CopyInvoice", noun("a copy", "una copia"), read_copy, examples::COPY).or_absent();
/// An absent body is read as an empty object, so that the answer names the missing reason.
pub(in crate::resources::invoices) const CANCEL: Form<WantedCancellation> = Form::body(
    "CancelInvoice",
    noun("a cancellation", "una cancelación"),
    read_cancellation,
    examples::CANCEL,
)
.or_absent();
/// Faults of these fields have a code of their own.
pub(in crate::resources) const CANCEL_CODES: &[(&str, Code)] =
    &[(REASON, Code::InvalidCancellationReason), (MOTIVO, Code::InvalidCancellationReason)];
pub(in crate::resources::invoices) const EMAIL: Form<WantedMail> =
    Form::body("SendInvoice", noun("an email", "un correo"), read_mail, examples::EMAIL)
        .or_absent();

pub(in crate::resources::invoices) const ADDENDA: Form<String> = Form::body(
    "SetInvoiceAddenda",
    noun("an addenda", "una addenda"),
    read_addenda,
    examples::SET_ADDENDA,
);

const REASON: &str = "reason";
const MOTIVO: &str = "motivo";

/// A requested cancellation.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::resources) struct WantedCancellation {
    /// Reason code.
    pub(in crate::resources) reason: CancelReason,
    /// Fiscal folio (UUID) of the replacement.
    pub(in crate::resources) replacement_uuid: Option<String>,
}

/// An email to send.
#[derive(Debug)]
pub(in crate::resources::invoices) struct WantedMail {
    /// Recipients; defaults to the customer.
    pub(in crate::resources::invoices) to: Option<Vec<String>>,
    /// Subject.
    pub(in crate::resources::invoices) subject: Option<String>,
    /// Body text.
    pub(in crate::resources::invoices) message: Option<String>,
}

fn read_addenda(fields: &mut Fields<'_>) -> Option<String> {
    let xml = text(|xml| match addenda::check(xml) {
        Ok(()) => Ok(xml.to_owned()),
        Err(problem) => Err(problem.message()),
    });
    let about = "Elements of XML, one after the other, of at most 65,536 bytes: what goes into \
        `cfdi:Addenda`. They declare their namespaces themselves.";
    fields.required("xml", xml.chars(1, addenda::BYTES_MAX).about(about))
}

fn read_copy(fields: &mut Fields<'_>) -> Option<bool> {
    let about = "Whether the copy replaces the original; defaults to `false`.";
    Some(fields.optional("replace", flag().about(about)).unwrap_or_default())
}

/// Reads a requested cancellation.
pub(in crate::resources) fn read_cancellation(
    fields: &mut Fields<'_>,
) -> Option<WantedCancellation> {
    let reason = fields.change(
        REASON,
        reason().about(
            "Cancellation reason code, see GET /invoices/cfdi/cancellation-motivos. Required.",
        ),
    );
    let motivo = fields.change(MOTIVO, reason_again());
    let replacement = uuid().about(
        "`uuid` of the stamped replacement; required with reason `01` and not allowed \
         otherwise.",
    );
    let replacement_uuid = fields.optional("replacementUuid", replacement);
    if !fields.gives(REASON) && !fields.gives(MOTIVO) {
        return fields.refuse(
            REASON,
            message!("is required: one of 01, 02, 03, 04", "es obligatorio: uno de 01, 02, 03, 04"),
        );
    }
    let reason = match (reason, motivo) {
        (Some(reason), Some(motivo)) if reason != motivo => {
            return fields.refuse(
                MOTIVO,
                message!("must not differ from reason", "no debe ser distinto de reason"),
            );
        }
        (reason, motivo) => reason.or(motivo)?,
    };
    if let Some(fault) = replacement_fault(reason, replacement_uuid.as_deref())
        && (replacement_uuid.is_some() || !fields.gives("replacementUuid"))
    {
        return fields.refuse(&fault.field, fault.problem);
    }
    Some(WantedCancellation { reason, replacement_uuid })
}

fn read_mail(fields: &mut Fields<'_>) -> Option<WantedMail> {
    let to =
        list(1..=ADDRESSES_MAX, deliverable_email()).about("Recipients; defaults to the customer.");
    let subject = line(SUBJECT_CHARS_MAX)
        .about("Subject of the email; defaults to the type and number of the invoice.");
    let message = paragraph(MESSAGE_CHARS_MAX)
        .about("Body text of the email; defaults to a short text in Spanish.");
    Some(WantedMail {
        to: fields.optional("to", to),
        subject: fields.optional("subject", subject),
        message: fields.optional("message", message),
    })
}

fn reason() -> impl Check<Value = CancelReason> {
    one_of(CancelReason::EVERY, CancelReason::code)
}

fn reason_again() -> impl Check<Value = CancelReason> {
    reason().about("Alias of `reason`, as SAT calls it.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusals::unreadable_body;

    const UUID: &str = "6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60";

    #[test]
    fn reasons_are_those_of_sat_and_go_with_their_replacement() {
        let with =
            |reason: &str| format!(r#"{{"reason": "{reason}", "replacementUuid": "{UUID}"}}"#);
        for (body, reason) in [
            (r#"{"reason": "02"}"#, CancelReason::Errors),
            (r#"{"motivo": "03"}"#, CancelReason::NoSale),
            (r#"{"reason": "04", "motivo": "04"}"#, CancelReason::InGlobal),
            (r#"{"reason": "02", "replacementUuid": null}"#, CancelReason::Errors),
            (&with("01").replace(UUID, &UUID.to_lowercase()), CancelReason::ErrorsReplaced),
        ] {
            let read = CANCEL.read_body(body.as_bytes()).unwrap();
            assert_eq!(read.reason, reason, "{body}");
            let uuid = (reason == CancelReason::ErrorsReplaced).then(|| UUID.to_owned());
            assert_eq!(read.replacement_uuid, uuid, "{body}");
        }
        let invalid = Code::InvalidCancellationReason;
        for (body, code, problem) in [
            ("", invalid, "reason is required: one of 01, 02, 03, 04"),
            ("{}", invalid, "reason is required: one of 01, 02, 03, 04"),
            (r#"{"reason": "05"}"#, invalid, "reason must be one of 01, 02, 03, 04"),
            (r#"{"reason": ""}"#, invalid, "reason must be one of 01, 02, 03, 04"),
            (r#"{"reason": "1"}"#, invalid, "reason must be one of 01, 02, 03, 04"),
            (r#"{"reason": 1}"#, invalid, "reason must be a string"),
            (r#"{"reason": null}"#, invalid, "reason must not be null"),
            (r#"{"reason": ["01"]}"#, invalid, "reason must be a string"),
            (r#"{"motivo": "99"}"#, invalid, "motivo must be one of 01, 02, 03, 04"),
            (r#"{"reason": "02", "motivo": "03"}"#, invalid, "motivo must not differ from reason"),
            (
                r#"{"cause": "02"}"#,
                invalid,
                "reason is required: one of 01, 02, 03, 04; \"cause\" is not a field of a cancellation",
            ),
            (
                r#"{"reason": "01"}"#,
                Code::ValidationFailed,
                "replacementUuid must be the fiscal folio of the document that takes its place when \
                 the reason is 01",
            ),
            (
                &with("02"),
                Code::ValidationFailed,
                "replacementUuid must be absent unless the reason is 01",
            ),
            (
                r#"{"reason": "01", "replacementUuid": "x"}"#,
                Code::ValidationFailed,
                "replacementUuid must be a fiscal folio (UUID) such as \
                 \"6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60\"",
            ),
            ("[]", Code::MalformedRequest, "the body must be a JSON object"),
        ] {
            let refused = CANCEL.read_body(body.as_bytes()).unwrap_err();
            let refused = unreadable_body(refused, CANCEL_CODES);
            assert_eq!(
                (refused.code, refused.message.to_string().as_str()),
                (code, problem),
                "{body}"
            );
        }
    }

    #[test]
    fn copies_and_emails_need_no_body() {
        assert!(!COPY.read_body(b"").unwrap());
        assert!(COPY.read_body(examples::COPY.as_bytes()).unwrap());
        assert!(EMAIL.read_body(b"").unwrap().to.is_none());
        assert_eq!(EMAIL.read_body(examples::EMAIL.as_bytes()).unwrap().to.unwrap().len(), 1);
        assert_eq!(
            EMAIL.read_body(br#"{"to": ["ana"], "subject": "a\nb"}"#).unwrap_err().to_string(),
            "to[0] must be an e-mail address such as \"ana@example.com\"; subject must be one line \
             without control characters"
        );
        assert!(EMAIL.read_body(br#"{"to": []}"#).is_err());
        assert!(CANCEL.read_body(examples::CANCEL.as_bytes()).is_ok());
    }
}
