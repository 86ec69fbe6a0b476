//! Documents to print: one of each kind, and some that strain the sheet.

use cfdi::{
    complements::{Complements, Donation, Electoral, Entity, Legend, Process, Scope},
    document::{
        Document, DocumentType, Global, Issuer, Item, PaymentMethod, Receiver, Relation,
        ThirdParty, local_time,
    },
    payments::{BankAccount, Equivalence, PaidDocument, Payment},
    pricing::{self, Price},
    stamp::Stamp,
    tax::{Factor, Tax, TaxRate},
};
use kernel::{Amount, Currency};
use time::{PrimitiveDateTime, macros::date};

/// All of them, with a name.
pub(crate) fn all() -> Vec<(&'static str, Document)> {
    vec![
        ("items_1", invoice(1)),
        ("items_40", invoice(40)),
        ("items_500", invoice(500)),
        ("rich", rich()),
        ("credit_note", credit_note()),
        ("of_a_trade", of_a_trade()),
        ("export", super::trades::export()),
        ("journey", super::trades::journey()),
        ("global", global()),
        ("foreign", foreign()),
        ("payments", payments(5)),
        ("payments_60", payments(60)),
        ("transfer", transfer()),
        ("long", long()),
    ]
}

/// Whole units.
pub(crate) fn units(units: i64) -> Amount {
    Amount::from_micros(units * 1_000_000)
}

/// Hundredths.
pub(crate) fn cents(cents: i64) -> Amount {
    Amount::from_micros(cents * 10_000)
}

/// A local time.
pub(crate) fn moment(text: &str) -> PrimitiveDateTime {
    local_time::from_text(text).unwrap_or(PrimitiveDateTime::MIN)
}

fn currency(code: &str) -> Currency {
    Currency::parse(code).unwrap_or(Currency::MXN)
}

/// A stamp as a provider gives it.
pub(crate) fn stamp() -> Stamp {
    Stamp {
        uuid: "5E2D6AFF-2DD7-43D1-83D3-14C1ACA396D9".to_owned(),
        stamped_at: moment("2026-08-14T12:07:31"),
        provider_rfc: "SPR190613I52".to_owned(),
        legend: None,
        issuer_seal: seal("VkMj9Q4ru+0yAnXe7/pZ"),
        certificate_number: "30001000000500003456".to_owned(),
        seal: seal("hT3bWcL8+sD1oKf/Gz5u"),
    }
}

/// As long as a seal of 2,048 bits.
fn seal(start: &str) -> String {
    format!("{}==", start.repeat(18).chars().take(342).collect::<String>())
}

/// An invoice of that many different items.
pub(crate) fn invoice(count: usize) -> Document {
    Document {
        kind: DocumentType::Income,
        series: Some("A".to_owned()),
        folio: Some("1024".to_owned()),
        issued_at: moment("2026-08-14T12:05:07"),
        payment_form: Some("03".to_owned()),
        payment_method: Some(PaymentMethod::Pue),
        payment_terms: None,
        currency: Some(Currency::MXN),
        exchange_rate: None,
        export: "01".to_owned(),
        place_of_issue: "06600".to_owned(),
        confirmation: None,
        global: None,
        related: Vec::new(),
        issuer: Issuer {
            rfc: "EKU9003173C9".to_owned(),
            legal_name: "ESCUELA KEMPER URGATE".to_owned(),
            tax_regime: "601".to_owned(),
        },
        receiver: Receiver {
            rfc: "CUSC850516316".to_owned(),
            legal_name: "CÉSAR OSBALDO CRUZ SOLÓRZANO MUÑOZ".to_owned(),
            tax_zip: "45638".to_owned(),
            tax_regime: "612".to_owned(),
            cfdi_use: "G03".to_owned(),
            tax_residence: None,
            foreign_tax_id: None,
        },
        items: (0..count).map(nth_item).collect(),
        local_taxes: Vec::new(),
        payments: Vec::new(),
        complements: Complements::default(),
    }
}

/// Key, unit, description and price in cents of some goods.
const GOODS: [(&str, &str, &str, i64); 5] = [
    (
        "43211503",
        "H87",
        "Computadora portátil 14\" con 16 GB de memoria y 512 GB de estado sólido",
        1_899_000,
    ),
    ("44121701", "XBX", "Bolígrafo de gel punto fino, azul, caja con 12 piezas", 14_350),
    ("50202301", "LTR", "Agua purificada", 1_250),
    ("81112101", "E48", "Servicio de internet dedicado, mensualidad", 129_900),
    ("53131608", "H87", "Jabón artesanal de miel y avena", 6_500),
];

fn nth_item(index: usize) -> Item {
    let goods = GOODS.get(index % GOODS.len()).copied();
    let (key, unit, description, price) = goods.unwrap_or(("01010101", "H87", "Producto", 10_000));
    let quantity = units(1 + index as i64 % 7);
    let discount = (index % 4 == 1).then(|| cents(1_000));
    let mut item = item(description, quantity, cents(price), discount, &[TaxRate::iva(160_000)]);
    item.sat_product_key = key.to_owned();
    item.sat_unit_key = unit.to_owned();
    item.sku = Some(format!("SKU-{:04}", index + 1));
    item
}

/// An item at a price before taxes.
pub(crate) fn item(
    description: &str,
    quantity: Amount,
    price: Amount,
    discount: Option<Amount>,
    rates: &[TaxRate],
) -> Item {
    let amounts = pricing::amounts(quantity, Price::Net(price), discount, rates);
    Item {
        sat_product_key: "01010101".to_owned(),
        sku: None,
        quantity,
        sat_unit_key: "H87".to_owned(),
        unit: None,
        description: description.to_owned(),
        unit_price: amounts.unit_price,
        amount: amounts.amount,
        discount: amounts.discount,
        tax_object: if rates.is_empty() { "01" } else { "02" }.to_owned(),
        taxes: amounts.taxes,
        third_party: None,
        customs: Vec::new(),
        property_accounts: Vec::new(),
        parts: Vec::new(),
    }
}

/// Every kind of tax, a third party, customs and property numbers.
pub(crate) fn rich() -> Document {
    let iva = TaxRate::iva(160_000);
    let isr = TaxRate { tax: Tax::Isr, withheld: true, ..TaxRate::iva(100_000) };
    let iva_withheld = TaxRate { withheld: true, ..TaxRate::iva(106_667) };
    let ieps = TaxRate { tax: Tax::Ieps, ..TaxRate::iva(265_000) };
    let quota = TaxRate { tax: Tax::Ieps, factor: Factor::Cuota, ..TaxRate::iva(6_455_500) };
    let exempt = TaxRate { factor: Factor::Exento, ..TaxRate::iva(0) };
    let mut imported =
        item("Cerveza clara importada, lata 355 ml", units(24), cents(2_150), None, &[ieps, iva]);
    imported.customs = vec!["24  48  3009  4001234".to_owned(), "16  24  3420  6000001".to_owned()];
    imported.sat_product_key = "50202201".to_owned();
    let mut rent = item(
        "Renta de local comercial, agosto de 2026",
        units(1),
        cents(1_850_000),
        None,
        &[iva, isr, iva_withheld],
    );
    rent.property_accounts = vec!["0123456789".to_owned()];
    rent.sat_product_key = "80131500".to_owned();
    rent.sat_unit_key = "E48".to_owned();
    let mut sold_for = item(
        "Obra \"Atardecer en Xochimilco\", óleo",
        units(1),
        cents(500_000),
        Some(cents(25_000)),
        &[iva],
    );
    sold_for.third_party = Some(ThirdParty {
        rfc: "JUFA7608212V6".to_owned(),
        legal_name: "ADRIANA JUÁREZ FERNÁNDEZ".to_owned(),
        tax_regime: "621".to_owned(),
        tax_zip: "29133".to_owned(),
    });
    let petrol = item(
        "Gasolina regular",
        Amount::from_micros(41_237_500),
        Amount::from_micros(18_345_678),
        None,
        &[quota, iva],
    );
    let mut book = item("Libro \"El llano en llamas\"", units(3), cents(18_000), None, &[exempt]);
    book.unit = Some("Ejemplar".to_owned());
    let tortilla = item(
        "Tortilla de maíz",
        Amount::from_micros(2_500_000),
        cents(2_200),
        None,
        &[TaxRate::iva(0)],
    );
    let mut document = invoice(0);
    document.items = vec![imported, rent, sold_for, petrol, book, tortilla];
    document.payment_terms = Some("Contado, 2 % de descuento en los primeros 10 días".to_owned());
    document.confirmation = Some("ECVH1".to_owned());
    document
}

/// A credit note for an invoice.
pub(crate) fn credit_note() -> Document {
    let relation = Relation {
        relation: "01".to_owned(),
        uuids: vec![
            "3F2504E0-4F89-41D3-9A0C-0305E82C3301".to_owned(),
            "7D444840-9DC0-11D1-B245-5FFDCE74FAD2".to_owned(),
        ],
    };
    let mut document = invoice(1);
    document.kind = DocumentType::Credit;
    document.series = Some("NC".to_owned());
    document.folio = Some("17".to_owned());
    document.related = vec![relation];
    document.receiver.cfdi_use = "G02".to_owned();
    document
}

/// What documents of some trades state.
pub(crate) fn complements() -> Complements {
    let legend = Legend {
        law: Some("ISR".to_owned()),
        rule: Some("27".to_owned()),
        text: "Efectos fiscales al pago".to_owned(),
    };
    let donation = Donation {
        authorization_number: "600-04-2019-1234".to_owned(),
        authorized_on: date!(2019 - 01 - 31),
        legend: "Este comprobante ampara un donativo a los fines propios de la donataria"
            .to_owned(),
    };
    let entity = Entity {
        code: "JAL".to_owned(),
        scope: Some(Scope::Local),
        accounting_ids: vec![12_345, 67_890],
    };
    let electoral = Electoral {
        process: Process::Campaign,
        committee: None,
        accounting_id: None,
        entities: vec![entity],
    };
    Complements {
        legends: vec![legend],
        donation: Some(donation),
        electoral: Some(electoral),
        ..Complements::default()
    }
}

/// An invoice with all of them.
pub(crate) fn of_a_trade() -> Document {
    Document { complements: complements(), ..invoice(2) }
}

/// The sales of a month to the general public.
pub(crate) fn global() -> Document {
    let mut document = invoice(0);
    document.global =
        Some(Global { periodicity: "04".to_owned(), months: "08".to_owned(), year: 2026 });
    document.receiver = Receiver {
        rfc: "XAXX010101000".to_owned(),
        legal_name: "PUBLICO EN GENERAL".to_owned(),
        tax_zip: "06600".to_owned(),
        tax_regime: "616".to_owned(),
        cfdi_use: "S01".to_owned(),
        tax_residence: None,
        foreign_tax_id: None,
    };
    document.payment_form = Some("01".to_owned());
    document.items = (0..12).map(ticket).collect();
    document
}

fn ticket(index: i64) -> Item {
    let price = cents(12_345 + index * 9_871);
    let mut ticket = item("Venta", units(1), price, None, &[TaxRate::iva(160_000)]);
    ticket.sat_unit_key = "ACT".to_owned();
    ticket.sku = Some(format!("T-{}", 20_260_801 + index));
    ticket
}

/// An invoice in dollars to a buyer abroad.
pub(crate) fn foreign() -> Document {
    let mut document = invoice(0);
    document.currency = Some(currency("USD"));
    document.exchange_rate = Some(Amount::from_micros(18_765_400));
    document.export = "02".to_owned();
    document.receiver = Receiver {
        rfc: "XEXX010101000".to_owned(),
        legal_name: "SMITH & O'BRIEN TRADING CO. ŁÓDŹ – ΑΘΗΝΑ – МОСКВА".to_owned(),
        tax_zip: "06600".to_owned(),
        tax_regime: "616".to_owned(),
        cfdi_use: "S01".to_owned(),
        tax_residence: Some("USA".to_owned()),
        foreign_tax_id: Some("121585958".to_owned()),
    };
    document.items = vec![item(
        "Aguacate Hass, calibre 48, caja de 11.3 kg",
        units(40_000),
        cents(2_500),
        None,
        &[TaxRate::iva(0)],
    )];
    document
}

/// A receipt of payments: one in pesos for several documents, one in dollars.
pub(crate) fn payments(documents: usize) -> Document {
    let mut document = invoice(0);
    document.kind = DocumentType::Payment;
    document.series = Some("P".to_owned());
    document.folio = Some("88".to_owned());
    document.payment_form = None;
    document.payment_method = None;
    document.currency = None;
    document.receiver.cfdi_use = "CP01".to_owned();
    let mut line = item("Pago", units(1), Amount::ZERO, None, &[]);
    line.sat_product_key = "84111506".to_owned();
    line.sat_unit_key = "ACT".to_owned();
    document.items = vec![line];
    let paid: Vec<_> = (0..documents as i64).map(paid).collect();
    let amount = cfdi::decimal::sum(paid.iter().map(|paid| paid.amount));
    document.payments = vec![
        Payment {
            paid_at: moment("2026-08-12T12:00:00"),
            payment_form: "03".to_owned(),
            currency: Currency::MXN,
            exchange_rate: None,
            amount,
            operation: Some("2026081200451278".to_owned()),
            payer_account: Some(account("BNM840515VB1", "002180012345678901")),
            payee_account: Some(account("BBA830831LJ2", "012180098765432109")),
            documents: paid,
        },
        in_dollars(),
    ];
    document
}

fn account(bank: &str, number: &str) -> BankAccount {
    BankAccount {
        bank_rfc: Some(bank.to_owned()),
        bank_name: None,
        number: Some(number.to_owned()),
    }
}

fn paid(index: i64) -> PaidDocument {
    let total = cents(1_160_000 + index * 58_000);
    let amount = cents(580_000);
    let base = cfdi::decimal::quotient(total, Amount::from_micros(1_160_000));
    let rate = TaxRate::iva(160_000);
    let sums = [cfdi::tax::ItemTax { rate, base, amount: rate.of(base) }];
    PaidDocument {
        uuid: format!("{:08X}-1B7F-4C55-9E0E-6A1D2C3B4A59", 0x2f6d_91c0_i64 + index),
        series: Some("A".to_owned()),
        folio: Some((1_001 + index).to_string()),
        currency: Currency::MXN,
        equivalence: Equivalence::ONE,
        installment: 1,
        balance_before: total,
        amount,
        tax_object: "02".to_owned(),
        taxes: PaidDocument::proportional(&sums, amount, total),
    }
}

fn in_dollars() -> Payment {
    let mut document = paid(40);
    document.equivalence = Equivalence::of(units(5_800), cents(31_012)).unwrap_or(Equivalence::ONE);
    document.installment = 2;
    Payment {
        paid_at: moment("2026-08-13T17:45:10"),
        payment_form: "02".to_owned(),
        currency: currency("USD"),
        exchange_rate: Some(Amount::from_micros(18_702_400)),
        amount: cents(31_012),
        operation: None,
        payer_account: None,
        payee_account: None,
        documents: vec![document],
    }
}

/// Goods on the move.
pub(crate) fn transfer() -> Document {
    let mut document = invoice(2);
    document.kind = DocumentType::Transfer;
    document.payment_form = None;
    document.payment_method = None;
    document.currency = None;
    document.receiver.cfdi_use = "S01".to_owned();
    for item in &mut document.items {
        (item.unit_price, item.amount, item.discount) = (Amount::ZERO, Amount::ZERO, None);
        item.taxes.clear();
        "01".clone_into(&mut item.tax_object);
    }
    document
}

/// Names, descriptions and amounts as long as they can be.
pub(crate) fn long() -> Document {
    let mut document = invoice(3);
    document.series = Some("SERIE-LARGA-DE-25-LETRAS-X".to_owned());
    document.folio = Some("FOLIO-DE-CUARENTA-LETRAS-0123456789012345".to_owned());
    document.issuer.legal_name = "COMERCIALIZADORA E IMPORTADORA DE PRODUCTOS AGROPECUARIOS Y FERRETEROS DEL BAJÍO Y DEL OCCIDENTE DE MÉXICO ".repeat(3);
    document.receiver.legal_name =
        format!("{} {}", "SUPERCALIFRAGILISTICOESPIALIDOSO".repeat(5), "Y COMPAÑÍA".repeat(6));
    let text =
        "Descripción larga con acentos y eñes, número de serie 4F-99812, garantía de 24 meses. ";
    let price = Amount::from_micros(123_456_789_123_456);
    let mut first = item(
        &text.repeat(12),
        Amount::from_micros(1_234_567_123),
        price,
        Some(cents(99_999_999)),
        &[TaxRate::iva(160_000)],
    );
    first.amount = units(999_999_999_999);
    let second = item(&"X".repeat(1_000), units(1), cents(1), None, &[TaxRate::iva(160_000)]);
    let third = item("日本語の説明 وصف عربي हिन्दी 😀 e\u{301}", units(1), cents(100), None, &[]);
    document.items.extend([first, second, third]);
    document
}
