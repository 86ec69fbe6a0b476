"""The sums of the payment complement, judged by SAT's matrix of errors of payments 2.0."""

from collections import defaultdict
from decimal import Decimal

from numbers_exact import ZERO, cut, decimals, half, rounded
from sums import CFDI, expect, fits, judge_tax, key_of, number, refuse

P = "{http://www.sat.gob.mx/Pagos20}"
LEAST = Decimal("0.0000000000000001")
# ImporteP and BaseP may be written with so many decimals, and are to be exact to the last.
PLACES = 6


def judge(document, currency_decimals):
    """Raises at the first rule that is not met."""
    complement = document.find(f"{CFDI}Complemento/{P}Pagos")
    if (complement is None) == (document.get("TipoDeComprobante") == "P"):
        refuse("CRP20101", "payments and the kind P go together")
    if complement is None:
        return
    expect("CRP20104", "Moneda", document.get("Moneda"), "XXX")
    payments = complement.findall(f"{P}Pago")
    for index, payment in enumerate(payments):
        judge_payment(f"Pago {index}", payment, currency_decimals)
    totals(complement.find(f"{P}Totales"), payments)


def judge_payment(name, payment, currency_decimals):
    currency = payment.get("MonedaP")
    if currency == "MXN":
        expect("CRP20215", f"{name}: TipoCambioP", payment.get("TipoCambioP"), "1")
    elif payment.get("TipoCambioP") is None:
        refuse("CRP20214", f"{name}: TipoCambioP is missing")
    fits("CRP20219", payment, "Monto", currency_decimals(currency))
    if number(payment, "Monto") <= 0:
        refuse("CRP20218", f"{name}: Monto is {payment.get('Monto')}")
    documents = payment.findall(f"{P}DoctoRelacionado")
    for index, paid in enumerate(documents):
        judge_document(f"{name}, document {index}", paid, currency, currency_decimals)
    covers(name, payment, documents, currency_decimals(currency))
    taxes(name, payment, documents)


def judge_document(name, paid, currency, currency_decimals):
    equivalence = paid.get("EquivalenciaDR")
    if equivalence is None or Decimal(equivalence) <= 0:
        refuse("CRP20237", f"{name}: EquivalenciaDR is {equivalence}")
    if paid.get("MonedaDR") == currency:
        expect("CRP20238", f"{name}: EquivalenciaDR", equivalence, "1")
    places = currency_decimals(paid.get("MonedaDR"))
    for code, attribute in [("20240", "ImpSaldoAnt"), ("20242", "ImpPagado"), ("20243", "ImpSaldoInsoluto")]:
        fits(f"CRP{code}", paid, attribute, places)
    before, amount = number(paid, "ImpSaldoAnt"), number(paid, "ImpPagado")
    if before <= 0 or amount <= 0:
        refuse("CRP20239", f"{name}: ImpSaldoAnt is {before}, ImpPagado {amount}")
    after = number(paid, "ImpSaldoInsoluto")
    expect("CRP20244", f"{name}: ImpSaldoInsoluto", after, before - amount)
    if after < 0:
        refuse("CRP20244", f"{name}: ImpSaldoInsoluto is {after}")
    has_taxes = paid.find(f"{P}ImpuestosDR") is not None
    if paid.get("ObjetoImpDR") in ("01", "02"):
        expect("CRP20246", f"{name}: taxes' presence", has_taxes, paid.get("ObjetoImpDR") == "02")
    for tax in paid.iterfind(f"{P}ImpuestosDR/{P}TrasladosDR/{P}TrasladoDR"):
        judge_tax(name, tax, ("CRP20255", "CRP20258", "CRP20261"), "DR")
    for tax in paid.iterfind(f"{P}ImpuestosDR/{P}RetencionesDR/{P}RetencionDR"):
        judge_tax(name, tax, ("CRP20249", "CRP20252", "CRP20254"), "DR")


def covers(name, payment, documents, places):
    """What is paid of the documents is no more than the payment, but for the rounding between currencies."""
    monto, currency = number(payment, "Monto"), payment.get("MonedaP")
    least = ZERO
    for paid in documents:
        amount, equivalence = paid.get("ImpPagado"), paid.get("EquivalenciaDR")
        if paid.get("MonedaDR") == currency:
            least += Decimal(amount)
        else:
            divisor = Decimal(equivalence) + half(equivalence) - LEAST
            least += cut((Decimal(amount) - half(amount)) / divisor, places)
    if monto < least:
        refuse("CRP20217/20276", f"{name}: Monto is {monto}, but its documents take {least}")


def taxes(name, payment, documents):
    """The taxes of a payment: those of its documents, in its currency."""
    charged, withheld = defaultdict(lambda: [ZERO, ZERO]), defaultdict(lambda: ZERO)
    for paid in documents:
        turn = Decimal(paid.get("EquivalenciaDR"))
        for tax in paid.iterfind(f"{P}ImpuestosDR/{P}TrasladosDR/{P}TrasladoDR"):
            sums = charged[key_of(tax, "DR")]
            sums[0] += number(tax, "BaseDR") / turn
            sums[1] += number(tax, "ImporteDR") / turn
        for tax in paid.iterfind(f"{P}ImpuestosDR/{P}RetencionesDR/{P}RetencionDR"):
            withheld[tax.get("ImpuestoDR")] += number(tax, "ImporteDR") / turn
    stated = payment.findall(f"{P}ImpuestosP/{P}RetencionesP/{P}RetencionP")
    expect("CRP20263", f"{name}: taxes withheld", sorted(t.get("ImpuestoP") for t in stated), sorted(withheld))
    for tax in stated:
        wanted = rounded(withheld[tax.get("ImpuestoP")], PLACES)
        expect("CRP20265", f"{name}: ImporteP withheld", number(tax, "ImporteP"), wanted)
    stated = payment.findall(f"{P}ImpuestosP/{P}TrasladosP/{P}TrasladoP")
    keys = sorted(str(key_of(tax, "P")) for tax in stated)
    expect("CRP20271", f"{name}: taxes charged", keys, sorted(map(str, charged)))
    for tax in stated:
        base, amount = (rounded(value, PLACES) for value in charged[key_of(tax, "P")])
        expect("CRP20268", f"{name}: BaseP of {key_of(tax, 'P')}", number(tax, "BaseP"), base)
        expect("CRP20274", f"{name}: ImporteP of {key_of(tax, 'P')}", number(tax, "ImporteP"), amount)


WITHHELD = {
    "002": ("CRP20201", "TotalRetencionesIVA"),
    "001": ("CRP20202", "TotalRetencionesISR"),
    "003": ("CRP20203", "TotalRetencionesIEPS"),
}
CHARGED = {
    Decimal("0.16"): ("CRP20204", "TotalTrasladosBaseIVA16", "CRP20205", "TotalTrasladosImpuestoIVA16"),
    Decimal("0.08"): ("CRP20206", "TotalTrasladosBaseIVA8", "CRP20207", "TotalTrasladosImpuestoIVA8"),
    Decimal(0): ("CRP20208", "TotalTrasladosBaseIVA0", "CRP20209", "TotalTrasladosImpuestoIVA0"),
}


def totals(node, payments):
    """Everything in pesos: what payments state, times their exchange rate, rounded at the end."""
    wanted = defaultdict(lambda: ZERO)
    for payment in payments:
        pesos = Decimal(payment.get("TipoCambioP"))
        wanted["CRP20211", "MontoTotalPagos"] += number(payment, "Monto") * pesos
        for tax in payment.iterfind(f"{P}ImpuestosP/{P}RetencionesP/{P}RetencionP"):
            wanted[WITHHELD[tax.get("ImpuestoP")]] += number(tax, "ImporteP") * pesos
        for tax in payment.iterfind(f"{P}ImpuestosP/{P}TrasladosP/{P}TrasladoP"):
            which, factor, rate = key_of(tax, "P")
            if which != "002":
                continue
            if factor == "Exento":
                wanted["CRP20210", "TotalTrasladosBaseIVAExento"] += number(tax, "BaseP") * pesos
                continue
            of_base, base, of_amount, amount = CHARGED[rate]
            wanted[of_base, base] += number(tax, "BaseP") * pesos
            wanted[of_amount, amount] += number(tax, "ImporteP") * pesos
    expect("CRP20264/20267/20273", "names of Totales", sorted(node.keys()), sorted(name for _, name in wanted))
    for (code, name), value in wanted.items():
        if decimals(node.get(name)) > 2:
            refuse(code, f"{name} is {node.get(name)}")
        expect(code, name, number(node, name), rounded(value, 2))
