//! Why an order is not invoiced, in sentences: whoever has many invoiced at once sends no fields that could be named.

use cfdi::document::DocumentType;
use kernel::{FieldFault, Message, message};

use crate::{receivers::incomplete, unsold::Standing};

/// What customers may lack: by its field, and as people call it in English and Spanish.
const PARTS: [(&str, &str, &str); 4] = [
    ("rfc", "RFC", "RFC"),
    ("legalName", "legal name", "razón social"),
    ("taxZip", "tax postal code", "código postal del domicilio fiscal"),
    ("taxRegime", "tax regime", "régimen fiscal"),
];

/// What is wrong with the invoice of an order alone: a sentence, where it is about how the order stands or about what its
/// customer lacks.
#[must_use]
pub fn of_order(fault: FieldFault) -> FieldFault {
    match unsold(&fault.problem).or_else(|| lacking(&fault)) {
        Some(sentence) => FieldFault::new("", sentence),
        None => fault,
    }
}

/// How an order stands of which no invoice is made.
fn unsold(problem: &Message) -> Option<Message> {
    let sold = Standing { is_cancelled: false, is_returned: false, is_refunded: false };
    let known = [
        (
            Standing { is_cancelled: true, ..sold },
            message!("The order is cancelled", "El pedido está cancelado"),
        ),
        (
            Standing { is_returned: true, ..sold },
            message!(
                "Everything of the order has come back: nothing is left to be invoiced",
                "El pedido se devolvió por completo: no queda nada por facturar"
            ),
        ),
        (
            Standing { is_refunded: true, ..sold },
            message!(
                "The order was refunded in full: nothing is left to be invoiced",
                "El pedido se reembolsó por completo: no queda nada por facturar"
            ),
        ),
    ];
    let is_it =
        |standing: Standing| standing.refused(DocumentType::Income).as_ref() == Some(problem);
    known.into_iter().find(|(standing, _)| is_it(*standing)).map(|(_, sentence)| sentence)
}

/// What its customer lacks.
fn lacking(fault: &FieldFault) -> Option<Message> {
    // Any of them may be missing, in this order.
    (1_usize..1 << PARTS.len()).find_map(|chosen| {
        let is_chosen = |place: usize| (chosen >> place) & 1 == 1;
        let parts = PARTS.iter().enumerate().filter(|(place, _)| is_chosen(*place));
        let parts: Vec<_> = parts.map(|(_, part)| *part).collect();
        let names: Vec<_> = parts.iter().map(|(name, ..)| *name).collect();
        (incomplete(&names) == *fault).then(|| {
            let english: Vec<_> = parts.iter().map(|(_, english, _)| *english).collect();
            let spanish: Vec<_> = parts.iter().map(|(.., spanish)| *spanish).collect();
            let (english, spanish) = (english.join(", "), spanish.join(", "));
            message!(
                "Tax data of the customer is missing ({english}): complete it",
                "Faltan datos fiscales del cliente ({spanish}): complétalos"
            )
        })
    })
}

#[cfg(test)]
mod tests {
    use kernel::Language;

    use super::*;

    fn told(field: &str, problem: Message) -> String {
        of_order(FieldFault::new(field, problem)).in_language(Language::Spanish)
    }

    #[test]
    fn what_is_about_the_order_names_no_field() {
        let cancelled = Standing { is_cancelled: true, is_returned: true, is_refunded: true };
        let problem = cancelled.refused(DocumentType::Income).unwrap();
        assert_eq!(told("orderId", problem), "El pedido está cancelado");
        for (missing, wanted) in [
            (&["rfc"][..], "RFC"),
            (&["legalName", "taxRegime"][..], "razón social, régimen fiscal"),
            (
                &["rfc", "legalName", "taxZip", "taxRegime"][..],
                "RFC, razón social, código postal del domicilio fiscal, régimen fiscal",
            ),
        ] {
            let problem = incomplete(missing).problem;
            let wanted = format!("Faltan datos fiscales del cliente ({wanted}): complétalos");
            assert_eq!(told("customerId", problem), wanted);
        }
        assert_eq!(told("items[0].sku", message!("is", "falta")), "items[0].sku falta");
    }
}
