//! Every kind of value that is stored as JSON.

use kernel::Metadata;

use super::{
    Stored, UNVERSIONED,
    activity::ActivityForm,
    approval::{
        ApprovalForm, ConditionForm, FactsForm, LevelForm, RefusalForm, RequirementForm, RuleForm,
    },
    commands::{CancelInvoiceForm, PlaceOrderForm, ReviseOrderForm},
    credit::CreditEntryForm,
    customer::{AddressForm, CustomerForm, CustomerGroupForm},
    deal::{DealForm, PipelineForm},
    document::{DocumentForm, TaxRateForm},
    draft::DraftForm,
    email::{EmailRequestForm, SentEmailForm},
    forms::{Each, Own, from_json, to_json},
    inventory::{
        AddressForm as WarehouseAddressForm, AdjustmentForm, AdjustmentLineForm, ArrivedLineForm,
        CostChangeForm, CountForm, CountLineForm, DispatchTransferForm, NewAdjustmentForm,
        PostCountForm, ReceiptForm, ReceiptLineForm, StockSettingsForm, TransferForm,
        WarehouseForm,
    },
    invoice::{AppliedForm, CancellationForm, InvoiceForm, LastErrorForm, StampedForm},
    issuer::{
        BranchForm, BranchSeriesForm, CertificateForm, CredentialsForm, IssuerForm,
        ProviderChoiceForm, SeriesForm, SimulateForm,
    },
    lead::{ConversionForm, LeadForm},
    link::LinkForm,
    order::{OrderForm, ReturnedLineForm},
    product::{
        CategoryForm, DimensionsForm, PriceListForm, ProductForm, SavedProductForm, TaxForm,
    },
    quote::SendQuoteForm,
    sandbox::SandboxRecordForm,
    sheet::SheetForm,
    webhook::{DeliveryForm, IssuedForm, ReplayForm, SubscriptionForm},
    withholding,
};

/// A kind, as tests of all kinds see it.
#[cfg(test)]
pub(super) struct StoredKind {
    pub(super) name: &'static str,
    pub(super) version: u32,
    /// Reads a text and writes what was read.
    pub(super) rewritten: fn(&str) -> diesel::QueryResult<String>,
}

/// Declares the kinds: those with the version and form in which they are stored, and those that say both by
/// themselves, such as one that reads more than one version.
macro_rules! kinds {
    (
        in forms { $($kind:literal v $version:literal: $of:ty as $form:ty;)+ }
        by themselves { $($own:ty;)+ }
    ) => {
        $(impl Stored for $of {
            const KIND: &'static str = $kind;
            const VERSION: u32 = $version;

            fn to_json(&self) -> serde_json::Result<String> {
                to_json::<$form>(self)
            }

            fn from_json(_: u32, text: &str) -> serde_json::Result<Self> {
                from_json::<$form>(text)
            }
        })+

        #[cfg(test)]
        pub(super) const KINDS: &[StoredKind] = &[
            $(kind::<$of>(),)+
            $(kind::<$own>(),)+
        ];
    };
}

kinds! {
    in forms {
        "activity" v 1: crm::Activity as ActivityForm;
        "activity_id" v 1: crm::ActivityId as Own<crm::ActivityId>;
        "addresses" v 1: Vec<crm::Address> as Each<AddressForm>;
        "api_key" v 1: super::KeptApiKey as Own<super::KeptApiKey>;
        "approval" v 1: approvals::Approval as ApprovalForm;
        "approval_conditions" v 1: Vec<approvals::Condition> as Each<ConditionForm>;
        "approval_facts" v 1: approvals::Facts as FactsForm;
        "approval_levels" v 1: Vec<approvals::Level> as Each<LevelForm>;
        "approval_refusal" v 1: approvals::Refusal as RefusalForm;
        "approval_requirements" v 1: Vec<approvals::Requirement> as Each<RequirementForm>;
        "approval_rule" v 1: approvals::Rule as RuleForm;
        "approval_rule_id" v 1: approvals::RuleId as Own<approvals::RuleId>;
        "approval_ticket" v 1: super::Ticket as Own<super::Ticket>;
        "audit_fields" v 1: accounts::audit::Fields as Own<accounts::audit::Fields>;
        "branch" v 1: invoices::Branch as BranchForm;
        "branch_id" v 1: invoices::BranchId as Own<invoices::BranchId>;
        "branch_series" v 1: invoices::BranchSeries as BranchSeriesForm;
        "cancellation" v 1: invoices::Cancellation as CancellationForm;
        "cancel_invoice" v 1: invoices::CancelInvoice as CancelInvoiceForm;
        "category" v 1: catalog::Category as CategoryForm;
        "category_id" v 1: catalog::CategoryId as Own<catalog::CategoryId>;
        "certificate" v 1: invoices::IssuerCertificate as CertificateForm;
        "certificate_id" v 1: invoices::CertificateId as Own<invoices::CertificateId>;
        "conversion" v 1: crm::Conversion as ConversionForm;
        "credentials" v 1: invoices::provider::Credentials as CredentialsForm;
        "credit_entry" v 1: invoices::CreditEntry as CreditEntryForm;
        "customer" v 1: crm::Customer as CustomerForm;
        "customer_group" v 1: crm::CustomerGroup as CustomerGroupForm;
        "customer_group_id" v 1: crm::CustomerGroupId as Own<crm::CustomerGroupId>;
        "customer_id" v 1: crm::CustomerId as Own<crm::CustomerId>;
        "deal" v 1: crm::Deal as DealForm;
        "deal_id" v 1: crm::DealId as Own<crm::DealId>;
        "delivery" v 1: webhooks::Delivery as DeliveryForm;
        "dispatch_transfer" v 1: ::inventory::DispatchTransfer as DispatchTransferForm;
        "email_request" v 1: invoices::email::EmailRequest as EmailRequestForm;
        "dimensions" v 1: catalog::Dimensions as DimensionsForm;
        "document" v 1: cfdi::document::Document as DocumentForm;
        "draft" v 1: invoices::Draft as DraftForm;
        "import_failure" v 1: imports::ImportFailure as Own<imports::ImportFailure>;
        "import_id" v 1: imports::ImportId as Own<imports::ImportId>;
        "import_preview" v 1: Vec<imports::PreviewRow> as Own<Vec<imports::PreviewRow>>;
        "import_understood" v 1: imports::Understood as Own<imports::Understood>;
        "invitation" v 1: super::KeptInvitation as Own<super::KeptInvitation>;
        "invoice" v 1: invoices::Invoice as InvoiceForm;
        "invoice_id" v 1: invoices::InvoiceId as Own<invoices::InvoiceId>;
        "issued_subscription" v 1: super::Kept as IssuedForm;
        "issuer" v 1: invoices::Issuer as IssuerForm;
        "issuer_id" v 1: invoices::IssuerId as Own<invoices::IssuerId>;
        "adjust_stock" v 1: ::inventory::NewAdjustment as NewAdjustmentForm;
        "applied_to" v 1: Vec<invoices::Applied> as Each<AppliedForm>;
        "last_error" v 1: invoices::LastError as LastErrorForm;
        "lead" v 1: crm::Lead as LeadForm;
        "link" v 1: super::KeptLink as LinkForm;
        "lead_id" v 1: crm::LeadId as Own<crm::LeadId>;
        "names" v 1: Vec<String> as Own<Vec<String>>;
        "mail_id" v 1: accounts::MailId as Own<accounts::MailId>;
        "order" v 1: orders::Order as OrderForm;
        "order_return" v 1: orders::ReturnId as Own<orders::ReturnId>;
        "order_return_lines" v 1: Vec<orders::returns::ReturnedLine> as Each<ReturnedLineForm>;
        "order_item_terms" v 1: super::ItemTerms as Own<super::ItemTerms>;
        "order_terms" v 1: super::OrderTerms as Own<super::OrderTerms>;
        "payment_answer" v 1: super::KeptPayment as Own<super::KeptPayment>;
        "payment_credentials" v 1: payments::Credentials as super::payments::CredentialsForm;
        "payment_details" v 1: super::PaymentDetails as Own<super::PaymentDetails>;
        "payment_failure" v 1: super::KeptFailure as Own<super::KeptFailure>;
        "payment_installments" v 1: super::KeptPlans as Own<super::KeptPlans>;
        "payment_link" v 1: super::PaymentLinkDetails as Own<super::PaymentLinkDetails>;
        "payment_link_answer" v 1: payments::PaymentLinkId as Own<payments::PaymentLinkId>;
        "payment_notice" v 1: payments::NoticeId as Own<payments::NoticeId>;
        "payment_provider" v 1: payments::ProviderAccount as super::payments::ProviderAccountForm;
        "payment_settings" v 1: payments::PaymentSettings as super::payments::PaymentSettingsForm;
        "pipeline" v 1: crm::Pipeline as PipelineForm;
        "pipeline_id" v 1: crm::PipelineId as Own<crm::PipelineId>;
        "place_order" v 1: orders::PlaceOrder as PlaceOrderForm;
        "post_count" v 1: ::inventory::PostCount as PostCountForm;
        "price_list" v 1: catalog::PriceList as PriceListForm;
        "price_list_id" v 1: catalog::PriceListId as Own<catalog::PriceListId>;
        "product" v 1: catalog::Product as ProductForm;
        "product_id" v 1: catalog::ProductId as Own<catalog::ProductId>;
        "provider_choice" v 1: invoices::ProviderChoice as ProviderChoiceForm;
        "quote_details" v 1: super::QuoteDetails as Own<super::QuoteDetails>;
        "quote_id" v 1: quotes::QuoteId as Own<quotes::QuoteId>;
        "quote_question" v 1: quotes::QuestionId as Own<quotes::QuestionId>;
        "refund" v 1: payments::Refund as super::payments::RefundForm;
        "refund_payment" v 1: payments::RefundPayment as super::payments::RefundPaymentForm;
        "refund_details" v 1: super::RefundDetails as Own<super::RefundDetails>;
        "replay" v 1: webhooks::Replay as ReplayForm;
        "sandbox_charge" v 1: payments::sandbox::Charge as super::payments::ChargeForm;
        "return_items" v 1: orders::ReturnItems as super::returns::ReturnItemsForm;
        "returned" v 1: orders::Return as super::returns::ReturnForm;
        "revise_order" v 1: orders::ReviseOrder as ReviseOrderForm;
        "sandbox_record" v 1: invoices::sandbox::SandboxRecord as SandboxRecordForm;
        "sheet" v 1: invoices::SheetSettings as SheetForm;
        "saved_product" v 1: catalog::SavedProduct as SavedProductForm;
        "saved_view_id" v 1: accounts::SavedViewId as Own<accounts::SavedViewId>;
        "send_quote" v 1: quotes::SendQuote as SendQuoteForm;
        "sent_email" v 1: invoices::SentEmail as SentEmailForm;
        "series" v 1: invoices::Series as SeriesForm;
        "shipment" v 1: orders::Shipment as super::shipment::ShipmentForm;
        "simulation" v 1: invoices::issuer::Simulate as SimulateForm;
        "stamp" v 1: invoices::Stamped as StampedForm;
        "stock_adjustment" v 1: ::inventory::Adjustment as AdjustmentForm;
        "stock_adjustment_lines" v 1: Vec<::inventory::AdjustmentLine> as Each<AdjustmentLineForm>;
        "stock_count" v 1: ::inventory::Count as CountForm;
        "stock_count_line" v 1: ::inventory::CountLine as CountLineForm;
        "stock_cost_changes" v 1: Vec<::inventory::CostChange> as Each<CostChangeForm>;
        "stock_receipt" v 1: ::inventory::Receipt as ReceiptForm;
        "stock_receipt_lines" v 1: Vec<::inventory::ReceiptLine> as Each<ReceiptLineForm>;
        "stock_settings" v 1: ::inventory::StockSettings as StockSettingsForm;
        "subscription" v 1: webhooks::Subscription as SubscriptionForm;
        "subscription_id" v 1: webhooks::SubscriptionId as Own<webhooks::SubscriptionId>;
        "task_id" v 1: tasks::TaskId as Own<tasks::TaskId>;
        "tax_rates" v 1: Vec<cfdi::tax::TaxRate> as Each<TaxRateForm>;
        "taxes" v 1: Vec<catalog::Tax> as Each<TaxForm>;
        "topics" v 1: webhooks::Topics as Own<webhooks::Topics>;
        "transfer" v 1: ::inventory::Transfer as TransferForm;
        "transfer_arrival_lines" v 1: Vec<::inventory::transfer::ArrivedLine> as Each<ArrivedLineForm>;
        "warehouse" v 1: ::inventory::Warehouse as WarehouseForm;
        "warehouse_address" v 1: ::inventory::Address as WarehouseAddressForm;
        "warehouse_id" v 1: ::inventory::WarehouseId as Own<::inventory::WarehouseId>;
        "withholding" v 1: invoices::withholding::Withholding as withholding::WithholdingForm;
        "withholding_document" v 1: cfdi::withholding::Withholding as withholding::DocumentForm;
        "withholding_draft" v 1: invoices::withholding::Draft as withholding::DraftForm;
        "withholding_id" v 1:
            invoices::withholding::WithholdingId as Own<invoices::withholding::WithholdingId>;
    }
    by themselves {
        super::KeptEmail;
        ::bulk::BulkAction;
        imports::ImportOptions;
        invoices::export::ExportInvoices;
        invoices::export::ExportedInvoices;
        invoices::global::GlobalRun;
        invoices::global::GlobalSettings;
        webhooks::AttemptError;
        Metadata;
    }
}

#[cfg(test)]
const fn kind<T: Stored>() -> StoredKind {
    StoredKind {
        name: T::KIND,
        version: T::VERSION,
        rewritten: |text| super::from_text::<T>(text).and_then(|value| super::to_text(&value)),
    }
}

impl Stored for Metadata {
    const KIND: &'static str = "metadata";
    const VERSION: u32 = UNVERSIONED;

    fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    fn from_json(_: u32, text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }
}
