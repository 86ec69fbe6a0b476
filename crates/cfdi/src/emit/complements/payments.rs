//! The walk over the payment complement (Pagos 2.0).

use kernel::Amount;

use super::{Schema, Sink};
use crate::{
    decimal::digits,
    document::local_time,
    payments::{PaidDocument, Payment, PaymentTotals, taxes_of, withheld_of},
    tax::{Factor, ItemTax},
};

pub(super) const SCHEMA: Schema = Schema {
    declaration: "xmlns:pago20",
    namespace: "http://www.sat.gob.mx/Pagos20",
    location: "http://www.sat.gob.mx/sitio_internet/cfd/Pagos/Pagos20.xsd",
};

pub(super) fn walk(payments: &[Payment], sink: &mut impl Sink) {
    sink.open("pago20:Pagos");
    sink.attribute("Version", "2.0");
    totals(&PaymentTotals::of(payments), sink);
    for each in payments {
        payment(each, sink);
    }
    sink.close("pago20:Pagos");
}

fn totals(totals: &PaymentTotals, sink: &mut impl Sink) {
    let pesos = |amount: Amount| digits(amount, 2);
    sink.open("pago20:Totales");
    sink.optional("TotalRetencionesIVA", totals.withheld_iva.map(pesos).as_deref());
    sink.optional("TotalRetencionesISR", totals.withheld_isr.map(pesos).as_deref());
    sink.optional("TotalRetencionesIEPS", totals.withheld_ieps.map(pesos).as_deref());
    let pairs = [
        ("TotalTrasladosBaseIVA16", "TotalTrasladosImpuestoIVA16", totals.iva_16),
        ("TotalTrasladosBaseIVA8", "TotalTrasladosImpuestoIVA8", totals.iva_8),
        ("TotalTrasladosBaseIVA0", "TotalTrasladosImpuestoIVA0", totals.iva_0),
    ];
    for (base_name, tax_name, pair) in pairs {
        if let Some((base, tax)) = pair {
            sink.attribute(base_name, &pesos(base));
            sink.attribute(tax_name, &pesos(tax));
        }
    }
    sink.optional("TotalTrasladosBaseIVAExento", totals.iva_exempt.map(pesos).as_deref());
    sink.attribute("MontoTotalPagos", &pesos(totals.amount));
    sink.close("pago20:Totales");
}

fn payment(payment: &Payment, sink: &mut impl Sink) {
    let decimals = payment.currency.decimals();
    let payer = payment.payer_account.clone().unwrap_or_default();
    let payee = payment.payee_account.clone().unwrap_or_default();
    // A peso is always one peso, and is to be said so (CRP20214).
    let exchange_rate =
        payment.exchange_rate.map_or_else(|| "1".to_owned(), |rate| digits(rate, 0));
    sink.open("pago20:Pago");
    sink.attribute("FechaPago", &local_time::to_text(payment.paid_at));
    sink.attribute("FormaDePagoP", &payment.payment_form);
    sink.attribute("MonedaP", payment.currency.code());
    sink.attribute("TipoCambioP", &exchange_rate);
    sink.attribute("Monto", &digits(payment.amount, decimals));
    sink.optional("NumOperacion", payment.operation.as_deref());
    sink.optional("RfcEmisorCtaOrd", payer.bank_rfc.as_deref());
    sink.optional("NomBancoOrdExt", payer.bank_name.as_deref());
    sink.optional("CtaOrdenante", payer.number.as_deref());
    sink.optional("RfcEmisorCtaBen", payee.bank_rfc.as_deref());
    sink.optional("CtaBeneficiario", payee.number.as_deref());
    for document in &payment.documents {
        paid(document, sink);
    }
    taxes(payment, sink);
    sink.close("pago20:Pago");
}

fn paid(document: &PaidDocument, sink: &mut impl Sink) {
    let amount = |amount: Amount| digits(amount, document.currency.decimals());
    sink.open("pago20:DoctoRelacionado");
    sink.attribute("IdDocumento", &document.uuid);
    sink.optional("Serie", document.series.as_deref());
    sink.optional("Folio", document.folio.as_deref());
    sink.attribute("MonedaDR", document.currency.code());
    sink.attribute("EquivalenciaDR", &document.equivalence.to_string());
    sink.attribute("NumParcialidad", &document.installment.to_string());
    sink.attribute("ImpSaldoAnt", &amount(document.balance_before));
    sink.attribute("ImpPagado", &amount(document.amount));
    sink.attribute("ImpSaldoInsoluto", &amount(document.balance_after()));
    sink.attribute("ObjetoImpDR", &document.tax_object);
    let groups = [
        (true, "pago20:RetencionesDR", "pago20:RetencionDR"),
        (false, "pago20:TrasladosDR", "pago20:TrasladoDR"),
    ];
    if !document.taxes.is_empty() {
        sink.open("pago20:ImpuestosDR");
        for (withheld, group, name) in groups {
            let taxes: Vec<_> =
                document.taxes.iter().filter(|tax| tax.rate.withheld == withheld).collect();
            if taxes.is_empty() {
                continue;
            }
            sink.open(group);
            for tax in taxes {
                sink.open(name);
                tax_of_document(tax, &amount, sink);
                sink.close(name);
            }
            sink.close(group);
        }
        sink.close("pago20:ImpuestosDR");
    }
    sink.close("pago20:DoctoRelacionado");
}

fn tax_of_document(tax: &ItemTax, amount: &impl Fn(Amount) -> String, sink: &mut impl Sink) {
    sink.attribute("BaseDR", &amount(tax.base));
    sink.attribute("ImpuestoDR", tax.rate.tax.code());
    sink.attribute("TipoFactorDR", tax.rate.factor.code());
    if tax.rate.factor != Factor::Exento {
        sink.attribute("TasaOCuotaDR", &digits(tax.rate.rate, 6));
        sink.attribute("ImporteDR", &amount(tax.amount));
    }
}

fn taxes(payment: &Payment, sink: &mut impl Sink) {
    let sums = taxes_of(payment);
    let withheld = withheld_of(payment);
    let transferred: Vec<_> = sums.iter().filter(|sum| !sum.rate.withheld).collect();
    let amount = |amount: Amount| digits(amount, payment.currency.decimals());
    if sums.is_empty() {
        return;
    }
    sink.open("pago20:ImpuestosP");
    if !withheld.is_empty() {
        sink.open("pago20:RetencionesP");
        for (tax, sum) in &withheld {
            sink.open("pago20:RetencionP");
            sink.attribute("ImpuestoP", tax.code());
            sink.attribute("ImporteP", &amount(*sum));
            sink.close("pago20:RetencionP");
        }
        sink.close("pago20:RetencionesP");
    }
    if !transferred.is_empty() {
        sink.open("pago20:TrasladosP");
        for sum in transferred {
            sink.open("pago20:TrasladoP");
            sink.attribute("BaseP", &amount(sum.base));
            sink.attribute("ImpuestoP", sum.rate.tax.code());
            sink.attribute("TipoFactorP", sum.rate.factor.code());
            if sum.rate.factor != Factor::Exento {
                sink.attribute("TasaOCuotaP", &digits(sum.rate.rate, 6));
                sink.attribute("ImporteP", &amount(sum.amount));
            }
            sink.close("pago20:TrasladoP");
        }
        sink.close("pago20:TrasladosP");
    }
    sink.close("pago20:ImpuestosP");
}
