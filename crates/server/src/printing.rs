//! The printed form of invoices, withholdings and quotes, for the API.

use invoices::{
    Documents, ItemDetail, LogoPlace, Printer, SheetSettings, Status, provider::ProviderKind,
    withholding,
};
use kernel::{Amount, Language};
use orders::packing::{Packing, PackingPrinter};
use print::{
    Color, Contact, ItemDetails, Look, PackedItem, PackingSlip, QuoteLine, QuoteMark, QuoteSheet,
    Sheet, WithholdingSheet,
};
use quotes::{PrintedQuote, QuotePrinter};

/// Prints with the crate `print`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Press;

impl Printer for Press {
    fn pdf(&self, documents: &Documents, wanted: Option<Language>) -> Result<Vec<u8>, String> {
        let invoice = &documents.invoice;
        let stamped = invoice.stamp.as_ref();
        let usual = || documents.sheet.language(&invoice.document);
        let sheet = Sheet {
            document: &invoice.document,
            stamp: stamped.map(|stamped| &stamped.stamp),
            certificate_number: documents.certificate_number.as_deref(),
            sandbox: stamped.is_some_and(|stamped| stamped.provider == ProviderKind::Sandbox),
            cancelled: invoice.status == Status::Cancelled,
            logo: documents.logo.as_deref(),
            notes: invoice.draft.notes.as_deref(),
            look: &look(&documents.sheet.at(documents.branch.as_ref())),
            language: wanted.unwrap_or_else(usual),
        };
        print::pdf(&sheet).map_err(|error| error.to_string())
    }

    fn withholding_pdf(
        &self,
        documents: &withholding::Documents,
        wanted: Option<Language>,
    ) -> Result<Vec<u8>, String> {
        let withholding = &documents.withholding;
        let usual = || documents.sheet.language_of_withholding(withholding);
        let sheet = WithholdingSheet {
            withholding,
            stamp: documents.stamp.as_ref(),
            certificate_number: documents.certificate_number.as_deref(),
            sandbox: documents.is_sandbox,
            cancelled: documents.status == Status::Cancelled,
            logo: documents.logo.as_deref(),
            look: &look(&documents.sheet),
            language: wanted.unwrap_or_else(usual),
        };
        print::withholding_pdf(&sheet).map_err(|error| error.to_string())
    }

    fn logo_to_keep(&self, image: Vec<u8>) -> Result<Vec<u8>, kernel::Message> {
        print::logo_to_keep(image)
    }
}

impl PackingPrinter for Press {
    fn packing_slip(&self, packing: &Packing, language: Language) -> Result<Vec<u8>, String> {
        let Packing { order, shipment, from, .. } = packing;
        let items = shipment.lines.iter().filter_map(|part| {
            let item = order.items.get(part.line)?;
            Some(PackedItem {
                sku: item.given_sku(),
                name: &item.name,
                quantity: part.quantity,
                is_counted: item.decimals.is_zero(),
                note: item.note.as_deref(),
            })
        });
        let items: Vec<PackedItem<'_>> = items.collect();
        let text = shipment.created_at.to_string();
        let day = text.split('T').next().unwrap_or_default();
        let slip = PackingSlip {
            order_number: &orders::number_text(order.number),
            shipment: &shipment.id.to_string(),
            shipped_on: day,
            from,
            to: &packing.to(),
            carrier: shipment.carrier.as_deref(),
            tracking_number: shipment.tracking_number.as_deref(),
            items: &items,
            cancelled: shipment.status == orders::shipments::ShipmentStatus::Cancelled,
            language,
        };
        print::packing_slip_pdf(&slip).map_err(|error| error.to_string())
    }
}

impl QuotePrinter for Press {
    fn quote_pdf(&self, printed: &PrintedQuote) -> Result<Vec<u8>, String> {
        let PrintedQuote { quote, status, merchant, customer, date, sandbox, language } = printed;
        let offered = &quote.offered;
        let lines = offered.items.iter().map(|item| QuoteLine {
            name: &item.name,
            sku: item.given_sku(),
            note: item.note.as_deref(),
            quantity: item.ordered().to_string(),
            unit_price: item.unit_price,
            plus_taxes: !item.tax_included,
            discount: item.discount.map(|it| it.amount).filter(|it| *it > Amount::ZERO),
            amount: item.line_total(),
        });
        let mark = match status {
            quotes::Status::Draft => Some(QuoteMark::Draft),
            quotes::Status::Rejected | quotes::Status::Expired | quotes::Status::Superseded => {
                Some(QuoteMark::Over)
            }
            quotes::Status::Sent | quotes::Status::Accepted | quotes::Status::Ordered => None,
        };
        let zone = quotes::zone_time(quote.zone);
        let sheet = QuoteSheet {
            merchant,
            customer,
            number: &quote.number_text(),
            revision: quote.revision,
            title: quote.title.as_deref(),
            notes: quote.notes.as_deref(),
            date: *date,
            valid_until: quote.valid_until,
            zone: zone.in_language(*language),
            lines: lines.collect(),
            subtotal: offered.subtotal(),
            discount: offered.discount_total(),
            shipping: offered.shipping.as_ref().map(|it| (it.name.as_str(), it.amount)),
            tax: offered.tax_total,
            total: offered.total,
            currency: offered.currency,
            mark,
            sandbox: *sandbox,
            language: *language,
        };
        print::quote_pdf(&sheet).map_err(|error| error.to_string())
    }
}

fn look(settings: &SheetSettings) -> Look {
    let usual = Look::default();
    let shows = |detail| !settings.hidden.contains(&detail);
    Look {
        accent: settings.accent.as_deref().and_then(Color::parse).unwrap_or(usual.accent),
        logo_place: match settings.logo_place {
            LogoPlace::Left => print::LogoPlace::Left,
            LogoPlace::Center => print::LogoPlace::Center,
            LogoPlace::Right => print::LogoPlace::Right,
        },
        item_details: ItemDetails {
            sku: shows(ItemDetail::Sku),
            unit_name: shows(ItemDetail::UnitName),
            product_name: shows(ItemDetail::ProductName),
            tax_object_name: shows(ItemDetail::TaxObjectName),
            taxes: shows(ItemDetail::Taxes),
        },
        contact: Contact {
            address: settings.address.clone(),
            phone: settings.phone.clone(),
            email: settings.email.clone(),
            website: settings.website.clone(),
        },
        footer: settings.footer.clone(),
    }
}
