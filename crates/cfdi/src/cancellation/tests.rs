//! A request that never changes, and receipts as SAT and providers give them.

use aws_lc_rs::signature::{RSA_PKCS1_2048_8192_SHA1_FOR_LEGACY_USE_ONLY, UnparsedPublicKey};
use base64::{Engine, prelude::BASE64_STANDARD};
use proptest::prelude::*;
use rsa::rand_core::OsRng;
use sha1::{Digest, Sha1};
use time::macros::datetime;

use super::{BadReceipt, Folio, Reason, Receipt, ReceivedFolio, sign, sign_withholdings};
use crate::csd::Csd;

const GOLDEN: &str = include_str!("../../fixtures/cancellation/request.xml");

fn csd() -> Csd {
    let cer = include_bytes!("../../fixtures/csd/EKU9003173C9.cer");
    let key = include_bytes!("../../fixtures/csd/EKU9003173C9.key");
    Csd::open(cer, key, "12345678a").unwrap()
}

fn request() -> String {
    let by = "7d3c4f4e-6a4e-4d8c-9d2f-1a2b3c4d5e60".to_owned();
    let folios = [
        Folio {
            uuid: "6c3c4f4e-6a4e-4d8c-9d2f-1a2b3c4d5e6f".to_owned(),
            reason: Reason::Replaced { by },
        },
        Folio { uuid: "8C3C4F4E-6A4E-4D8C-9D2F-1A2B3C4D5E6F".to_owned(), reason: Reason::Mistaken },
    ];
    sign(&csd(), datetime!(2026-08-01 12:30:05.75), &folios, &mut OsRng).unwrap()
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    text.split_once(start).unwrap().1.split_once(end).unwrap().0
}

#[test]
fn a_request_is_always_the_same() {
    assert_eq!(request(), GOLDEN.trim_end());
}

#[test]
fn a_request_proves_its_content() {
    prove(&request());
    prove(&of_withholdings());
}

#[test]
fn withholdings_differ_by_their_namespace() {
    let namespace = |xml: &str| {
        let xml = roxmltree::Document::parse(xml).unwrap();
        let folio = xml.descendants().find(|node| node.has_attribute("UUID")).unwrap();
        assert_eq!(folio.tag_name().namespace(), xml.root_element().tag_name().namespace());
        folio.tag_name().namespace().unwrap().to_owned()
    };
    assert_eq!(namespace(&request()), "http://cancelacfd.sat.gob.mx");
    let expected = "http://www.sat.gob.mx/esquemas/retencionpago/1";
    assert_eq!(namespace(&of_withholdings()), expected);
    assert_eq!(of_withholdings(), of_withholdings());
}

fn of_withholdings() -> String {
    let uuid = "8C3C4F4E-6A4E-4D8C-9D2F-1A2B3C4D5E6F".to_owned();
    let folios = [Folio { uuid, reason: Reason::NotCarriedOut }];
    sign_withholdings(&csd(), datetime!(2026-08-01 12:30:05), &folios, &mut OsRng).unwrap()
}

#[track_caller]
fn prove(xml: &str) {
    let (_, body) = xml.split_once("?>\n").unwrap();
    let (before, rest) = body.split_once("<Signature ").unwrap();
    let (_, after) = rest.split_once("</Signature>").unwrap();
    let digest = BASE64_STANDARD.encode(Sha1::digest(format!("{before}{after}")));
    assert_eq!(between(xml, "<DigestValue>", "<"), digest);

    let info = between(xml, "<SignedInfo>", "</SignedInfo>");
    let message = format!(
        "<SignedInfo xmlns=\"http://www.w3.org/2000/09/xmldsig#\" \
         xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">{info}</SignedInfo>"
    );
    let signature = BASE64_STANDARD.decode(between(xml, "<SignatureValue>", "<")).unwrap();
    let csd = csd();
    let key = UnparsedPublicKey::new(
        &RSA_PKCS1_2048_8192_SHA1_FOR_LEGACY_USE_ONLY,
        csd.certificate().public_key(),
    );
    assert!(key.verify(message.as_bytes(), &signature).is_ok());
}

#[test]
fn only_a_replaced_document_names_a_substitute() {
    let uuid = "8C3C4F4E-6A4E-4D8C-9D2F-1A2B3C4D5E6F";
    let by = "7D3C4F4E-6A4E-4D8C-9D2F-1A2B3C4D5E60".to_owned();
    for (reason, code) in [
        (Reason::Replaced { by }, "01"),
        (Reason::Mistaken, "02"),
        (Reason::NotCarriedOut, "03"),
        (Reason::InGlobalInvoice, "04"),
    ] {
        let folio = Folio { uuid: uuid.to_owned(), reason };
        let xml = sign(&csd(), datetime!(2026-08-01 0:00), &[folio], &mut OsRng).unwrap();
        let xml = roxmltree::Document::parse(&xml).unwrap();
        let folio = xml.descendants().find(|node| node.has_attribute("UUID")).unwrap();
        assert_eq!(folio.attribute("UUID"), Some(uuid));
        assert_eq!(folio.attribute("Motivo"), Some(code));
        assert_eq!(folio.has_attribute("FolioSustitucion"), code == "01");
        let root = xml.root_element();
        assert_eq!(root.attribute("Fecha"), Some("2026-08-01T00:00:00"));
        assert_eq!(root.attribute("RfcEmisor"), Some("EKU9003173C9"));
    }
}

#[test]
fn text_is_escaped_as_canonical_xml_has_it() {
    use super::canonical;
    assert_eq!(canonical::attribute("A&B<\"'>\t\n\r"), "A&amp;B&lt;&quot;'>&#x9;&#xA;&#xD;");
    assert_eq!(canonical::text("A&B<\"'>\t\n\r"), "A&amp;B&lt;\"'&gt;\t\n&#xD;");
}

const BARE: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<Acuse xmlns:xsd="http://www.w3.org/2001/XMLSchema"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    Fecha="2026-08-01T18:12:14.2906078" RfcEmisor="EKU9003173C9">
  <Folios xmlns="http://cancelacfd.sat.gob.mx">
    <UUID>6c3c4f4e-6a4e-4d8c-9d2f-1a2b3c4d5e6f</UUID>
    <EstatusUUID>201</EstatusUUID>
  </Folios>
  <Folios xmlns="http://cancelacfd.sat.gob.mx">
    <UUID>8C3C4F4E-6A4E-4D8C-9D2F-1A2B3C4D5E6F</UUID>
    <EstatusUUID> 205 </EstatusUUID>
  </Folios>
  <Signature Id="SelloSAT" xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo /></Signature>
</Acuse>"#;

#[test]
fn a_bare_receipt_tells_of_each_document() {
    let folio = |uuid: &str, status: &str| ReceivedFolio {
        uuid: uuid.to_owned(),
        status: status.to_owned(),
    };
    let expected = Receipt {
        date: datetime!(2026-08-01 18:12:14.2906078),
        issuer_rfc: Some("EKU9003173C9".to_owned()),
        code: None,
        folios: vec![
            folio("6C3C4F4E-6A4E-4D8C-9D2F-1A2B3C4D5E6F", "201"),
            folio("8C3C4F4E-6A4E-4D8C-9D2F-1A2B3C4D5E6F", "205"),
        ],
    };
    let receipt = Receipt::parse(BARE).unwrap();
    assert_eq!(receipt, expected);
    assert_eq!(receipt.status_of("8c3c4f4e-6a4e-4d8c-9d2f-1a2b3c4d5e6f"), Some("205"));
    assert_eq!(receipt.status_of("00000000-0000-0000-0000-000000000000"), None);
    let received: Vec<_> = receipt.folios.iter().map(ReceivedFolio::is_received).collect();
    assert_eq!(received, [true, false]);
    assert_eq!(Receipt::parse(&format!("\u{feff}\n{BARE}")).unwrap(), expected);
}

#[test]
fn a_receipt_of_withholdings_has_codes_of_its_own() {
    let xml = r#"<Acuse xmlns="http://www.sat.gob.mx/esquemas/retencionpago/1"
        Fecha="2026-08-01T18:01:47.3347371" RfcEmisor="EKU9003173C9" WorkProcessId="1"><Folios>
        <UUID>313CBD1A-FF11-4EA2-85C2-1FE536BC10DB</UUID><EstatusUUID>1202</EstatusUUID>
        <Motivo>02</Motivo></Folios></Acuse>"#;
    let receipt = Receipt::parse(xml).unwrap();
    assert_eq!(receipt.status_of("313CBD1A-FF11-4EA2-85C2-1FE536BC10DB"), Some("1202"));
    assert!(receipt.folios.iter().all(ReceivedFolio::is_received));
}

#[test]
fn a_receipt_in_an_envelope_is_found() {
    let xml = r#"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>
        <ns2:CancelaCFDResponse xmlns:ns2="http://cancelacfd.sat.gob.mx">
        <ns2:CancelaCFDResult Fecha="2026-08-01T10:09:01.000-05:00" RfcEmisor="CACX7605101P8">
        <ns2:Folios><ns2:UUID>313CBD1A-FF11-4EA2-85C2-1FE536BC10DB</ns2:UUID>
        <ns2:EstatusUUID>202</ns2:EstatusUUID></ns2:Folios></ns2:CancelaCFDResult>
        </ns2:CancelaCFDResponse></s:Body></s:Envelope>"#;
    let receipt = Receipt::parse(xml).unwrap();
    assert_eq!(receipt.date, datetime!(2026-08-01 10:09:01));
    assert_eq!(receipt.status_of("313CBD1A-FF11-4EA2-85C2-1FE536BC10DB"), Some("202"));
}

#[test]
fn a_refusal_of_the_whole_request_has_a_code() {
    let xml = r#"<Acuse Fecha="2026-08-01T10:09:01" CodEstatus="305" />"#;
    let receipt = Receipt::parse(xml).unwrap();
    assert_eq!((receipt.code.as_deref(), receipt.issuer_rfc), (Some("305"), None));
    assert_eq!(receipt.folios, []);
}

#[test]
fn what_is_no_receipt_is_refused() {
    let bad = |xml: &str| Receipt::parse(xml).unwrap_err();
    assert_eq!(bad(""), BadReceipt::NotXml);
    assert_eq!(bad("<Acuse"), BadReceipt::NotXml);
    assert_eq!(bad("<html/>"), BadReceipt::NoReceipt);
    assert_eq!(bad("<Acuse/>"), BadReceipt::NoReceipt);
    let text = "ayer".to_owned();
    assert_eq!(bad(r#"<Acuse Fecha="ayer"/>"#), BadReceipt::BadDate { text });
    let bomb = r#"<!DOCTYPE a [<!ENTITY x "y">]><Acuse Fecha="2026-08-01T10:09:01">&x;</Acuse>"#;
    assert_eq!(bad(bomb), BadReceipt::NotXml);
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,200}", cut in 0..BARE.len()) {
        let _ = Receipt::parse(&text);
        let _ = Receipt::parse(&BARE[..cut]);
    }
}
