//! XML, seal and stamp of withholdings, and their sums.

use time::macros::datetime;

use super::{Receiver, Withholding, samples};
use crate::{
    csd::Csd,
    seal::{Sealed, seal_withholding},
    stamp::{RETENCIONES, Stamp, StampProblem, withholding_verification_url},
};

fn sealed(withholding: &Withholding) -> Sealed {
    let cer = include_bytes!("../../fixtures/csd/EKU9003173C9.cer");
    let key = include_bytes!("../../fixtures/csd/EKU9003173C9.key");
    seal_withholding(withholding, &Csd::open(cer, key, "12345678a").unwrap()).unwrap()
}

fn stamp(issuer_seal: &str) -> Stamp {
    Stamp {
        uuid: samples::UUID.to_owned(),
        stamped_at: datetime!(2026-08-03 12:00:00),
        provider_rfc: "AAA010101AAA".to_owned(),
        legend: None,
        issuer_seal: issuer_seal.to_owned(),
        certificate_number: "30001000000500003416".to_owned(),
        seal: "c2VhbA==".to_owned(),
    }
}

#[test]
fn the_cadena_has_every_value_in_order() {
    assert_eq!(
        samples::fees().cadena("30001000000500003416"),
        "||2.0|30001000000500003416|R1024|2026-08-03T11:30:00|06600|01|EKU9003173C9|ESCUELA KEMPER \
         URGATE|601|Nacional|CACX7605101P8|XOCHILT CASAS CHAVEZ|CACX760510MGTSHC04|64000|07|07|2026|\
         10000.00|10000.00|0.00|2066.67|10000.00|001|1000.00|04|1600.00|002|1066.67|01||"
    );
    assert!(samples::platform().cadena("1").ends_with(
        "|1.0|02|2|1100.123456|160.00|80.00|44.00|80.00|155.00|30.00|03|04|CACX7605101P8|\
         2026-07-12|1000.00|1000.00|02|Tasa|0.160000|160.00|30.00|23|1000.00|0.155|155.00|03|04|04|\
         2026-07-12|100.123456||"
    ));
    let others = samples::others().cadena("1");
    assert!(others.contains(&format!("|25|Cinco al millar|04|{}|EKU9003173C9|", samples::UUID)));
    assert!(others.ends_with("|100.00|100.00|03||"));
}

#[test]
fn the_xml_of_every_sample_is_sealed_and_declares_what_it_holds() {
    for sample in samples::ALL {
        let sealed = sealed(&sample());
        let xml = roxmltree::Document::parse(&sealed.xml).unwrap();
        let root = xml.root_element();
        assert!(root.has_tag_name((RETENCIONES, "Retenciones")));
        assert_eq!(root.attribute("Sello"), Some(sealed.seal.as_str()));
        let instance = "http://www.w3.org/2001/XMLSchema-instance";
        let locations = root.attribute((instance, "schemaLocation")).unwrap();
        for node in xml.descendants().filter(roxmltree::Node::is_element) {
            assert!(locations.contains(node.tag_name().namespace().unwrap()));
        }
    }
}

#[test]
fn a_stamp_goes_into_the_complement_that_is_there_or_not() {
    for sample in [samples::fees, samples::dividends] {
        let sealed = sealed(&sample());
        assert_eq!(Stamp::read(&sealed.xml), Err(StampProblem::Unstamped));
        let stamp = stamp(&sealed.seal);
        let xml = stamp.attached_to(&sealed.xml);
        assert_eq!(Stamp::read(&xml), Ok(stamp));
        let xml = roxmltree::Document::parse(&xml).unwrap();
        let complements =
            xml.descendants().filter(|node| node.has_tag_name((RETENCIONES, "Complemento")));
        assert_eq!(complements.count(), 1);
    }
}

#[test]
fn anybody_can_check_it() {
    let mut withholding = samples::abroad();
    "Ñ&A010101AAA".clone_into(&mut withholding.issuer.rfc);
    let url = withholding_verification_url(&withholding, &stamp("abc+defg/hi=="));
    assert_eq!(
        url,
        "https://prodretencionverificacion.clouda.sat.gob.mx/?id=5FB2822E-396D-4725-8521-CDC4BDD20CCF\
         &re=%C3%91%26A010101AAA&nr=00000000000123456789&tt=1250.50&fe=efg/hi=="
    );
    // Identifiers of other countries have any characters.
    let Receiver::Foreign(foreign) = &mut withholding.receiver else { panic!() };
    foreign.foreign_tax_id = Some("É 1#2&3".to_owned());
    let url = withholding_verification_url(&withholding, &stamp(""));
    assert!(url.contains("&nr=0000000000000%C3%89%201%232%263&"), "{url}");
    let url = withholding_verification_url(&samples::fees(), &stamp(""));
    assert!(url.contains("&rr=CACX7605101P8&tt=10000.00&"), "{url}");
}
