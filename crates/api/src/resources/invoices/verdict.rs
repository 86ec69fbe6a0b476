//! How the API shows the result of validating a draft.

use cfdi::rules::{Finding, Language};
use serde::Serialize;
use utoipa::ToSchema;

/// Result of validating an invoice or a withholding.
#[derive(Serialize, ToSchema)]
#[schema(as = InvoiceVerdict)]
pub(in crate::resources) struct VerdictBody {
    /// Whether it can be stamped.
    valid: bool,
    /// Findings that prevent stamping, in the order of the fields.
    findings: Vec<FindingBody>,
    /// What does not prevent stamping, but is nearly always a mistake.
    warnings: Vec<FindingBody>,
}

/// A finding: one reason for which it would be rejected.
#[derive(Serialize, ToSchema)]
#[schema(as = Finding)]
struct FindingBody {
    /// SAT error code.
    #[schema(example = "CFDI40147")]
    code: &'static str,
    /// Field at fault.
    #[schema(example = "receiver.taxZip")]
    field: String,
    /// What is wrong and how to fix it.
    message: String,
}

impl VerdictBody {
    /// The result with these findings.
    pub(in crate::resources) fn new(
        findings: &[Finding],
        warnings: &[Finding],
        language: Language,
    ) -> Self {
        let shown =
            |list: &[Finding]| list.iter().map(|one| FindingBody::new(one, language)).collect();
        Self { valid: findings.is_empty(), findings: shown(findings), warnings: shown(warnings) }
    }
}

impl VerdictBody {
    /// The same of a receiver alone, whose fields are named without the invoice's.
    pub(in crate::resources) fn of_receiver(mut self) -> Self {
        let alone = |text: &str| text.strip_prefix("receiver.").unwrap_or(text).to_owned();
        for finding in self.findings.iter_mut().chain(&mut self.warnings) {
            finding.field = alone(&finding.field);
            finding.message = alone(&finding.message);
        }
        self
    }
}

impl FindingBody {
    fn new(finding: &Finding, language: Language) -> Self {
        let message = finding.message(language).to_owned();
        Self { code: finding.code, field: finding.field.clone(), message }
    }
}

#[cfg(test)]
mod tests {
    use cfdi::{document::DocumentType, rules};

    use super::*;
    use crate::{refusals, resources::invoices::body::tests::draft_of};

    #[test]
    fn findings_tell_code_field_and_cure_in_the_callers_language() {
        let mut invoice = draft_of(DocumentType::Income);
        "19000".clone_into(&mut invoice.document.receiver.tax_zip);
        let findings = rules::check(&invoice.document, invoice.created_at);
        let verdict =
            serde_json::to_value(VerdictBody::new(&findings, &[], Language::Spanish)).unwrap();
        assert_eq!(verdict["valid"], false);
        let all = verdict["findings"].as_array().unwrap();
        let of_zip = all.iter().find(|finding| finding["field"] == "receiver.taxZip").unwrap();
        assert_eq!(of_zip["code"], "CFDI40147");
        let message = of_zip["message"].as_str().unwrap();
        assert!(message.starts_with("receiver.taxZip es \"19000\""), "{message}");
        let refusal = refusals::findings(&findings).message.to_string();
        assert!(refusal.contains("CFDI40147: receiver.taxZip is \"19000\""), "{refusal}");
        let none = serde_json::to_value(VerdictBody::new(&[], &[], Language::English)).unwrap();
        assert_eq!(none, serde_json::json!({"valid": true, "findings": [], "warnings": []}));
    }
}
