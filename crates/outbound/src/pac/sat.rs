//! The tax authority's service of statuses, `ConsultaCFDIService`. It asks for no credentials.

use invoices::provider::{Expression, FiscalStatus, StatusOutcome};
use kernel::reason::Reason;
use quick_xml::escape::escape;

use super::{
    Shared,
    ending::Failure,
    http::Answer,
    soap::{self, text},
};

const NAMESPACE: &str = "http://tempuri.org/";
const ACTION: &str = "\"http://tempuri.org/IConsultaCFDIService/Consulta\"";

/// What the authority says of a document.
pub(super) async fn status(shared: &Shared, expression: &Expression) -> StatusOutcome {
    let expression = printed(expression);
    let url = format!("{}/ConsultaCFDIService.svc", shared.sat_url);
    let fields = [("expresionImpresa", expression.as_str())];
    let post = soap::post(url, ACTION, NAMESPACE, "Consulta", &fields);
    let answer = shared.http.post(shared.http.deadline(), post).await;
    match answer.and_then(|answer| read_status(&answer)) {
        Ok(status) => StatusOutcome::Known(status),
        Err(failure) => failure.into(),
    }
}

/// The expression that the document's code shows. An RFC may have an `&`, which is escaped within the
/// expression, and with all of it once more in the envelope.
fn printed(expression: &Expression) -> String {
    let Expression { uuid, issuer_rfc, receiver_rfc, total, seal_end } = expression;
    format!(
        "?re={}&rr={}&tt={}&id={}&fe={}",
        escape(issuer_rfc),
        escape(receiver_rfc),
        escape(total),
        escape(uuid),
        escape(seal_end)
    )
}

fn read_status(answer: &Answer) -> Result<FiscalStatus, Failure> {
    answer.body_counts()?;
    let (code, status) = soap::read(answer, "ConsultaResult", |result| {
        let status = FiscalStatus {
            state: text(result, "Estado").unwrap_or_default(),
            cancellable: text(result, "EsCancelable"),
            cancellation: text(result, "EstatusCancelacion"),
        };
        (text(result, "CodigoEstatus").unwrap_or_default(), status)
    })?;
    // It then says "No Encontrado" of any document.
    if code.contains("601") {
        return Err(Failure::unknown(Reason::QueryRejected));
    }
    if status.state.is_empty() {
        return Err(Failure::nonsense());
    }
    Ok(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_escaped() {
        let expression = Expression {
            uuid: "05C519DE-6D20-4258-88FB-C69A5970E927".to_owned(),
            issuer_rfc: "A&B010101AAA".to_owned(),
            receiver_rfc: "ÑAÑ010101AAA".to_owned(),
            total: "1160.00".to_owned(),
            seal_end: "je/w+g==".to_owned(),
        };
        let expected = "?re=A&amp;B010101AAA&rr=ÑAÑ010101AAA&tt=1160.00&id=05C519DE-6D20-4258-88FB-C69A5970E927&fe=je/w+g==";
        assert_eq!(printed(&expression), expected);
    }
}
