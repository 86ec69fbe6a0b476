//! The names that columns of tables of customers have, among them those of the customer exports of Shopify (its documented
//! columns of 2026, and those that it had before) and WooCommerce.

use crate::Column;

pub(super) const NAMES: &[(Column, &[&str])] = &[
    (
        Column::ExternalId,
        &["externalid", "idexterno", "clave", "codigo", "numerodecliente", "customerid"],
    ),
    (
        Column::Name,
        &[
            "name",
            "nombre",
            "cliente",
            "nombrecompleto",
            "nombredelcliente",
            "fullname",
            "displayname",
        ],
    ),
    (Column::FirstName, &["firstname", "nombredepila"]),
    (Column::LastName, &["lastname", "apellido", "apellidos"]),
    (Column::Company, &["company", "empresa", "defaultaddresscompany"]),
    (
        Column::Email,
        &["email", "correo", "correoelectronico", "mail", "emailaddress", "direcciondecorreo"],
    ),
    (
        Column::Phone,
        &[
            "phone",
            "telefono",
            "celular",
            "movil",
            "tel",
            "phonenumber",
            "whatsapp",
            "numerodetelefono",
        ],
    ),
    (Column::AddressPhone, &["defaultaddressphone"]),
    (Column::Rfc, &["rfc", "taxid"]),
    (
        Column::LegalName,
        &["legalname", "razonsocial", "nombrefiscal", "nombreorazonsocial", "denominacion"],
    ),
    (Column::TaxRegime, &["taxregime", "regimenfiscal", "regimen"]),
    (
        Column::TaxZip,
        &["taxzip", "cpfiscal", "codigopostalfiscal", "domiciliofiscal", "domiciliofiscalcp"],
    ),
    (Column::CfdiUse, &["cfdiuse", "usocfdi", "usodecfdi", "usodelcfdi"]),
    (
        Column::TaxResidence,
        &["taxresidence", "residenciafiscal", "paisderesidenciafiscal", "paisderesidencia"],
    ),
    (
        Column::ForeignTaxId,
        &[
            "foreigntaxid",
            "numregidtrib",
            "numeroderegistrodeidentidadfiscal",
            "numeroderegistrodeidentidadtributaria",
            "numeroderegistrotributario",
            "numerodeidentidadfiscal",
            "numerodeidentidadtributaria",
        ],
    ),
    (
        Column::Street,
        &[
            "street",
            "calle",
            "direccion",
            "domicilio",
            "calleynumero",
            "address",
            "address1",
            "defaultaddressaddress1",
        ],
    ),
    (Column::Neighborhood, &["neighborhood", "colonia", "address2", "defaultaddressaddress2"]),
    (Column::City, &["city", "ciudad", "municipio", "alcaldia", "poblacion", "defaultaddresscity"]),
    (
        Column::State,
        &[
            "state",
            "estado",
            "entidad",
            "provincia",
            "province",
            "provincecode",
            "region",
            "defaultaddressprovincecode",
        ],
    ),
    (Column::Zip, &["zip", "cp", "codigopostal", "postalcode", "postcode", "defaultaddresszip"]),
    (Column::Country, &["country", "pais", "countrycode", "defaultaddresscountrycode"]),
];

/// Names of two columns that say the same, of which the second is left alone.
pub(super) const SAID_TWICE: &[(&str, &str)] =
    &[("countrycode", "country"), ("province", "provincecode"), ("clave", "codigo")];
