//! Goods that leave the country.

use cfdi::complements::{ForeignTrade, Recipient, TradedGoods, foreign_trade::CUSTOMS_KEY};
use kernel::{Amount, Language};

use super::{Line, address, block, stated};
use crate::{block::Block, figures, parts::FULL, parts::heading, text::facts, texts};

/// How many decimals dollars are written with.
const DECIMALS: u32 = 2;

/// The facts, then the goods one by one.
pub(super) fn parts(trade: &ForeignTrade, language: Language) -> Vec<Block> {
    let certificate = trade.certificate_of_origin.as_ref();
    let number = certificate.and_then(|certificate| certificate.number.clone());
    let has_certificate = if certificate.is_some() { texts::YES } else { texts::NO };
    let receiver = trade.receiver.clone().unwrap_or_default();
    let place = |place| address::line(place, language);
    let mut lines = stated([
        (texts::CUSTOMS_KEY, Some(CUSTOMS_KEY.to_owned())),
        (texts::TRANSFER_REASON, trade.transfer_reason.clone()),
        (texts::CERTIFICATE_OF_ORIGIN, Some(has_certificate.text(language).to_owned())),
        (texts::CERTIFICATE_NUMBER, number),
        (texts::TRUSTED_EXPORTER, trade.trusted_exporter_number.clone()),
        (texts::INCOTERM, trade.incoterm.clone()),
        (texts::USD_RATE, Some(figures::plain(trade.usd_rate))),
        (texts::TOTAL_USD, Some(figures::money(trade.total_usd(), DECIMALS))),
        (texts::REMARKS, trade.remarks.clone()),
        (texts::CURP, trade.issuer.curp.clone()),
        (texts::ISSUER_ADDRESS, Some(place(&trade.issuer.address))),
        (texts::FOREIGN_TAX_ID, receiver.foreign_tax_id),
        (texts::RECEIVER_ADDRESS, receiver.address.as_ref().map(place)),
    ]);
    lines.extend(trade.owners.iter().map(|owner| {
        let owner = [owner.foreign_tax_id.clone(), owner.tax_residence.clone()];
        (texts::OWNER, facts(&owner))
    }));
    lines.extend(trade.recipients.iter().map(|each| (texts::RECIPIENT, recipient(each, language))));
    let head = heading(texts::FOREIGN_TRADE.text(language), FULL).then(block(&lines, language));
    let goods = trade.goods.iter().map(|each| goods(each, language));
    std::iter::once(head).chain(goods).collect()
}

fn recipient(recipient: &Recipient, language: Language) -> String {
    let places = recipient.addresses.iter().map(|place| Some(address::line(place, language)));
    let parts = [recipient.name.clone(), recipient.foreign_tax_id.clone()];
    facts(&parts.into_iter().chain(places).flatten().collect::<Vec<_>>())
}

fn goods(goods: &TradedGoods, language: Language) -> Block {
    let plain = |amount: Option<Amount>| amount.map(figures::plain);
    let mut lines: Vec<Line> = stated([
        (texts::GOODS, Some(goods.sku.clone())),
        (texts::TARIFF_CODE, goods.tariff_code.clone()),
        (texts::CUSTOMS_QUANTITY, plain(goods.customs_quantity)),
        (texts::CUSTOMS_UNIT, goods.customs_unit.clone()),
        (texts::CUSTOMS_PRICE, plain(goods.customs_unit_price)),
        (texts::USD_VALUE, Some(figures::money(goods.usd_value, DECIMALS))),
    ]);
    lines.extend(goods.details.iter().map(|each| {
        let parts = [
            Some(each.brand.clone()),
            each.model.clone(),
            each.submodel.clone(),
            each.serial_number.clone(),
        ];
        (texts::DETAILS, facts(&parts.into_iter().flatten().collect::<Vec<_>>()))
    }));
    Block::space(3.0).then(block(&lines, language))
}
