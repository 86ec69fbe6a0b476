"""The sums of a withholding, judged by SAT's schemas and its matrices of errors of withholdings and platforms.

Written from the rules alone: it knows nothing of how the documents were made.
"""

from decimal import Decimal

from numbers_exact import ZERO, cut, half, rounded_up
from sums import LESS, expect, number, refuse

R = "{http://www.sat.gob.mx/esquemas/retencionpago/2}"
OF_COMPLEMENTS = "http://www.sat.gob.mx/esquemas/retencionpago/1/"
PRIZE = f"{{{OF_COMPLEMENTS}premios}}"
P = f"{{{OF_COMPLEMENTS}PlataformasTecnologicas10}}"

# What SAT's catalog of codes says that each takes; None where it takes none that the crate can write.
COMPLEMENTS = {
    "06": "enajenaciondeacciones",
    "14": "dividendos",
    "15": "dividendos",
    "16": "intereses",
    "17": "arrendamientoenfideicomiso",
    "18": "pagosaextranjeros",
    "19": "enajenaciondeacciones",
    "20": "premios",
    "26": "PlataformasTecnologicas10",
}
ONLY_ABROAD = {"01", "02", "04", "05"}
TAX_OF_KIND = {"01": "002", "02": "003", "03": "001", "04": "001"}
ANYBODY = "XAXX010101000"


def judge(tree):
    """Raises at the first rule that is not met."""
    totals = tree.find(f"{R}Totales")
    taxes = totals.findall(f"{R}ImpRetenidos")
    head(tree)
    sums(tree, totals, taxes)
    complement(tree)
    prize = tree.find(f"{R}Complemento/{PRIZE}Premios")
    if prize is not None:
        parts = number(prize, "MontTotPagoGrav") + number(prize, "MontTotPagoExent")
        expect("premios", "MontTotPago", number(prize, "MontTotPago"), parts)
    services = tree.find(f"{R}Complemento/{P}ServiciosPlataformasTecnologicas")
    if services is not None:
        platform(tree, services, taxes)


def head(tree):
    if tree.get("CveRetenc") == "25" and tree.get("DescRetenc") is None:
        refuse("Reten20106", "there is no DescRetenc")
    period = tree.find(f"{R}Periodo")
    if int(period.get("MesIni")) > int(period.get("MesFin")):
        refuse("Reten20122", "MesIni is after MesFin")
    year = int(tree.get("FechaExp")[:4])
    if int(period.get("Ejercicio")) not in (year, year - 1):
        refuse("Reten20126", f"Ejercicio is {period.get('Ejercicio')}")
    receiver = tree.find(f"{R}Receptor")
    expect("schema", "the kind of receiver", f"{R}{receiver.get('NacionalidadR')}", receiver[0].tag)
    if receiver[0].get("CurpR") is not None and len(receiver[0].get("RfcR")) != 13:
        refuse("Reten20117", "a legal entity has a CURP")


def sums(tree, totals, taxes):
    taxed, exempt = number(totals, "MontoTotGrav"), number(totals, "MontoTotExent")
    expect("Reten20127", "MontoTotOperacion", number(totals, "MontoTotOperacion"), taxed + exempt)
    if number(totals, "MontoTotRet") and not taxes:
        refuse("Reten20130", "there are no ImpRetenidos")
    withheld = sum((number(tax, "MontoRet") for tax in taxes), ZERO)
    expect("Reten20131", "MontoTotRet", number(totals, "MontoTotRet"), withheld)
    if tree.get("CveRetenc") == "28":
        expect("Reten20108", "what is taxed or exempt", (taxed, exempt), (ZERO, ZERO))
        for code, name in [("Reten20132", "UtilidadBimestral"), ("Reten20133", "ISRCorrespondiente")]:
            if number(totals, name) <= 0:
                refuse(code, f"{name} is not above zero")
    for tax in taxes:
        if tax.get("ImpuestoRet") is not None:
            wanted = TAX_OF_KIND[tax.get("TipoPagoRet")]
            expect("c_TipoPagoRet", "ImpuestoRet", tax.get("ImpuestoRet"), wanted)


def complement(tree):
    """That of the code, and no other but payments abroad."""
    code = tree.get("CveRetenc")
    abroad = tree.find(f"{R}Receptor/{R}Extranjero") is not None
    wanted = COMPLEMENTS.get(code)
    if code in ONLY_ABROAD and abroad:
        wanted = "pagosaextranjeros"
    namespaces = [node.tag.partition("}")[0][1:] for node in tree.iterfind(f"{R}Complemento/*")]
    known = {each.removeprefix(OF_COMPLEMENTS) for each in namespaces if each.startswith(OF_COMPLEMENTS)}
    if wanted is not None and wanted not in known:
        refuse("Reten20107", f"code {code} needs the complement {wanted}")
    if others := known - {wanted} - ({"pagosaextranjeros"} if abroad else set()):
        refuse("Reten20107", f"code {code} does not take {others}")


def platform(tree, services, taxes):
    details = services.findall(f"{P}Servicios/{P}DetallesDelServicio")

    def total(path, name, chosen=lambda node: True):
        nodes = (node for each in details for node in ([each] if path is None else each.findall(f"{P}{path}")))
        return sum((number(node, name) for node in nodes if chosen(node)), ZERO)

    def withheld(tax):
        return sum((number(each, "MontoRet") for each in taxes if each.get("ImpuestoRet") == tax), ZERO)

    charged = total("ImpuestosTrasladadosdelServicio", "Importe", lambda node: node.get("Impuesto") == "02")
    expect("NumServ", "NumServ", int(services.get("NumServ")), len(details))
    for name, wanted in [
        ("MonTotServSIVA", total(None, "PrecioServSinIVA")),
        ("TotalIVATrasladado", charged),
        ("TotalIVARetenido", withheld("002")),
        ("TotalISRRetenido", withheld("001")),
        ("DifIVAEntregadoPrestServ", charged - withheld("002")),
        ("MonTotalporUsoPlataforma", total("ComisionDelServicio", "Importe")),
        ("MonTotalContribucionGubernamental", total("ContribucionGubernamental", "ImpContrib")),
    ]:
        expect(name, name, number(services, name), wanted)
    for each in details:
        for tax in each.findall(f"{P}ImpuestosTrasladadosdelServicio"):
            share_of_base(tax)
    national = tree.find(f"{R}Receptor/{R}Nacional")
    if national is not None and national.get("RfcR") != ANYBODY:
        for tax in taxes:
            half_or_all(tax)


def share_of_base(tax):
    """Within what rounding the base allows, as in invoices."""
    base, rate, amount = tax.get("Base"), Decimal(tax.get("TasaCuota")), tax.get("Importe")
    places = len(amount.partition(".")[2])
    low = cut((Decimal(base) - half(base)) * rate, places)
    high = rounded_up((Decimal(base) + half(base) - LESS) * rate, places)
    if not low <= Decimal(amount) <= high:
        refuse("Importe", f"Importe of {base} at {rate} is {amount}, but should be between {low} and {high}")


def half_or_all(tax):
    if tax.get("ImpuestoRet") == "002" and tax.get("BaseRet") is not None:
        base, amount = number(tax, "BaseRet"), number(tax, "MontoRet")
        if amount not in (cut(base / 2, 2), cut(base, 2)):
            refuse("SPT117", f"MontoRet is {amount}, neither half of {base} nor all")
