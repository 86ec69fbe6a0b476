"""Documents broken on purpose: each judge must refuse what it is there to find."""

import copy
import re
from decimal import Decimal

from lxml import etree

from judges import STAMP, Document, can_be_copied
from payments import P
from sums import CFDI, TRADE
from withholdings import OF_COMPLEMENTS, PRIZE, R
from withholdings import P as PLATFORM

CENT = Decimal("0.01")
# More than rounding to whole yen can swallow.
MORE_THAN_ONE = Decimal("1.01")


def add(path, attribute, amount):
    """Moves an amount, wherever it is."""

    def spoil(tree):
        node = tree if path is None else tree.find(path)
        if node is None or node.get(attribute) is None:
            return False
        node.set(attribute, str(Decimal(node.get(attribute)) + Decimal(amount)))
        return True

    return spoil


def put(path, attribute, text):
    """Writes another text; where `text` is a function, what it makes of the old one."""

    def spoil(tree):
        node = tree if path is None else tree.find(path)
        if node is None or node.get(attribute) is None:
            return False
        new = text(node.get(attribute)) if callable(text) else text
        changed = new != node.get(attribute)
        node.set(attribute, new)
        return changed

    return spoil


def leave_out(path, attribute):
    def spoil(tree):
        node = tree if path is None else tree.find(path)
        return node is not None and node.attrib.pop(attribute, None) is not None

    return spoil


def swap_parties(tree):
    issuer = tree.find("{*}Emisor")
    tree.remove(issuer)
    tree.insert(len(tree), issuer)
    return True


def double_amount_of_item(tree):
    """Far from quantity times price, and yet all sums are right: as much is taken off again."""
    items = tree.findall(f"{CFDI}Conceptos/{CFDI}Concepto[@Descuento]")
    # Twice a cent is still within what a cent may have been rounded from.
    item = next((item for item in items if Decimal(item.get("ValorUnitario")) >= 10), None)
    if item is None or Decimal(item.get("Cantidad")) < 1:
        return False
    more = Decimal(item.get("Importe"))
    for node, attribute in [(item, "Importe"), (item, "Descuento"), (tree, "SubTotal"), (tree, "Descuento")]:
        node.set(attribute, str(Decimal(node.get(attribute)) + more))
    return True


def flip(text):
    """Another first letter or digit."""
    return ("B" if text[0] == "A" else "A") + text[1:]


def other_kind(text):
    """A kind that takes a complement, and another one."""
    return "16" if text == "20" else "20"


ITEM = f"{CFDI}Conceptos/{CFDI}Concepto"
ITEM_TAX = f"{ITEM}/{CFDI}Impuestos/{CFDI}Traslados/{CFDI}Traslado[@TasaOCuota='0.160000']"
SUMMARY = f"{CFDI}Impuestos"
CHARGED = f"{SUMMARY}/{CFDI}Traslados/{CFDI}Traslado[@Importe]"
WITHHELD = f"{SUMMARY}/{CFDI}Retenciones/{CFDI}Retencion"
PAYMENTS = f"{CFDI}Complemento/{P}Pagos"
PAID = f"{PAYMENTS}/{P}Pago/{P}DoctoRelacionado"
C = "{http://www.sat.gob.mx/CartaPorte31}"
LOAD = f"{CFDI}Complemento/{C}CartaPorte/{C}Mercancias"
STAMPED = f"{{*}}Complemento/{STAMP}"
EXPORT = f"{CFDI}Complemento/{TRADE}ComercioExterior"
ABROAD, DIVIDENDS, INTEREST, LEASE, SHARES = (
    f"{{{OF_COMPLEMENTS}{name}}}"
    for name in ["pagosaextranjeros", "dividendos", "intereses", "arrendamientoenfideicomiso", "enajenaciondeacciones"]
)
OF_WITHHOLDING = f"{R}Totales"
WITHHELD_FROM = f"{OF_WITHHOLDING}/{R}ImpRetenidos"
SOLD = f"{R}Complemento/{PLATFORM}ServiciosPlataformasTecnologicas"
SERVICE = f"{SOLD}/{PLATFORM}Servicios/{PLATFORM}DetallesDelServicio"
GOODS = f"{EXPORT}/{TRADE}Mercancias/{TRADE}Mercancia"

# What is broken, how, and which judges must see it.
SPOILS = [
    ("total by a cent", add(None, "Total", CENT), {"cadena", "seal", "sums", "satcfdi"}),
    ("subtotal by a cent", add(None, "SubTotal", CENT), {"cadena", "seal", "sums", "satcfdi"}),
    ("discount by a cent", add(None, "Descuento", CENT), {"cadena", "seal", "sums", "satcfdi"}),
    ("rate of a tax", put(ITEM_TAX, "TasaOCuota", "0.150000"), {"cadena", "seal", "sums", "satcfdi"}),
    ("tax of an item", add(ITEM_TAX, "Importe", MORE_THAN_ONE), {"cadena", "seal", "sums"}),
    ("base in the summary", add(CHARGED, "Base", CENT), {"cadena", "seal", "sums"}),
    ("tax in the summary", add(CHARGED, "Importe", CENT), {"cadena", "seal", "sums"}),
    ("tax withheld", add(WITHHELD, "Importe", CENT), {"cadena", "seal", "sums"}),
    ("sum of taxes", add(SUMMARY, "TotalImpuestosTrasladados", CENT), {"cadena", "seal", "sums"}),
    ("amount of an item", double_amount_of_item, {"cadena", "seal", "sums"}),
    ("description after sealing", put(ITEM, "Descripcion", flip), {"cadena", "seal", "satcfdi"}),
    ("bar in the description", put(ITEM, "Descripcion", lambda text: f"{text}|"), {"schema", "seal"}),
    ("unknown product", put(ITEM, "ClaveProdServ", "99999999"), {"schema", "cadena", "seal"}),
    ("unknown postal code", put(None, "LugarExpedicion", "00001"), {"schema", "cadena", "seal"}),
    ("no currency", leave_out(None, "Moneda"), {"schema", "cadena", "seal"}),
    ("no form of payment", leave_out(f"{PAYMENTS}/{P}Pago", "FormaDePagoP"), {"schema", "cadena", "seal"}),
    ("no provider", leave_out(STAMPED, "RfcProvCertif"), {"schema", "stamp"}),
    ("issuer at the end", swap_parties, {"schema"}),
    ("seal", put(None, "Sello", flip), {"seal"}),
    ("certificate's number", put(None, "NoCertificado", "0" * 20), {"cadena", "seal"}),
    ("total of payments", add(f"{PAYMENTS}/{P}Totales", "MontoTotalPagos", CENT), {"cadena", "seal", "sums", "satcfdi"}),
    ("balance after a payment", add(PAID, "ImpSaldoInsoluto", CENT), {"cadena", "seal", "sums"}),
    ("tax of a payment", add(f"{PAYMENTS}/{P}Pago/{P}ImpuestosP/{P}TrasladosP/{P}TrasladoP", "BaseP", "0.000001"),
     {"cadena", "seal", "sums"}),
    ("too much paid", add(f"{PAYMENTS}/{P}Pago", "Monto", "-1000000000000"), {"schema", "cadena", "seal", "sums"}),
    ("total in dollars by a cent", add(EXPORT, "TotalUSD", CENT), {"cadena", "seal", "sums"}),
    ("goods without their number", leave_out(GOODS, "NoIdentificacion"), {"schema", "cadena", "seal"}),
    ("unknown tariff code", put(GOODS, "FraccionArancelaria", "00000000"), {"schema", "cadena", "seal"}),
    ("goods without weight", leave_out(f"{LOAD}/{C}Mercancia", "PesoEnKg"), {"schema", "cadena", "seal"}),
    ("plate of four letters", put(f"{LOAD}/{C}Autotransporte/{C}IdentificacionVehicular", "PlacaVM", "ABCD"),
     {"schema", "cadena", "seal"}),
    ("what was paid by a cent", add(OF_WITHHOLDING, "MontoTotOperacion", CENT), {"cadena", "seal", "sums", "satcfdi"}),
    ("what was withheld by a cent", add(OF_WITHHOLDING, "MontoTotRet", CENT), {"cadena", "seal", "sums", "satcfdi"}),
    ("tax of a withholding", add(WITHHELD_FROM, "MontoRet", CENT), {"cadena", "seal", "sums", "satcfdi"}),
    ("base of a withholding", add(WITHHELD_FROM, "BaseRet", "0.001"), {"schema", "cadena", "seal"}),
    ("unknown kind of withholding", put(None, "CveRetenc", "29"), {"schema", "cadena", "seal"}),
    ("kind of another complement", put(None, "CveRetenc", other_kind), {"cadena", "seal", "sums", "satcfdi"}),
    ("no receiver of a withholding", leave_out(f"{R}Receptor", "NacionalidadR"), {"schema", "cadena", "seal"}),
    ("year long ago", put(f"{R}Periodo", "Ejercicio", "2020"), {"cadena", "seal", "sums", "satcfdi"}),
    ("description of a kind", put(None, "DescRetenc", flip), {"cadena", "seal", "satcfdi"}),
    ("parts of a prize", add(f"{R}Complemento/{PRIZE}Premios", "MontTotPago", CENT), {"cadena", "seal", "sums"}),
    ("payee abroad", put(f"{R}Complemento/{ABROAD}Pagosaextranjeros/*", "ConceptoPago", "10"),
     {"schema", "cadena", "seal"}),
    ("interest without yes or no", put(f"{R}Complemento/{INTEREST}Intereses", "SistFinanciero", "si"),
     {"schema", "cadena", "seal"}),
    ("kind of dividend", put(f"{R}Complemento/{DIVIDENDS}Dividendos/{DIVIDENDS}DividOUtil", "CveTipDivOUtil", "07"),
     {"schema", "cadena", "seal"}),
    ("rent of a trust", leave_out(f"{R}Complemento/{LEASE}Arrendamientoenfideicomiso", "RendimFideicom"),
     {"schema", "cadena", "seal"}),
    ("contract of a broker", put(f"{R}Complemento/{SHARES}EnajenaciondeAcciones", "ContratoIntermediacion", ""),
     {"schema", "cadena", "seal"}),
    ("number of services", add(SOLD, "NumServ", 1), {"cadena", "seal", "sums"}),
    ("price of a service", add(SERVICE, "PrecioServSinIVA", CENT), {"cadena", "seal", "sums"}),
    ("rate of a service", put(f"{SERVICE}/{PLATFORM}ImpuestosTrasladadosdelServicio", "TasaCuota", "0.150000"),
     {"schema", "cadena", "seal"}),
    ("fee of a platform", add(f"{SERVICE}/{PLATFORM}ComisionDelServicio", "Importe", CENT), {"cadena", "seal", "sums"}),
    ("folio of the stamp", put(STAMPED, "UUID", flip), {"stamp"}),
    ("seal of the stamp", put(STAMPED, "SelloSAT", flip), {"stamp"}),
    ("seal in the stamp", put(STAMPED, "SelloCFD", flip), {"stamp"}),
]


def spoiled(document):
    """Each way in which the document can be broken: its name, the broken document, who must refuse it."""
    # What satcfdi sees by its copy alone, it cannot see where it makes no copy.
    blind = set() if can_be_copied(document) else {"satcfdi"}
    for name, spoil, expected in SPOILS:
        tree = copy.deepcopy(document.tree)
        if spoil(tree):
            data = etree.tostring(tree, encoding="UTF-8", xml_declaration=True)
            broken = Document(data, document.cadena, document.cadena_of_stamp, document.provider)
            yield name, broken, expected - blind
    other = re.sub(rb"\|(?=\|$)", b"|x", document.cadena)
    yield "our cadena", Document(document.data, other, document.cadena_of_stamp, document.provider), {"cadena"}
