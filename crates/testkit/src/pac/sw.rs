//! SW sapien.

use invoices::provider::Service;
use serde_json::{Value, json};

use super::{
    Call, FakePac, Received, Reply, Stamp,
    books::{Books, Stamping, random_uuid, tfd},
    serving::Answer,
};

/// The documented answer to a request, as far as the reply is documented.
pub(super) fn answer(books: &mut Books, request: &Received, works: bool, reply: &Reply) -> Answer {
    if request.call == Call::SignIn {
        return sign_in(books, &request.body, reply);
    }
    let token = request.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
    if !token.is_some_and(|token| token == FakePac::TOKEN || books.is_signed_in(token)) {
        return error(401, "AU4000 - No fue posible validar el token.", &Value::Null);
    }
    if let Reply::Refuse(code, message) = reply {
        return error(400, &format!("{code} - {message}"), &Value::Null);
    }
    let Some(xml) = file(request) else {
        return error(400, "301 - El archivo xml viene vacío.", &Value::Null);
    };
    match request.call {
        Call::Cancel => cancel(books, (request.service(), xml), works, reply),
        _ => stamp(books, (request, xml), works, reply),
    }
}

fn sign_in(books: &mut Books, body: &str, reply: &Reply) -> Answer {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let of = |name| body.get(name).and_then(Value::as_str);
    if let Reply::Refuse(code, message) = reply {
        return error(400, &format!("{code} - {message}"), &Value::Null);
    }
    if of("user") != Some(FakePac::USER) || of("password") != Some(FakePac::PASSWORD) {
        let message =
            "AU2000 - El usuario y/o contraseña son inválidos, no se puede autenticar el servicio.";
        return error(401, message, &Value::Null);
    }
    let token = books.sign_in();
    success(&json!({ "token": token, "expires_in": 1_790_000_000, "tokeny_type": "Bearer" }))
}

fn stamp(
    books: &mut Books,
    (request, xml): (&Received, &str),
    works: bool,
    reply: &Reply,
) -> Answer {
    if !works {
        return success(&Value::Null);
    }
    match books.stamp(request.service(), xml, request.header("customid")) {
        Stamping::New(stamp) => success(&shown(&stamp, reply)),
        Stamping::Before(stamp) => {
            error(400, "307. El comprobante contiene un timbre previo.", &shown(&stamp, reply))
        }
        Stamping::KeyUsed(stamp) => {
            let message = "CFDI3307 - Timbre duplicado. El customId proporcionado está duplicado.";
            error(400, message, &json!({ "tfd": stamp.tfd, "cfdi": null }))
        }
        Stamping::Malformed => {
            error(400, "301 - La estructura del comprobante es incorrecta.", &Value::Null)
        }
    }
}

fn shown(stamp: &Stamp, reply: &Reply) -> Value {
    let document = match stamp.service {
        Service::Invoice => "cfdi",
        Service::Withholding => "retencion",
    };
    match reply {
        Reply::Hidden => Value::Null,
        Reply::Alone => {
            json!({ "tfd": format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>{}", stamp.tfd) })
        }
        Reply::Foreign => {
            let foreign = tfd(&random_uuid(), "c2VsbG8gZGUgb3Rybw==");
            json!({ document: stamp.xml.replace(&stamp.tfd, &foreign) })
        }
        _ if stamp.service == Service::Withholding => json!({ document: stamp.xml }),
        _ => json!({
            "cadenaOriginalSAT": "||1.1||",
            "noCertificadoSAT": "30001000000500003456",
            "uuid": stamp.uuid,
            "selloCFD": stamp.seal,
            "fechaTimbrado": "2026-11-20T12:00:00",
            document: stamp.xml,
        }),
    }
}

fn cancel(
    books: &mut Books,
    (service, xml): (Service, &str),
    works: bool,
    reply: &Reply,
) -> Answer {
    if !works {
        return success(&Value::Null);
    }
    let Some((uuid, code)) = books.cancel(service, xml) else {
        return error(400, "CACFDI33 - Problemas con el xml.", &Value::Null);
    };
    let receipt = format!(
        "<?xml version=\"1.0\"?><Acuse Fecha=\"2026-11-20T12:00:00.1234567\"><Folios><UUID>{uuid}</UUID>\
         <EstatusUUID>{code}</EstatusUUID></Folios></Acuse>"
    );
    let receipt = Some(receipt).filter(|_| *reply != Reply::Hidden);
    let named = if *reply == Reply::Foreign { random_uuid() } else { uuid };
    let codes = if *reply == Reply::Alone { Value::Null } else { json!({ named: code }) };
    success(&json!({ "acuse": receipt, "uuid": codes }))
}

fn success(data: &Value) -> Answer {
    respond(200, &json!({ "data": data, "status": "success" }))
}

fn error(status: u16, message: &str, data: &Value) -> Answer {
    let body =
        json!({ "message": message, "messageDetail": null, "data": data, "status": "error" });
    respond(status, &body)
}

fn respond(status: u16, body: &Value) -> Answer {
    Answer { status, content_type: "application/json", body: body.to_string() }
}

/// The content of the field `xml` of a form.
fn file(request: &Received) -> Option<&str> {
    let boundary = request.header("content-type")?.split_once("boundary=")?.1;
    let (_, part) = request.body.split_once(&format!("--{boundary}\r\n"))?;
    let (head, rest) = part.split_once("\r\n\r\n")?;
    let content = rest.strip_suffix(&format!("\r\n--{boundary}--\r\n"))?;
    head.contains("name=\"xml\"").then_some(content)
}
