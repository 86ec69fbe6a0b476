//! What a hostile account sends: each request as costly as the service lets it be.

use std::sync::Arc;

use base64::{Engine, prelude::BASE64_STANDARD};

use crate::arguments::Attack;
use crate::benchmark::shop::Shop;
use crate::http::{Request, Response};
use crate::load::Script;
use crate::random::SplitMix64;

/// A seal certificate that nobody issued, and its private key, encrypted with 20,480 rounds of PBKDF2: the most that
/// the service works through before it can say that the password is wrong. Made with openssl, for this alone.
const SEAL: &str = include_str!("seal.b64");
const SLOW_KEY: &str = include_str!("slow-key.b64");
/// Few bytes as a PNG, 32 MB as pixels.
const LOGO_SIDE: u32 = 2_000;
/// As many as an order may have.
const ITEMS_MAX: usize = 500;
/// Just below what a body may have.
const BODY_BYTES: usize = 1_048_576 - 1_024;

/// Requests that are sent by turns, ready to be sent.
#[derive(Clone)]
pub(super) struct Attacks(Arc<[(Attack, Vec<u8>)]>);

impl Attacks {
    /// Those of an account with this shop: the chosen ones, or all when none is.
    pub(super) fn of(shop: &Shop, chosen: &[Attack]) -> anyhow::Result<Self> {
        let key = shop.api_key.as_str();
        let post = |path: &str, body: &str| Request::with_body("POST", path, key, body).render();
        let logo = format!(r#"{{"image":"{}"}}"#, BASE64_STANDARD.encode(logo()?));
        let mut attacks = vec![
            (
                Attack::Certificate,
                post("/api/v1/invoices/cfdi/issuer/certificates", &certificate()),
            ),
            (
                Attack::Logo,
                Request::with_body("PUT", "/api/v1/invoices/cfdi/issuer/logo", key, &logo).render(),
            ),
            (Attack::Order, post("/api/v1/orders", &long_order(shop))),
            (Attack::Body, post("/api/v1/products", &large_body())),
        ];
        for search in [
            "p%20r%20o%20d%20u%20c%20t",
            "%25%25%25%25%5B%28%2A%2B%29%5D%7B1%2C999%7D",
            "000",
            "sku-0",
        ] {
            for list in ["products", "orders", "customers"] {
                let path = format!("/api/v1/{list}?limit=100&sort=-updatedAt&search={search}");
                attacks.push((Attack::Search, Request::get(&path, Some(key)).render()));
            }
        }
        attacks.retain(|(attack, _)| chosen.is_empty() || chosen.contains(attack));
        Ok(Self(attacks.into()))
    }
}

/// One connection of the attacker.
pub(super) struct AttackScript {
    attacks: Attacks,
    random: SplitMix64,
}

impl AttackScript {
    pub(super) fn new(attacks: &Attacks, seed: u64) -> Self {
        Self { attacks: attacks.clone(), random: SplitMix64::new(seed) }
    }
}

impl Script for AttackScript {
    fn write(&mut self, bytes: &mut Vec<u8>) {
        let attack = self.random.below(self.attacks.0.len());
        if let Some((_, request)) = self.attacks.0.get(attack) {
            bytes.extend_from_slice(request);
        }
    }

    /// Whatever it is answered, but by a service that is well.
    fn check(&mut self, response: &Response<'_>) -> Result<(), String> {
        match response.status {
            500.. => Err(format!("{} {}", response.status, String::from_utf8_lossy(response.body))),
            _ => Ok(()),
        }
    }
}

fn certificate() -> String {
    let (seal, key) = (SEAL.replace('\n', ""), SLOW_KEY.replace('\n', ""));
    format!(r#"{{"certificate":"{seal}","privateKey":"{key}","password":"not this one"}}"#)
}

fn logo() -> anyhow::Result<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, LOGO_SIDE, LOGO_SIDE);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Sixteen);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&vec![0x5a; LOGO_SIDE as usize * LOGO_SIDE as usize * 8])?;
    writer.finish()?;
    Ok(file)
}

fn long_order(shop: &Shop) -> String {
    let products = shop.product_ids.iter().cycle().take(ITEMS_MAX);
    let items = products.map(|id| format!(r#"{{"productId":"{id}","quantity":1}}"#));
    let items: Vec<String> = items.collect();
    format!(r#"{{"customerId":"{}","items":[{}]}}"#, shop.customer_id, items.join(","))
}

fn large_body() -> String {
    format!(r#"{{"name":"Grande","price":1,"description":"{}"}}"#, "x".repeat(BODY_BYTES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attacks_are_requests_within_the_limits_of_bodies() {
        let shop = Shop {
            api_key: "service_x".to_owned(),
            customer_id: "cus_1".to_owned(),
            product_ids: vec!["prd_1".to_owned()],
        };
        let attacks = Attacks::of(&shop, &[]).unwrap();
        assert!(attacks.0.len() > 10);
        let orders = Attacks::of(&shop, &[Attack::Order]).unwrap();
        assert_eq!(orders.0.len(), 1);
        for (what, request) in attacks.0.iter() {
            assert!(request.len() < 1_048_576 + 512, "{what:?}");
        }
        assert!(logo().unwrap().len() < 200_000);
        assert_eq!(long_order(&shop).matches("productId").count(), ITEMS_MAX);
    }
}
