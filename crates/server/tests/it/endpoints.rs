//! What an endpoint can be declared to take and to answer, each ability through HTTP.

use std::{
    io::{Read, Write},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use accounts::Scope;
use actix_web::{
    http::{Method, StatusCode},
    web::Bytes,
};
use api::{
    Answer, ApiError, Call, Part, Rate, Upload,
    endpoint::{
        Endpoint, FilePart, id, multipart, plain, raw, segment, streamed, taking, urlencoded,
    },
};
use catalog::{ProductId, VariantId};
use futures_util::{StreamExt, stream};
use intake::{
    Fields, Form,
    checks::{line, number},
    noun,
};
use kernel::Amount;
use serde_json::{Value, json};
use testkit::{App, DatabaseKind, Reply, on_both};

on_both!(
    a_path_has_several_typed_parts,
    a_raw_body_is_taken_as_it_is,
    a_streamed_body_is_never_held_whole,
    a_url_encoded_form_is_read_like_json,
    a_multipart_body_has_fields_and_files,
    an_answer_can_be_streamed,
    an_answer_that_breaks_off_shows_it,
    anybody_may_call_what_is_public,
    a_public_endpoint_has_a_limit_of_its_own,
    a_deadline_is_kept,
    a_twin_waits_or_is_told,
);

const CSV: &[&str] = &["text/csv", "text/plain"];
const RAW_BYTES_MAX: usize = 100;
const STREAM_BYTES_MAX: usize = 3_000_000;
const FILES: &[FilePart] = &[FilePart {
    name: "picture",
    about: "A picture.",
    media_types: &["image/png"],
    required: true,
}];
const FORM: Form<(String, Amount)> =
    Form::body("TestForm", noun("a form", "un formulario"), read_form, "{}");

fn read_form(fields: &mut Fields<'_>) -> Option<(String, Amount)> {
    let name = fields.required("name", line(10));
    let price = fields.required("price", number(Some(0), Ok));
    Some((name?, price?))
}

fn endpoints() -> Vec<Endpoint> {
    let variant = segment("variantId", "The variant.", VariantId::parse);
    let scope = Scope::Products;
    let export = |_: Call| async {
        let rows = (0..3).map(|row| Ok::<_, ApiError>(Bytes::from(format!("{row}\n"))));
        Ok(Answer::streamed("text/csv", stream::iter(rows)))
    };
    let broken = |_: Call| async {
        let first = stream::once(async { Ok(Bytes::from_static(b"0\n")) });
        let rows = first.chain(stream::once(async {
            // Once the client has the first.
            actix_web::rt::time::sleep(Duration::from_millis(100)).await;
            Err(ApiError::internal("away"))
        }));
        Ok(Answer::streamed("text/csv", rows))
    };
    let page = |_: Call<()>| async { Ok(Answer::html("<p>Hola</p>")) };
    let away = |_: Call<()>| async { Answer::redirect(StatusCode::SEE_OTHER, "/docs") };
    let never = |_: Call<()>| async { std::future::pending().await };
    let nap = |_: Call| async {
        actix_web::rt::time::sleep(Duration::from_millis(400)).await;
        Answer::json(StatusCode::OK, &json!({}))
    };
    vec![
        Endpoint::get(
            "/test/{id}/of/{variantId}",
            scope,
            taking((id(ProductId::PREFIX, ProductId::parse), variant), named),
        ),
        Endpoint::post("/test/raw", scope, taking(raw(CSV, RAW_BYTES_MAX), length)),
        Endpoint::post("/test/stream", scope, taking(streamed(CSV, STREAM_BYTES_MAX), count)),
        Endpoint::post("/test/form", scope, taking(urlencoded(FORM), form)),
        Endpoint::post("/test/parts", scope, taking(multipart(FORM, FILES, 10_000), parts)),
        Endpoint::get("/test/export", scope, plain(export)),
        Endpoint::get("/test/broken", scope, plain(broken)),
        Endpoint::post("/test/nap", scope, plain(nap)),
        Endpoint::public(Method::GET, "/api/test/page", plain(page)),
        Endpoint::public(Method::GET, "/api/test/away", plain(away)),
        Endpoint::public(Method::POST, "/api/test/form", taking(urlencoded(FORM), public_form))
            .limited(Rate::PerMinute(3)),
        Endpoint::public(Method::GET, "/api/test/never", plain(never))
            .within(Duration::from_millis(50)),
    ]
}

async fn named(_: Call, (product, variant): (ProductId, VariantId)) -> Result<Answer, ApiError> {
    let shown = json!({"product": product.to_string(), "variant": variant.to_string()});
    Answer::json(StatusCode::OK, &shown)
}

async fn length(_: Call, body: Bytes) -> Result<Answer, ApiError> {
    Answer::json(StatusCode::OK, &json!({"bytes": body.len()}))
}

async fn count(call: Call, mut upload: Upload) -> Result<Answer, ApiError> {
    let mut bytes = 0;
    while let Some(piece) = upload.next().await? {
        bytes += piece.len();
    }
    let digest = call.ctx_after(&upload)?.idempotency.map(|idempotency| idempotency.digest);
    Answer::json(StatusCode::OK, &json!({"bytes": bytes, "digest": digest}))
}

async fn form(_: Call, (name, price): (String, Amount)) -> Result<Answer, ApiError> {
    Answer::json(StatusCode::OK, &json!({"name": name, "price": price}))
}

async fn public_form(_: Call<()>, (name, _): (String, Amount)) -> Result<Answer, ApiError> {
    Answer::json(StatusCode::OK, &json!({"name": name}))
}

async fn parts(
    call: Call,
    ((name, _), files): ((String, Amount), Vec<Part>),
) -> Result<Answer, ApiError> {
    let files: Vec<Value> = files
        .iter()
        .map(|file| json!([file.name, file.file_name, file.media_type, file.bytes.len()]))
        .collect();
    let digest = call.ctx()?.idempotency.map(|idempotency| idempotency.digest);
    Answer::json(StatusCode::OK, &json!({"name": name, "files": files, "digest": digest}))
}

fn app(kind: DatabaseKind) -> App {
    App::with(kind).offering(endpoints).start()
}

/// POST of a body of this media type.
fn post(app: &App, path: &str, media_type: &str, body: impl Into<Vec<u8>>) -> Reply {
    let request = app.client().request("POST", path).header("Content-Type", media_type);
    Reply::to(request.body(body.into()))
}

fn a_path_has_several_typed_parts(kind: DatabaseKind) {
    let app = app(kind);
    let client = app.client();
    let (product, variant) = (ProductId::from_u128(1), VariantId::from_u128(2));
    let shown = client.get(&format!("/test/{product}/of/{variant}")).expect(200);
    assert_eq!(shown, json!({"product": product.to_string(), "variant": variant.to_string()}));
    for wrong in [format!("/test/{variant}/of/{variant}"), format!("/test/{product}/of/{product}")]
    {
        let _ = client.get(&wrong).refused(404, "not_found");
    }
    let document = client.get("/api/v1/openapi.json").expect(200);
    let operation = &document["paths"]["/test/{id}/of/{variantId}"]["get"];
    let names: Vec<_> =
        operation["parameters"].as_array().unwrap().iter().map(|p| &p["name"]).collect();
    assert_eq!(names[..2], [&json!("id"), &json!("variantId")]);
}

fn a_raw_body_is_taken_as_it_is(kind: DatabaseKind) {
    let app = app(kind);
    let raw = |media_type, body: Vec<u8>| post(&app, "/test/raw", media_type, body);
    assert_eq!(raw("text/csv; charset=utf-8", vec![0xff; 100]).expect(200)["bytes"], 100);
    let large = raw("text/csv", vec![0; 101]).refused(413, "payload_too_large");
    assert!(large.contains("at most 100 bytes"), "{large}");
    let other = raw("application/json", b"{}".to_vec()).refused(415, "unsupported_media_type");
    assert!(other.contains("text/csv, text/plain"), "{other}");
    let _ = raw("text/csv", Vec::new()).refused(400, "malformed_request");
    let document = app.client().get("/api/v1/openapi.json").expect(200);
    let content = &document["paths"]["/test/raw"]["post"]["requestBody"]["content"];
    assert!(content["text/csv"].is_object() && content["text/plain"].is_object(), "{content}");
}

fn a_streamed_body_is_never_held_whole(kind: DatabaseKind) {
    let app = app(kind);
    let stream = |bytes: usize| {
        let request = app.client().request("POST", "/test/stream").header("Idempotency-Key", "k");
        Reply::to(request.header("Content-Type", "text/csv").body(vec![b'x'; bytes]))
    };
    let whole = stream(STREAM_BYTES_MAX).expect(200);
    assert_eq!(whole["bytes"], STREAM_BYTES_MAX);
    assert_eq!(whole["digest"].as_str().unwrap().len(), 64);
    assert_ne!(stream(10).expect(200)["digest"], whole["digest"]);
    let _ = stream(STREAM_BYTES_MAX + 1).refused(413, "payload_too_large");
}

fn a_url_encoded_form_is_read_like_json(kind: DatabaseKind) {
    let app = app(kind);
    let form = |body: &str| post(&app, "/test/form", "application/x-www-form-urlencoded", body);
    assert_eq!(
        form("name=Caf%C3%A9&price=1.50").expect(200),
        json!({"name": "Café", "price": 1.5})
    );
    let faults = form("nmae=x&price=a").refused(400, "validation_failed");
    assert_eq!(
        faults,
        "name is required; price must be a number; \"nmae\" is not a field of a form (did you mean \
         \"name\"?)"
    );
    let _ =
        post(&app, "/test/form", "application/json", "{}").refused(415, "unsupported_media_type");
}

fn a_multipart_body_has_fields_and_files(kind: DatabaseKind) {
    let app = app(kind);
    let part = |head: &str, body: &str| {
        format!("--B\r\nContent-Disposition: form-data; {head}\r\n\r\n{body}\r\n")
    };
    let texts = part("name=\"name\"", "Taza") + &part("name=\"price\"", "1.5");
    let file = |kind: &str| {
        part(&format!("name=\"picture\"; filename=\"a.png\"\r\nContent-Type: {kind}"), "PNG")
    };
    let send = |boundary: &str, body: String| {
        let body = body.replace("--B", &format!("--{boundary}")) + &format!("--{boundary}--\r\n");
        let kind = format!("multipart/form-data; boundary={boundary}");
        let request = app.client().request("POST", "/test/parts").header("Content-Type", kind);
        Reply::to(request.header("Idempotency-Key", "k").body(body))
    };
    let whole = send("B", format!("{texts}{}", file("image/png"))).expect(200);
    assert_eq!(whole["name"], "Taza");
    assert_eq!(whole["files"], json!([["picture", "a.png", "image/png", 3]]));
    let again = send("Other", format!("{texts}{}", file("image/png"))).expect(200);
    assert_eq!(again["digest"], whole["digest"], "a boundary makes no other request");

    let gif = send("B", format!("{texts}{}", file("image/gif"))).refused(400, "validation_failed");
    assert_eq!(gif, "picture must be a file of type image/png");
    let nothing = send("B", part("name=\"colour\"", "red")).refused(400, "validation_failed");
    assert!(nothing.starts_with("picture is required; name is required"), "{nothing}");
    assert!(nothing.ends_with("\"colour\" is not a field of a form"), "{nothing}");
    let cut = post(&app, "/test/parts", "multipart/form-data; boundary=B", texts);
    let _ = cut.refused(400, "malformed_request");
    let _ = post(&app, "/test/parts", "multipart/form-data", "x").refused(400, "malformed_request");
    let large = send("B", part("name=\"name\"", &"x".repeat(10_000)));
    let _ = large.refused(413, "payload_too_large");
}

fn an_answer_can_be_streamed(kind: DatabaseKind) {
    let app = app(kind);
    let export = app.client().get("/test/export");
    assert_eq!((export.status, export.text.as_str()), (200, "0\n1\n2\n"));
    assert_eq!(export.header("content-type"), Some("text/csv"));
    assert!(export.header("x-request-id").is_some());
    let stranger = app.anonymous().get("/test/export");
    let _ = stranger.refused(401, "unauthorized");
}

/// The last chunk is missing, so that no client takes the part for the whole.
fn an_answer_that_breaks_off_shows_it(kind: DatabaseKind) {
    let app = app(kind);
    let host = app.origin().replacen("http://", "", 1);
    let mut stream = TcpStream::connect(&host).unwrap();
    let key = app.key(app.account(), "*").0;
    let request = format!(
        "GET /api/v1/test/broken HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // The connection may be reset instead of closed.
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8(answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("\r\n2\r\n0\n\r\n"), "{answer}");
    assert!(!answer.ends_with("0\r\n\r\n"), "{answer}");
}

fn anybody_may_call_what_is_public(kind: DatabaseKind) {
    let app = app(kind);
    let page = app.anonymous().get("/api/test/page");
    assert_eq!((page.status, page.text.as_str()), (200, "<p>Hola</p>"));
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    let away = app.anonymous().get("/api/test/away");
    assert_eq!((away.status, away.header("location")), (303, Some("/docs")));
    let _ = app.anonymous().delete("/api/test/page").refused(405, "method_not_allowed");
    let document = app.anonymous().get("/api/v1/openapi.json").text;
    assert!(!document.contains("/api/test/page"), "what is public is no part of the API");
}

fn a_public_endpoint_has_a_limit_of_its_own(kind: DatabaseKind) {
    let app = app(kind);
    let send = || {
        let request = app.anonymous().request("POST", "/api/test/form");
        let request = request.header("Content-Type", "application/x-www-form-urlencoded");
        Reply::to(request.body("name=Ana&price=1"))
    };
    for left in ["2", "1", "0"] {
        let reply = send();
        assert_eq!(reply.header("ratelimit-remaining"), Some(left), "{}", reply.text);
        assert_eq!(reply.expect(200)["name"], "Ana");
    }
    let beyond = send();
    assert!(beyond.header("retry-after").is_some());
    let message = beyond.refused(429, "rate_limited");
    assert!(message.contains("3 requests a minute to this endpoint"), "{message}");
    assert_eq!(app.anonymous().get("/api/test/page").status, 200, "others are not affected");
}

fn a_deadline_is_kept(kind: DatabaseKind) {
    let app = app(kind);
    let began = Instant::now();
    let late = app.anonymous().get("/api/test/never");
    let message = late.refused(503, "unavailable");
    assert!(message.contains("not finished in time"), "{message}");
    assert!(began.elapsed() < Duration::from_secs(5));
}

fn a_twin_waits_or_is_told(kind: DatabaseKind) {
    let nap = |app: &App, key: &'static str| {
        let client = app.client_of(app.account(), "*");
        let send = move || client.post_once("/test/nap", key, &json!({}));
        let twin = {
            let send = send.clone();
            thread::spawn(send)
        };
        let own = send();
        let mut statuses = [own.status, twin.join().unwrap().status];
        statuses.sort_unstable();
        (statuses, own)
    };
    let patient = app(kind);
    assert_eq!(nap(&patient, "k").0, [200, 200], "whoever can wait, waits");
    let hasty = App::with(kind).offering(endpoints);
    let hasty = hasty.api(|settings| settings.twin_timeout = Duration::from_millis(20)).start();
    let (statuses, own) = nap(&hasty, "k");
    assert_eq!(statuses, [200, 409]);
    if own.status == 409 {
        let _ = own.refused(409, "idempotency_key_in_use");
    }
}
