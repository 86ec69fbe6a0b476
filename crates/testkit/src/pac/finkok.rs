//! Finkok, and the tax authority's service of statuses, which speaks SOAP as well.

use base64::{Engine, engine::general_purpose::STANDARD};
use invoices::provider::Service;
use roxmltree::Document;

use super::{
    Call, FakePac, Received, Reply, Stamp,
    books::{Books, Stamping, random_uuid, tfd},
    serving::Answer,
};

/// The documented answer to a request, as far as the reply is documented.
pub(super) fn answer(books: &mut Books, request: &Received, works: bool, reply: &Reply) -> Answer {
    if request.call == Call::Status {
        return status(books, &request.body, reply);
    }
    let known = field(&request.body, "username").as_deref() == Some(FakePac::USER)
        && field(&request.body, "password").as_deref() == Some(FakePac::PASSWORD);
    let xml = field(&request.body, "xml").and_then(|xml| STANDARD.decode(xml).ok());
    let xml = xml.and_then(|xml| String::from_utf8(xml).ok()).unwrap_or_default();
    if request.call == Call::Cancel {
        return cancel(books, (request.service(), &xml), known, works, reply);
    }
    let result = match reply {
        Reply::Refuse(code, message) => incident(code, message),
        _ if !known => incident("300", "El usuario o contraseña son inválidos"),
        _ if !works => String::new(),
        _ if request.call == Call::Stamped => match books.stamp_of(request.service(), &xml) {
            Some(stamp) => shown(&stamp, reply),
            None => incident("603", "El CFDI no contiene un timbre previo"),
        },
        _ => stamp(books, (request.service(), &xml), reply),
    };
    let operation = if request.call == Call::Stamped { "stamped" } else { "stamp" };
    respond((request.service(), "stamp"), operation, &result)
}

fn stamp(books: &mut Books, (service, xml): (Service, &str), reply: &Reply) -> String {
    match books.stamp(service, xml, None) {
        Stamping::New(stamp) => shown(&stamp, reply),
        Stamping::Before(stamp) | Stamping::KeyUsed(stamp) => {
            let before = incident("307", "El CFDI contiene un timbre previo");
            shown(&stamp, reply).replace("<s0:Incidencias/>", "") + &before
        }
        Stamping::Malformed => incident("301", "XML mal formado"),
    }
}

fn shown(stamp: &Stamp, reply: &Reply) -> String {
    let xml = match reply {
        Reply::Hidden => return "<s0:xml></s0:xml><s0:Incidencias/>".to_owned(),
        Reply::Foreign => {
            stamp.xml.replace(&stamp.tfd, &tfd(&random_uuid(), "c2VsbG8gZGUgb3Rybw=="))
        }
        _ => stamp.xml.clone(),
    };
    format!(
        "<s0:xml>{}</s0:xml><s0:UUID>{}</s0:UUID><s0:Fecha>2026-11-20T12:00:00</s0:Fecha>\
         <s0:CodEstatus>Comprobante timbrado satisfactoriamente</s0:CodEstatus><s0:Incidencias/>",
        escaped(&xml),
        stamp.uuid
    )
}

fn incident(code: &str, message: &str) -> String {
    format!(
        "<s0:Incidencias><s0:Incidencia><s0:IdIncidencia>1</s0:IdIncidencia><s0:Uuid></s0:Uuid>\
         <s0:CodigoError>{}</s0:CodigoError><s0:MensajeIncidencia>{}</s0:MensajeIncidencia>\
         </s0:Incidencia></s0:Incidencias>",
        escaped(code),
        escaped(message)
    )
}

fn cancel(
    books: &mut Books,
    (service, xml): (Service, &str),
    known: bool,
    works: bool,
    reply: &Reply,
) -> Answer {
    let respond = |result: &str| respond((service, "cancel"), "cancel_signature", result);
    if let Reply::Refuse(code, message) = reply {
        return respond(&format!(
            "<s0:CodEstatus>{}</s0:CodEstatus>",
            escaped(format!("{code} {message}").trim())
        ));
    }
    if !known {
        return respond("<s0:CodEstatus>Invalid Username or Password</s0:CodEstatus>");
    }
    let taken = Some(xml).filter(|_| works).and_then(|xml| books.cancel(service, xml));
    let Some((uuid, code)) = taken else {
        return respond("");
    };
    let receipt = format!(
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><UUID>{uuid}</UUID>\
         <EstatusUUID>{code}</EstatusUUID></s:Body></s:Envelope>"
    );
    let receipt = if *reply == Reply::Hidden { String::new() } else { escaped(&receipt) };
    let named = if *reply == Reply::Foreign { random_uuid() } else { uuid };
    respond(&format!(
        "<s0:Folios><s0:Folio><s0:UUID>{named}</s0:UUID><s0:EstatusUUID>{code}</s0:EstatusUUID>\
         <s0:EstatusCancelacion></s0:EstatusCancelacion></s0:Folio></s0:Folios>\
         <s0:Acuse>{receipt}</s0:Acuse><s0:Fecha>2026-11-20T12:00:00</s0:Fecha>"
    ))
}

/// The result of an operation. Those of invoices are parted by what they do, those of withholdings are not.
fn respond((service, part): (Service, &str), operation: &str, result: &str) -> Answer {
    let part = if service == Service::Withholding { "retentions" } else { part };
    envelope(&format!(
        "<tns:{operation}Response xmlns:tns=\"http://facturacion.finkok.com/{part}\" \
         xmlns:s0=\"apps.services.soap.core.views\"><tns:{operation}Result>{result}\
         </tns:{operation}Result></tns:{operation}Response>"
    ))
}

fn status(books: &Books, body: &str, reply: &Reply) -> Answer {
    let expression = field(body, "expresionImpresa").unwrap_or_default();
    let part = |name: &str| {
        let parts = expression.trim_start_matches('?').split('&');
        parts.filter_map(|part| part.split_once('=')).find(|(known, _)| *known == name)
    };
    let status = books.status(part("id").map(|(_, uuid)| uuid).unwrap_or_default());
    let code = match reply {
        Reply::Refuse(code, message) => format!("N - {code}: {message}"),
        _ if status.state == "No Encontrado" => "N - 602: Comprobante no encontrado.".to_owned(),
        _ => "S - Comprobante obtenido satisfactoriamente.".to_owned(),
    };
    let state = if *reply == Reply::Hidden { "" } else { status.state.as_str() };
    envelope(&format!(
        "<ConsultaResponse xmlns=\"http://tempuri.org/\"><ConsultaResult \
         xmlns:a=\"http://schemas.datacontract.org/2004/07/Sat.Cfdi.Negocio.ConsultaCfdi.Servicio\">\
         <a:CodigoEstatus>{}</a:CodigoEstatus><a:EsCancelable>{}</a:EsCancelable><a:Estado>{}</a:Estado>\
         <a:EstatusCancelacion>{}</a:EstatusCancelacion><a:ValidacionEFOS>200</a:ValidacionEFOS>\
         </ConsultaResult></ConsultaResponse>",
        escaped(&code),
        escaped(&status.cancellable),
        escaped(state),
        escaped(&status.cancellation)
    ))
}

fn envelope(body: &str) -> Answer {
    let body = format!(
        "<?xml version='1.0' encoding='UTF-8'?>\n<senv:Envelope \
         xmlns:senv=\"http://schemas.xmlsoap.org/soap/envelope/\"><senv:Body>{body}</senv:Body></senv:Envelope>"
    );
    Answer { status: 200, content_type: "text/xml; charset=utf-8", body }
}

/// The text of the first element of that name.
fn field(body: &str, name: &str) -> Option<String> {
    let document = Document::parse(body).ok()?;
    let node = document.descendants().find(|node| node.tag_name().name() == name)?;
    Some(node.children().filter_map(|part| part.text()).collect())
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}
