"""The sums of a document, judged by Anexo 20 and SAT's matrix of errors of CFDI 4.0.

Written from the rules alone: it knows nothing of how the documents were made.
"""

from collections import defaultdict
from decimal import Decimal

from numbers_exact import ZERO, cut, decimals, half, rounded, rounded_up

CFDI = "{http://www.sat.gob.mx/cfd/4}"
LOCAL = "{http://www.sat.gob.mx/implocal}"
TRADE = "{http://www.sat.gob.mx/ComercioExterior20}"
# Anexo 20 takes it off the upper limits, so that a limit itself is out of reach.
LESS = Decimal("1e-12")


class Refused(Exception):
    """A rule is not met."""


def refuse(code, message):
    raise Refused(f"{code}: {message}")


def expect(code, name, stated, wanted):
    if stated != wanted:
        refuse(code, f"{name} is {stated}, but should be {wanted}")


def within(code, name, text, low, high):
    """Between the limits, rounded outwards to the decimals that the amount is written with."""
    places = decimals(text)
    low, high = cut(low, places), rounded_up(high, places)
    if not low <= Decimal(text) <= high:
        refuse(code, f"{name} is {text}, but should be between {low} and {high}")


def number(node, name):
    """The attribute's value, zero when there is none."""
    return Decimal(node.get(name, "0"))


def fits(code, node, name, places):
    text = node.get(name)
    if text is not None and decimals(text) > places:
        refuse(code, f"{name} is {text}, with more than {places} decimals")


def judge(document, currency_decimals):
    """Raises at the first rule that is not met."""
    kind = document.get("TipoDeComprobante")
    places = currency_decimals(document.get("Moneda"))
    items = document.findall(f"{CFDI}Conceptos/{CFDI}Concepto")
    for index, item in enumerate(items):
        judge_item(f"Concepto {index}", item, kind)
    head(document, items, kind, places)
    foreign_trade(document)
    if kind in "TP":
        if document.find(f"{CFDI}Impuestos") is not None:
            refuse("CFDI40201", "there is a summary of taxes")
    else:
        summary(document, items, places)


def head(document, items, kind, places):
    sub_total, total = number(document, "SubTotal"), number(document, "Total")
    if kind in "TP":
        expect("CFDI40109", "SubTotal", sub_total, ZERO)
        expect("CFDI40119", "Total", total, ZERO)
        if document.get("Descuento") is not None:
            refuse("CFDI40111", "there is a discount")
        return
    for code, name in [("40107", "SubTotal"), ("40112", "Descuento"), ("40119", "Total")]:
        fits(f"CFDI{code}", document, name, places)
    amounts = sum((number(item, "Importe") for item in items), ZERO)
    expect("CFDI40108", "SubTotal", sub_total, rounded(amounts, places))
    discount(document, items, sub_total, places)
    taxes = document.find(f"{CFDI}Impuestos")
    charged = number(taxes, "TotalImpuestosTrasladados") if taxes is not None else ZERO
    withheld = number(taxes, "TotalImpuestosRetenidos") if taxes is not None else ZERO
    local_charged, local_withheld = local(document)
    wanted = sub_total - number(document, "Descuento") + charged - withheld + local_charged - local_withheld
    expect("CFDI40119", "Total", total, wanted)
    if total < 0:
        refuse("CFDI40119", f"Total is {total}")


def local(document):
    """What the complement of local taxes adds, and what it takes off."""
    complement = document.find(f"{CFDI}Complemento/{LOCAL}ImpuestosLocales")
    if complement is None:
        return ZERO, ZERO
    sums = []
    for total, name, of_rate in [
        ("TotaldeTraslados", "TrasladosLocales", "TasadeTraslado"),
        ("TotaldeRetenciones", "RetencionesLocales", "TasadeRetencion"),
    ]:
        taxes = complement.findall(f"{LOCAL}{name}")
        for tax in taxes:
            fits("implocal", tax, "Importe", 2)
            fits("implocal", tax, of_rate, 2)
        expect("implocal", total, number(complement, total), sum((number(tax, "Importe") for tax in taxes), ZERO))
        sums.append(number(complement, total))
    return sums


def foreign_trade(document):
    """What the exported goods are worth together, and each of them by itself where customs count it."""
    trade = document.find(f"{CFDI}Complemento/{TRADE}ComercioExterior")
    if trade is None:
        return
    goods = trade.findall(f"{TRADE}Mercancias/{TRADE}Mercancia")
    if decimals(trade.get("TotalUSD")) != 2:
        refuse("cce20", f"TotalUSD is {trade.get('TotalUSD')}, without two decimals")
    total = rounded(sum((number(each, "ValorDolares") for each in goods), ZERO), 2)
    expect("cce20", "TotalUSD", number(trade, "TotalUSD"), total)
    for index, each in enumerate(goods):
        quantity, price = each.get("CantidadAduana"), each.get("ValorUnitarioAduana")
        if quantity is None or Decimal(each.get("ValorDolares")) == 1:
            continue
        low = (Decimal(quantity) - half(quantity)) * (Decimal(price) - half(price))
        high = (Decimal(quantity) + half(quantity) - LESS) * (Decimal(price) + half(price) - LESS)
        low, high = cut(low, 2), rounded_up(high, 2)
        if not low <= Decimal(each.get("ValorDolares")) <= high:
            refuse("cce20", f"Mercancia {index}: ValorDolares is not between {low} and {high}")


def discount(document, items, sub_total, places):
    discounted = [item for item in items if item.get("Descuento") is not None]
    expect("CFDI40110", "Descuento's presence", document.get("Descuento") is not None, bool(discounted))
    stated = number(document, "Descuento")
    if stated > sub_total:
        refuse("CFDI40110", f"Descuento is {stated}, above SubTotal {sub_total}")
    discounts = sum((number(item, "Descuento") for item in discounted), ZERO)
    expect("CFDI40110", "Descuento", stated, rounded(discounts, places))


def judge_item(name, item, kind):
    quantity, price, amount = (item.get(a) for a in ("Cantidad", "ValorUnitario", "Importe"))
    if kind in "IE" and Decimal(price) <= 0:
        refuse("CFDI40166", f"{name}: ValorUnitario is {price}")
    if kind != "P":
        low = (Decimal(quantity) - half(quantity)) * (Decimal(price) - half(price))
        high = (Decimal(quantity) + half(quantity) - LESS) * (Decimal(price) + half(price) - LESS)
        within("CFDI40167", f"{name}: Importe", amount, low, high)
    off = item.get("Descuento")
    if off is not None:
        if decimals(off) > decimals(amount):
            refuse("CFDI40168", f"{name}: Descuento {off} has more decimals than Importe {amount}")
        if Decimal(off) > Decimal(amount):
            refuse("CFDI40169", f"{name}: Descuento {off} is above Importe {amount}")
    object_of_tax(name, item)
    for tax in taxes_of(item, "Traslado"):
        judge_tax(name, tax, ("CFDI40174", "CFDI40177", "CFDI40180"))
    for tax in taxes_of(item, "Retencion"):
        if tax.get("TipoFactor") == "Exento":
            refuse("CFDI40184", f"{name}: what is withheld is Exento")
        judge_tax(name, tax, ("CFDI40181", "CFDI40184", "CFDI40186"))


def object_of_tax(name, item):
    code, has_taxes = item.get("ObjetoImp"), item.find(f"{CFDI}Impuestos") is not None
    if code == "02" and not has_taxes:
        refuse("CFDI40171", f"{name}: ObjetoImp is 02, but there are no taxes")
    if code in ("01", "03", "04", "05") and has_taxes:
        refuse("CFDI40172", f"{name}: ObjetoImp is {code}, but there are taxes")


def taxes_of(item, name):
    return item.iterfind(f"{CFDI}Impuestos/{CFDI}{'Traslados' if name == 'Traslado' else 'Retenciones'}/{CFDI}{name}")


def judge_tax(name, tax, codes, suffix=""):
    """A tax of an item; also of a document that is paid, whose attributes end in `suffix`."""
    of_base, of_exempt, of_amount = codes
    base, rate, amount = (tax.get(a + suffix) for a in ("Base", "TasaOCuota", "Importe"))
    if Decimal(base) <= 0:
        refuse(of_base, f"{name}: Base is {base}")
    if tax.get("TipoFactor" + suffix) == "Exento":
        if rate is not None or amount is not None:
            refuse(of_exempt, f"{name}: an exempt tax has a rate or an amount")
        return
    if rate is None or amount is None:
        refuse(of_exempt, f"{name}: a tax lacks its rate or amount")
    low = (Decimal(base) - half(base)) * Decimal(rate)
    high = (Decimal(base) + half(base) - LESS) * Decimal(rate)
    within(of_amount, f"{name}: Importe of the tax on {base} at {rate}", amount, low, high)


def key_of(tax, suffix=""):
    rate = tax.get("TasaOCuota" + suffix)
    factor = tax.get("TipoFactor" + suffix)
    return tax.get("Impuesto" + suffix), factor, None if rate is None else Decimal(rate)


def summary(document, items, places):
    """The summary of taxes against those of the items."""
    node = document.find(f"{CFDI}Impuestos")
    charged, withheld = defaultdict(lambda: [ZERO, ZERO]), defaultdict(lambda: ZERO)
    for item in items:
        for tax in taxes_of(item, "Traslado"):
            sums = charged[key_of(tax)]
            sums[0] += number(tax, "Base")
            sums[1] += number(tax, "Importe")
        for tax in taxes_of(item, "Retencion"):
            withheld[tax.get("Impuesto")] += number(tax, "Importe")
    if node is None:
        if charged or withheld:
            refuse("CFDI40201", "there are taxes, but no summary of them")
        return
    withheld_of(node, withheld, places)
    charged_of(node, charged, places)


def withheld_of(node, wanted, places):
    stated = node.findall(f"{CFDI}Retenciones/{CFDI}Retencion")
    fits("CFDI40202", node, "TotalImpuestosRetenidos", places)
    present = node.get("TotalImpuestosRetenidos") is not None
    expect("CFDI40204", "TotalImpuestosRetenidos' presence", present, bool(stated))
    total = sum((number(tax, "Importe") for tax in stated), ZERO)
    expect("CFDI40203", "TotalImpuestosRetenidos", number(node, "TotalImpuestosRetenidos"), total)
    expect("CFDI40208", "taxes withheld", sorted(t.get("Impuesto") for t in stated), sorted(wanted))
    for tax in stated:
        fits("CFDI40211", tax, "Importe", places)
        sums = rounded(wanted[tax.get("Impuesto")], places)
        expect("CFDI40211", f"Importe withheld of {tax.get('Impuesto')}", number(tax, "Importe"), sums)


def charged_of(node, wanted, places):
    stated = node.findall(f"{CFDI}Traslados/{CFDI}Traslado")
    taxed = [tax for tax in stated if tax.get("TipoFactor") != "Exento"]
    fits("CFDI40205", node, "TotalImpuestosTrasladados", places)
    present = node.get("TotalImpuestosTrasladados") is not None
    expect("CFDI40207", "TotalImpuestosTrasladados' presence", present, bool(taxed))
    total = sum((number(tax, "Importe") for tax in taxed), ZERO)
    expect("CFDI40206", "TotalImpuestosTrasladados", number(node, "TotalImpuestosTrasladados"), total)
    expect("CFDI40218", "taxes charged", sorted(map(str, map(key_of, stated))), sorted(map(str, wanted)))
    for tax in stated:
        base, amount = wanted[key_of(tax)]
        fits("CFDI40215", tax, "Base", places)
        fits("CFDI40221", tax, "Importe", places)
        expect("CFDI40215", f"Base of {key_of(tax)}", number(tax, "Base"), rounded(base, places))
        expect("CFDI40221", f"Importe of {key_of(tax)}", number(tax, "Importe"), rounded(amount, places))
