//! The values of the domains in the OpenAPI document: what their JSON looks like.

use cfdi::{
    complements::{
        Committee, Process, Scope,
        carta_porte::{
            Direction as Directions, LocationKind as LocationKinds, Navigation as Navigations,
        },
    },
    document::DocumentType,
    withholding::Origin,
};
use invoices::{
    export::Content as Contents,
    global::{Fate, LeftOut as LeftOuts, Periodicity as Periodicities},
    issuer::{
        SimulatedCancellation as SimulatedCancellations, SimulatedStamping as SimulatedStampings,
    },
    tax_data::TaxStatus as TaxStatuses,
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr,
        schema::{
            AdditionalProperties, KnownFormat, ObjectBuilder, Schema, SchemaFormat, SchemaType,
            Type,
        },
    },
};
use webhooks::catalog::{EVERY_EVENT, every_type};

macro_rules! shapes {
    ($($(#[$doc:meta])* $name:ident = $schema:expr;)+) => {$(
        $(#[$doc])*
        pub(crate) enum $name {}

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                RefOr::T($schema.into())
            }
        }

        impl ToSchema for $name {}
    )+};
}

shapes! {
    /// See [`kernel::Amount`].
    Amount = ObjectBuilder::new()
        .schema_type(Type::Number)
        .description(Some("Exact decimal number with at most 6 decimal places."))
        .examples([19.99]);
    /// See [`kernel::Sum`].
    Sum = ObjectBuilder::new()
        .schema_type(Type::Number)
        .description(Some("Exact sum, a decimal number with at most 6 decimal places and any number of digits."))
        .examples([1_999.99]);
    /// See [`kernel::Quantity`].
    Quantity = ObjectBuilder::new()
        .schema_type(Type::Number)
        .minimum(Some(0))
        .description(Some("Number of units: a whole one, or one with at most 3 decimals if the `quantityDecimals` of the product are 3."))
        .examples([serde_json::json!(3), serde_json::json!(0.35)]);
    /// See [`kernel::Measure`].
    QuantityChange = ObjectBuilder::new()
        .schema_type(Type::Number)
        .description(Some("Number of units, below zero if they become fewer."))
        .examples([serde_json::json!(-2), serde_json::json!(0.35)]);
    /// See [`kernel::Decimals`].
    QuantityDecimals = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .enum_values(Some(kernel::Decimals::COUNTS.iter().copied()))
        .description(Some("Decimals of quantities."));
    /// See [`kernel::Timestamp`].
    Timestamp = ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
        .description(Some("RFC 3339 timestamp in UTC, with milliseconds."))
        .examples(["2026-01-31T18:05:07.123Z"]);
    /// See [`kernel::Currency`].
    Currency = ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some("^[A-Z]{3}$"))
        .description(Some("ISO 4217 currency code."))
        .examples(["MXN"]);
    /// See [`kernel::Metadata`].
    Metadata = ObjectBuilder::new()
        .additional_properties(Some(AdditionalProperties::from(Schema::from(
            ObjectBuilder::new()
                .schema_type(SchemaType::from_iter([Type::String, Type::Number, Type::Boolean]))
                .build(),
        ))))
        .description(Some(
            "Arbitrary key-value pairs of your own: up to 50 keys, each with a string, number or \
             boolean value.",
        ))
        .examples([serde_json::json!({"channel": "web"})]);
    /// See [`catalog::lookup::MatchedBy`].
    ProductMatchedBy = names(catalog::lookup::MatchedBy::EVERY, catalog::lookup::MatchedBy::name)
        .description(Some("By what a code names something: its SKU, its EAN, UPC or GTIN, or its SKU in the label of a scale."));
    /// See [`catalog::ProductStatus`].
    ProductStatus = names(catalog::ProductStatus::EVERY, catalog::ProductStatus::name)
        .description(Some(
            "`active` products can be ordered; `archived` products are kept but cannot be \
             ordered.",
        ));
    /// See [`invoices::export::Content`].
    ExportContent = names(Contents::EVERY, Contents::name)
        .description(Some("What a file of invoices holds."));
    /// See [`invoices::global::Periodicity`].
    Periodicity = names(Periodicities::EVERY, Periodicities::code)
        .description(Some("Length of a period, a code of c_Periodicidad: day, week, fortnight, month, two months."));
    /// See [`invoices::global::Fate`].
    GlobalInvoiceStatus = names(Fate::EVERY, Fate::name)
        .description(Some("Status of the invoice, or `deleted`."));
    /// See [`invoices::global::LeftOut`].
    LeftOut = names(LeftOuts::EVERY, LeftOuts::name)
        .description(Some("Why a sale is left out of a global invoice."));
    /// See [`accounts::Scopes`].
    ApiKeyScope = names(accounts::Scope::NAMES, |name| name)
        .description(Some("A part of the API that a key may call; `*` is everything, present and future."));
    /// See [`kernel::Mode`].
    AccountMode = names(kernel::Mode::EVERY, kernel::Mode::name)
        .description(Some("Whether what is done counts: `live`, or `test` in the test account."));
    /// See [`kernel::Actor`].
    ActorType = names(kernel::Actor::KINDS, |kind| kind)
        .description(Some("Kind of actor."));
    /// See [`approvals::EntityType`].
    ApprovalEntity = names(approvals::EntityType::EVERY, approvals::EntityType::name)
        .description(Some("What is to be approved. So far `order_discount`, `order_cancellation` and `invoice_cancellation`."));
    /// See [`approvals::Field`].
    ApprovalField = names(approvals::Field::EVERY, approvals::Field::name)
        .description(Some("A field of what is to be approved."));
    /// See [`approvals::Op`].
    ApprovalOp = names(approvals::Op::EVERY, approvals::Op::name)
        .description(Some("How the field is compared."));
    /// See [`approvals::Status`].
    ApprovalStatus = names(approvals::Status::EVERY, approvals::Status::name)
        .description(Some("Status of the approval."));
    /// See [`approvals::Effect`].
    ApprovalEffect = names(approvals::Effect::EVERY, approvals::Effect::name)
        .description(Some("What has become of the call that waits for the approval."));
    /// See [`approvals::Verdict`].
    ApprovalVerdict = names(approvals::Verdict::EVERY, approvals::Verdict::name)
        .description(Some("What was decided."));
    /// See [`orders::shipments::ShipmentStatus`].
    ShipmentStatus = names(orders::shipments::ShipmentStatus::EVERY, orders::shipments::ShipmentStatus::name)
        .description(Some("`shipped` until the customer has received it."));
    /// See [`inventory::Kind`].
    WarehouseKind = names(inventory::Kind::EVERY, inventory::Kind::name)
        .description(Some("What goods lie there for."));
    /// See [`inventory::Reason`].
    StockReason = names(inventory::Reason::EVERY, inventory::Reason::name)
        .description(Some("Why stock changed."));
    /// See [`inventory::Cause`].
    AdjustmentReason = names(inventory::Cause::EVERY, inventory::Cause::name)
        .description(Some("Why stock was corrected."));
    /// See [`inventory::ReceiptStatus`].
    ReceiptStatus = names(inventory::ReceiptStatus::EVERY, inventory::ReceiptStatus::name)
        .description(Some("`received` until it is cancelled."));
    /// See [`inventory::transfer::TransferStatus`].
    TransferStatus = names(inventory::transfer::TransferStatus::EVERY, inventory::transfer::TransferStatus::name)
        .description(Some("`draft` until it is sent, `in_transit` until all of it is accounted for."));
    /// See [`inventory::count::CountStatus`].
    CountStatus = names(inventory::count::CountStatus::EVERY, inventory::count::CountStatus::name)
        .description(Some("`draft` until something is counted, `counting` until it is posted."));
    /// See [`inventory::count::Uncounted`].
    Uncounted = names(inventory::count::Uncounted::EVERY, inventory::count::Uncounted::name)
        .description(Some("What becomes of lines that nobody has counted."));
    /// See [`inventory::CostReason`].
    CostReason = names(inventory::CostReason::EVERY, inventory::CostReason::name)
        .description(Some("Why an average cost changed."));
    /// See [`inventory::Allocation`].
    Allocation = names(inventory::Allocation::EVERY, inventory::Allocation::name)
        .description(Some("Which warehouses orders take from."));
    /// See [`payments::settings::LatePayments`].
    LatePayments = names(payments::settings::LatePayments::EVERY, payments::settings::LatePayments::name)
        .description(Some("What becomes of money that comes for a cancelled order."));
    /// Codes of c_FormaPago by method.
    SatPaymentForms = ObjectBuilder::new()
        .additional_properties(Some(AdditionalProperties::from(Schema::from(
            ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[0-9]{2}$")).build(),
        ))))
        .description(Some("Payment form (c_FormaPago) by method."))
        .examples([serde_json::json!({"wallet": "05"})]);
    /// What was known, by field.
    ApprovalFacts = ObjectBuilder::new()
        .additional_properties(Some(AdditionalProperties::from(Schema::from(
            ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::String, Type::Number])).build(),
        ))))
        .description(Some("What was known when the approval was asked for, by field."))
        .examples([serde_json::json!({"discountPct": 20, "total": 159.92})]);
    /// See [`tasks::Status`].
    JobStatus = names(tasks::Status::EVERY, tasks::Status::name)
        .description(Some("Status of the job."));
    /// See [`imports::ImportKind`].
    ImportKind = names(imports::ImportKind::EVERY, imports::ImportKind::name)
        .description(Some("What the rows of the import are about."));
    /// See [`imports::ImportState`].
    ImportStatus = names(imports::ImportState::EVERY, imports::ImportState::name)
        .description(Some("Status of the import."));
    /// See [`imports::Mode`].
    ImportMode = names(imports::Mode::EVERY, imports::Mode::name)
        .description(Some("What becomes of rows whose product is there, or is not."));
    /// See [`imports::OnError`].
    ImportOnError = names(imports::OnError::EVERY, imports::OnError::name)
        .description(Some("What a row that is refused means for those behind it."));
    /// See [`imports::EmptyCells`].
    ImportEmptyCells = names(imports::EmptyCells::EVERY, imports::EmptyCells::name)
        .description(Some("What an empty cell means."));
    /// See [`imports::DecimalMark`].
    ImportDecimal = names(imports::DecimalMark::EVERY, imports::DecimalMark::name)
        .description(Some("Mark before the decimals."));
    /// How the characters of a file are written.
    ImportEncoding = names(imports::ENCODINGS, |name| name)
        .description(Some("How the characters are written."));
    /// What would become of a row.
    ImportOutcome = names(&["created", "updated", "unchanged", "failed"], |outcome| outcome)
        .description(Some("What would become of the row."));
    /// Whether a row was refused.
    ImportSeverity = names(&["error", "warning"], |severity| severity)
        .description(Some("Whether the row was refused."));
    /// Fields by column.
    ImportMapping = ObjectBuilder::new()
        .additional_properties(Some(AdditionalProperties::from(Schema::from(
            ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::String, Type::Null])).build(),
        ))))
        .description(Some("Fields by the names of columns; `null` where a column is left alone."))
        .examples([serde_json::json!({"P. Mayoreo": "price", "Notas": null})]);
    /// Texts by field.
    ImportValues = ObjectBuilder::new()
        .additional_properties(Some(AdditionalProperties::from(Schema::from(
            ObjectBuilder::new().schema_type(Type::String).build(),
        ))))
        .description(Some("What the row says, by field."))
        .examples([serde_json::json!({"sku": "T-1", "price": "19.99"})]);
    /// See [`orders::OrderStatus`].
    OrderStatus = names(orders::OrderStatus::EVERY, orders::OrderStatus::name)
        .description(Some("Status of the order."));
    /// See [`orders::FulfillmentStatus`].
    FulfillmentStatus = names(orders::FulfillmentStatus::EVERY, orders::FulfillmentStatus::name)
        .description(Some("How much of the order has been shipped."));
    /// See [`orders::PaymentStatus`].
    PaymentStatus = names(orders::PaymentStatus::EVERY, orders::PaymentStatus::name)
        .description(Some("How far the order is paid."));
    /// See [`invoices::tax_data::TaxStatus`].
    TaxStatus = names(TaxStatuses::EVERY, TaxStatuses::name)
        .description(Some("Whether the tax data of a customer would do for an invoice."));
    /// See [`crm::LeadStatus`].
    LeadStatus = names(crm::LeadStatus::EVERY, crm::LeadStatus::name)
        .description(Some("Status of the lead."));
    /// See [`crm::DealStatus`].
    DealStatus = names(crm::DealStatus::EVERY, crm::DealStatus::name)
        .description(Some("Status of the deal."));
    /// See [`quotes::Status`].
    QuoteStatus = names(quotes::Status::EVERY, quotes::Status::name)
        .description(Some(
            "Status of the quote: `accepted` has no order yet, `superseded` has a later revision that was sent.",
        ));
    /// See [`quotes::Via`].
    QuoteAcceptedBy = names(quotes::Via::EVERY, quotes::Via::name)
        .description(Some("Who accepted: the `customer` on the page, or the `merchant` on their word."));
    /// See [`quotes::ProblemCode`].
    QuoteProblemCode = names(quotes::ProblemCode::EVERY, quotes::ProblemCode::name)
        .description(Some("What has not come of the acceptance: no order, or no payment link."));
    /// See [`crm::ActivityKind`].
    ActivityKind = names(crm::ActivityKind::EVERY, crm::ActivityKind::name)
        .description(Some("Kind of activity; a `note` is never to be done."));
    /// See [`crm::Likeness`].
    Likeness = names(crm::Likeness::EVERY, crm::Likeness::name)
        .description(Some("By what two leads look alike."));
    /// See [`crm::history::Happening`].
    DealHappening = names(crm::history::Happening::EVERY, crm::history::Happening::name)
        .description(Some("What happened to the deal; `moved` is to another stage of the same kind."));
    /// See [`webhooks::catalog`].
    EventName = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(every_type().map(|event| event.name).chain([EVERY_EVENT])))
        .description(Some("Event name, or `*` for all of `events` in `GET /webhooks/events`; its `extensions` are named one by one."));
    /// Whether deliveries are sent to the webhook.
    WebhookStatus = names(&["enabled", "disabled"], |name| name)
        .description(Some("Whether deliveries are sent to the webhook."));
    /// See [`webhooks::DisabledReason`].
    DisabledReason = names(webhooks::DisabledReason::EVERY, webhooks::DisabledReason::name)
        .description(Some(
            "Why the webhook was disabled: by request (`manual`) or after too many consecutive \
             failures (`failures`).",
        ));
    /// See [`webhooks::DeliveryState`].
    DeliveryState = names(webhooks::DeliveryState::EVERY, webhooks::DeliveryState::name)
        .description(Some("State of the delivery."));
    /// See [`webhooks::AttemptError`].
    AttemptErrorCode = names(webhooks::AttemptError::CODES, |code| code)
        .description(Some("Why no response was received."));
    /// See [`invoices::CreditKind`].
    CreditKind = names(invoices::CreditKind::EVERY, invoices::CreditKind::name)
        .description(Some("Kind of ledger entry."));
    /// See [`invoices::provider::ProviderKind`].
    ProviderKind = names(PROVIDERS, provider_name)
        .description(Some(
            "Certification provider (PAC); `sandbox` is the embedded one for testing.",
        ));
    /// See [`invoices::issuer::SimulatedStamping`].
    SimulatedStamping = names(SimulatedStampings::EVERY, SimulatedStampings::name)
        .description(Some("Simulated outcome of stamping."));
    /// See [`invoices::issuer::SimulatedCancellation`].
    SimulatedCancellation = names(SimulatedCancellations::EVERY, SimulatedCancellations::name)
        .description(Some("Simulated outcome of a cancellation."));
    /// See [`invoices::Status`].
    InvoiceStatus = names(invoices::Status::EVERY, invoices::Status::name)
        .description(Some("Status of the invoice."));
    /// See [`cfdi::document::DocumentType`].
    InvoiceType = names(INVOICE_TYPES, |kind| kind.code())
        .description(Some(
            "CFDI type: `I` income, `E` credit note, `P` payment receipt, `T` transfer of goods.",
        ));
    /// See [`cfdi::document::PaymentMethod`].
    PaymentMethod = names(PAYMENT_METHODS, |method| method.code())
        .description(Some("`PUE` paid in full, `PPD` paid in installments or deferred."));
    /// See [`cfdi::document::local_time`].
    LocalTime = ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$"))
        .description(Some("Local time without time zone, to the second."))
        .examples(["2026-01-31T12:30:02"]);
    /// See [`cfdi::document::day`].
    Day = ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Date)))
        .description(Some("Day, without a time."))
        .examples(["2026-01-31"]);
    /// See [`cfdi::complements::Process`].
    ElectoralProcess = names(Process::EVERY, Process::name)
        .description(Some("Electoral process."));
    /// See [`cfdi::complements::Committee`].
    PartyCommittee = names(Committee::EVERY, Committee::name)
        .description(Some("Committee of a political party."));
    /// See [`cfdi::complements::Scope`].
    ElectionScope = names(Scope::EVERY, Scope::name)
        .description(Some("Whether the election is the state's or the federation's."));
    /// See [`invoices::LogoPlace`].
    LogoPlace = names(invoices::LogoPlace::EVERY, invoices::LogoPlace::name)
        .description(Some("Where the logo stands."));
    /// See [`invoices::ItemDetail`].
    ItemDetail = names(invoices::ItemDetail::EVERY, invoices::ItemDetail::name)
        .description(Some("Detail of the items that can be left out."));
    /// See [`cfdi::complements::carta_porte::Direction`].
    Direction = names(Directions::EVERY, Directions::name)
        .description(Some("Whether goods enter or leave the country."));
    /// See [`cfdi::complements::carta_porte::LocationKind`].
    LocationKind = names(LocationKinds::EVERY, LocationKinds::name)
        .description(Some("Whether goods leave from a place or arrive at it."));
    /// See [`cfdi::complements::carta_porte::Navigation`].
    Navigation = names(Navigations::EVERY, Navigations::name)
        .description(Some("Where the ships of a port sail."));
    /// See [`cfdi::withholding::Origin`].
    CompanyOrigin = names(Origin::EVERY, Origin::name)
        .description(Some("Where a company is from."));
    /// See [`payments::Status`].
    PaymentState = names(payments::Status::EVERY, payments::Status::name)
        .description(Some("Status of the payment."));
    /// See [`payments::LinkStatus`].
    PaymentLinkStatus = names(payments::LinkStatus::EVERY, payments::LinkStatus::name)
        .description(Some("Status of the payment link."));
    /// See [`payments::Method`].
    PayingMethod = names(payments::Method::EVERY, payments::Method::name)
        .description(Some(
            "How the payer pays: `spei` is a transfer to an account of the payment's own, `transfer` one to \
             yours; `oxxo` is cash at a shop, `cash` cash in your hand.",
        ));
    /// See [`payments::ProviderKind`].
    PaymentProvider = names(payments::ProviderKind::EVERY, payments::ProviderKind::name)
        .description(Some(
            "Payment provider: `manual` records what you take yourself, `sandbox` is the embedded one for testing.",
        ));
    /// See [`payments::Flag`].
    PaymentFlag = names(payments::Flag::EVERY, payments::Flag::name)
        .description(Some(
            "`late`: the money came after the payment had ended, or for a cancelled order. `excess`: more was paid \
             than was due. `short`: less was paid than was asked for. `conflict`: the provider shows something else.",
        ));
    /// See [`payments::reconcile::Verdict`].
    ReconciliationOutcome = names(payments::reconcile::Verdict::EVERY, payments::reconcile::Verdict::name)
        .description(Some(
            "`matched`: it is the same here and at the provider. `missing_here`: the provider has a payment that we do \
             not know. `missing_there`: the provider does not know the payment. `different`: see `differences`.",
        ));
    /// See [`payments::reconcile::Difference`].
    ReconciliationDifference = names(
        payments::reconcile::Difference::EVERY,
        payments::reconcile::Difference::name,
    )
    .description(Some("What of a payment is not the same on both sides."));
    /// See [`payments::Funding`].
    CardFunding = names(payments::Funding::EVERY, payments::Funding::name)
        .description(Some("What the card is paid from."));
    /// How much of a payment was given back.
    RefundedPart = names(&["none", "partial", "full"], |name| name)
        .description(Some("How much of the payment was refunded."));
    /// Whether the outcome of the last call to the provider is known.
    CallOutcome = names(&["known", "unknown"], |name| name)
        .description(Some("Whether the provider has answered."));
    /// See [`payments::RefundStatus`].
    RefundState = names(payments::RefundStatus::EVERY, payments::RefundStatus::name)
        .description(Some("Status of the refund."));
    /// See [`payments::Origin`].
    RefundOrigin = names(payments::Origin::EVERY, payments::Origin::name)
        .description(Some(
            "Where the refund comes from: the `api`, a `return` of goods, the `cancellation` of an order, or the \
             provider's own pages (`external`).",
        ));
    /// See [`payments::Refunding`].
    RefundablePart = names(&["none", "full", "partial"], |name| name)
        .description(Some("What the provider gives back: nothing, all or nothing, or any part."));
    /// See [`payments::NoticeStatus`].
    NoticeState = names(payments::NoticeStatus::EVERY, payments::NoticeStatus::name)
        .description(Some(
            "Status of the notification: `received` is still to be looked into, `ignored` is about nothing of yours, \
             `dead` could not be looked into.",
        ));
    /// The payload of an event.
    Payload = ObjectBuilder::new()
        .additional_properties(Some(AdditionalProperties::from(Schema::from(
            ObjectBuilder::new().schema_type(SchemaType::AnyValue).build(),
        ))))
        .description(Some("Payload of the event; its fields are listed by `GET /webhooks/events`."))
        .examples([serde_json::json!({"id": "ord_01KG8W2H6K1M3P5R7T9V0X2Z4B", "total": 39.98})]);
}

/// The providers there are.
pub(crate) const PROVIDERS: &[invoices::provider::ProviderKind] = {
    use invoices::provider::ProviderKind::{Finkok, Sandbox, Sw};
    &[Sandbox, Sw, Finkok]
};

/// The types of documents that are made.
pub(crate) const INVOICE_TYPES: &[DocumentType] =
    &[DocumentType::Income, DocumentType::Credit, DocumentType::Payment, DocumentType::Transfer];

/// How sales are paid.
pub(crate) const PAYMENT_METHODS: &[cfdi::document::PaymentMethod] =
    &[cfdi::document::PaymentMethod::Pue, cfdi::document::PaymentMethod::Ppd];

/// The name of a provider.
pub(crate) const fn provider_name(kind: invoices::provider::ProviderKind) -> &'static str {
    use invoices::provider::ProviderKind::{Finkok, Sandbox, Sw};
    match kind {
        Sandbox => "sandbox",
        Sw => "sw",
        Finkok => "finkok",
    }
}

/// The object with the fields of both, described like the second.
pub(crate) fn both(base: RefOr<Schema>, more: RefOr<Schema>) -> RefOr<Schema> {
    match (base, more) {
        (RefOr::T(Schema::Object(mut base)), RefOr::T(Schema::Object(more))) => {
            base.properties.extend(more.properties);
            base.description = more.description.or(base.description);
            RefOr::T(base.into())
        }
        (base, _) => base,
    }
}

/// One of these names.
pub(crate) fn names<T: Copy>(every: &[T], name: fn(T) -> &'static str) -> ObjectBuilder {
    let names: Vec<_> = every.iter().map(|one| name(*one)).collect();
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names))
}
