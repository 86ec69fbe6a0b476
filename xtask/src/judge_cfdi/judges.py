"""Who judges: SAT's schemas and style sheets, the certificate in the document, the package satcfdi, the rules."""

import base64
import os
from decimal import Decimal

import satcfdi
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from lxml import etree
from satcfdi.catalogs import moneda_decimales
from satcfdi.cfdi import CFDI as Cfdi
from satcfdi.create import compute
from satcfdi.utils import iterate

import payments
import sums
import withholdings
from numbers_exact import ZERO, rounded

SITE = "www.sat.gob.mx/sitio_internet/cfd"
SCHEMAS = [
    ("http://www.sat.gob.mx/cfd/4", "4/cfdv40.xsd"),
    ("http://www.sat.gob.mx/Pagos20", "Pagos/Pagos20.xsd"),
    ("http://www.sat.gob.mx/implocal", "implocal/implocal.xsd"),
    ("http://www.sat.gob.mx/leyendasFiscales", "leyendasFiscales/leyendasFisc.xsd"),
    ("http://www.sat.gob.mx/donat", "donat/donat11.xsd"),
    ("http://www.sat.gob.mx/ine", "ine/ine11.xsd"),
    ("http://www.sat.gob.mx/ComercioExterior20", "ComercioExterior20/ComercioExterior20.xsd"),
    ("http://www.sat.gob.mx/CartaPorte31", "CartaPorte/CartaPorte31.xsd"),
    ("http://www.sat.gob.mx/TimbreFiscalDigital", "TimbreFiscalDigital/TimbreFiscalDigitalv11.xsd"),
]
# Of withholdings, from their own part of SAT's site.
OF_WITHHOLDINGS = "../../esquemas/retencionpago"
NAMESPACE = "http://www.sat.gob.mx/esquemas/retencionpago"
SCHEMAS += [
    (f"{NAMESPACE}/{path.rpartition('/')[0]}", f"{OF_WITHHOLDINGS}/{path}")
    for path in [
        "2/retencionpagov2.xsd",
        "1/arrendamientoenfideicomiso/arrendamientoenfideicomiso.xsd",
        "1/dividendos/dividendos.xsd",
        "1/enajenaciondeacciones/enajenaciondeacciones.xsd",
        "1/intereses/intereses.xsd",
        "1/pagosaextranjeros/pagosaextranjeros.xsd",
        "1/PlataformasTecnologicas10/ServiciosPlataformasTecnologicas10.xsd",
        "1/premios/premios.xsd",
    ]
]
CADENA_OF_WITHHOLDINGS = f"{OF_WITHHOLDINGS}/2/retenciones.xslt"
CADENA = "4/cadenaoriginal_4_0/cadenaoriginal_4_0.xslt"
CADENA_OF_STAMP = "TimbreFiscalDigital/cadenaoriginal_TFD_1_1.xslt"
STAMP = "{http://www.sat.gob.mx/TimbreFiscalDigital}TimbreFiscalDigital"

# Elements of the complement of local taxes.
LOCAL_TAXES = ["RetencionesLocales", "TrasladosLocales"]

NAMES = ["schema", "cadena", "seal", "sums", "satcfdi", "stamp"]


class Document:
    """A file with what was written beside it."""

    def __init__(self, data, cadena, cadena_of_stamp, provider):
        self.data, self.cadena, self.cadena_of_stamp, self.provider = data, cadena, cadena_of_stamp, provider
        self.tree = etree.fromstring(data, parser=parser())
        self.is_withholding = self.tree.tag == f"{withholdings.R}Retenciones"

    @classmethod
    def read(cls, path):
        beside = path.removesuffix(".xml")
        provider = os.path.join(os.path.dirname(path), "provider.cer")
        stamp = contents(f"{beside}.tfd") if os.path.exists(f"{beside}.tfd") else None
        return cls(contents(path), contents(f"{beside}.cadena"), stamp, contents(provider))


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def parser():
    return etree.XMLParser(no_network=True, resolve_entities=False, huge_tree=True)


class Judges:
    """All of them, with what takes long to read."""

    def __init__(self, schemas):
        package = os.path.join(os.path.dirname(satcfdi.__file__), "transform", "schemas")
        self.site = os.path.join(schemas or package, SITE)
        self.xsd = self.read_schemas()
        self.cadena_of_invoice = self.read_style_sheet(CADENA)
        self.cadena_of_withholding = self.read_style_sheet(CADENA_OF_WITHHOLDINGS)
        self.cadena_of_stamp = self.read_style_sheet(CADENA_OF_STAMP)

    def read_schemas(self):
        xs = "http://www.w3.org/2001/XMLSchema"
        root = etree.Element(f"{{{xs}}}schema")
        for namespace, path in SCHEMAS:
            location = os.path.join(self.site, path)
            etree.SubElement(root, f"{{{xs}}}import", namespace=namespace, schemaLocation=location)
        # Parsed again, so that it has a parser that stays away from the network.
        return etree.XMLSchema(etree.fromstring(etree.tostring(root), parser=parser()))

    def read_style_sheet(self, path):
        control = etree.XSLTAccessControl(read_network=False, write_network=False, write_file=False)
        tree = etree.parse(os.path.join(self.site, path), parser=parser())
        return etree.XSLT(tree, access_control=control)

    def verdicts(self, document):
        """By name of the judge: nothing, or why the document is refused."""
        return {name: self.verdict(name, document) for name in NAMES}

    def verdict(self, name, document):
        try:
            return getattr(self, name)(document)
        except sums.Refused as refusal:
            return str(refusal)
        except Exception as error:  # Whatever a judge stumbles over is refused by it.
            return f"{type(error).__name__}: {error}"

    def cadena_of(self, document):
        style = self.cadena_of_withholding if document.is_withholding else self.cadena_of_invoice
        return str(style(document.tree)).encode()

    def schema(self, document):
        if not self.xsd.validate(document.tree):
            refuse(str(self.xsd.error_log.last_error))

    def cadena(self, document):
        same("the cadena", document.cadena, self.cadena_of(document))

    def seal(self, document):
        """The seal is over what SAT's style sheet says, with the key of the certificate inside."""
        tree = document.tree
        certificate = x509.load_der_x509_certificate(base64.b64decode(tree.get("Certificado"), validate=True))
        verify(certificate, tree.get("Sello"), self.cadena_of(document))
        same("the certificate's number", tree.get("NoCertificado"), number_of(certificate))

    def sums(self, document):
        if document.is_withholding:
            withholdings.judge(document.tree)
            return
        sums.judge(document.tree, moneda_decimales)
        payments.judge(document.tree, moneda_decimales)

    def satcfdi(self, document):
        """The package reads the document, writes it anew with the same cadena, and sums it up alike."""
        parsed = Cfdi.from_string(document.data)
        if can_be_copied(document):
            same("the cadena of the copy", document.cadena.decode(), parsed.cadena_original())
        if document.is_withholding:
            return
        if parsed["TipoDeComprobante"] in ("I", "E"):
            sums_of_satcfdi(parsed)
        for name, total in totals_of_satcfdi(parsed).items():
            same(name, parsed["Complemento"]["Pagos"]["Totales"].get(name), rounded(total, 2))

    def stamp(self, document):
        """The stamp seals this document's seal, with the provider's key."""
        stamp = document.tree.find(f".//{STAMP}")
        same("whether there is a stamp", document.cadena_of_stamp is not None, stamp is not None)
        if stamp is None:
            return
        cadena = str(self.cadena_of_stamp(etree.ElementTree(stamp))).encode()
        same("the cadena of the stamp", document.cadena_of_stamp, cadena)
        same("the seal in the stamp", document.tree.get("Sello"), stamp.get("SelloCFD"))
        provider = x509.load_der_x509_certificate(document.provider)
        same("the provider's certificate", stamp.get("NoCertificadoSAT"), number_of(provider))
        verify(provider, stamp.get("SelloSAT"), cadena)


def can_be_copied(document):
    """The package keeps but one local tax of a kind, so its copy of several is another document."""
    return all(len(document.tree.findall(f".//{{*}}{name}")) < 2 for name in LOCAL_TAXES)


def refuse(message):
    raise sums.Refused(message)


def same(name, stated, wanted):
    if stated != wanted:
        refuse(f"{name} is {excerpt(stated, wanted)}, but should be {excerpt(wanted, stated)}")


def excerpt(text, other):
    """The part of a long text where the other begins to differ."""
    if not isinstance(text, (str, bytes)) or len(text) < 100:
        return repr(text)
    start = len(os.path.commonprefix([text, other])) if type(text) is type(other) else 0
    return f"(from {start}) {text[max(start - 20, 0) : start + 60]!r}"


def verify(certificate, seal, cadena):
    try:
        signature = base64.b64decode(seal, validate=True)
        certificate.public_key().verify(signature, cadena, PKCS1v15(), SHA256())
    except InvalidSignature:
        refuse("the seal is not of this text and key")


def number_of(certificate):
    """SAT writes the number's digits as the bytes of the serial."""
    serial = certificate.serial_number
    return serial.to_bytes((serial.bit_length() + 7) // 8, "big").decode()


def sums_of_satcfdi(parsed):
    places = compute.m_decimals(parsed["Moneda"])
    items = parsed["Conceptos"]
    sub_total = rounded(sum((item["Importe"] for item in items), ZERO), places)
    discount = rounded(sum((item.get("Descuento") or 0 for item in items), ZERO), places)
    taxes = compute.make_impuestos([{"Impuestos": None, **item} for item in items]) or {}
    charged, withheld = (
        sum((rounded(tax["Importe"], places) for tax in taxes.get(name, ()) if tax["Importe"] is not None), ZERO)
        for name in ("Traslados", "Retenciones")
    )
    same("SubTotal", parsed["SubTotal"], sub_total)
    local = (parsed.get("Complemento") or {}).get("ImpuestosLocales") or {}
    local_charged, local_withheld = (Decimal(local.get(name) or 0) for name in ("TotaldeTraslados", "TotaldeRetenciones"))
    wanted = sub_total - discount + charged - withheld + local_charged - local_withheld
    same("Total", parsed["Total"], wanted)


def totals_of_satcfdi(parsed):
    """The package's totals of payments. It knows nothing of documents in other currencies."""
    if parsed["TipoDeComprobante"] != "P":
        return {}
    paid = [with_rates(payment) for payment in parsed["Complemento"]["Pagos"]["Pago"]]
    return {name: Decimal(total) for name, total in compute.make_pago_totales(paid).items()}


def with_rates(payment):
    """The package asks for attributes that exempt taxes do not have."""
    taxes = dict(payment.get("ImpuestosP") or {})
    taxes["TrasladosP"] = [{"TasaOCuotaP": None, **tax} for tax in iterate(taxes.get("TrasladosP"))]
    return {**payment, "ImpuestosP": taxes}
