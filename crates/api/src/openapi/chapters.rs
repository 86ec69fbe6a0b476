//! The chapters of the document, by resource.

/// Operations that are shown together: a tag of the document.
pub(super) struct Chapter {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// How the paths of its operations begin; the longest beginning decides.
    paths: &'static [&'static str],
}

/// Every chapter, in the order of the document.
pub(super) const CHAPTERS: &[Chapter] = &[
    Chapter {
        name: "Products",
        about: "What is sold: prices, variants, SKUs and stock.",
        paths: &["/products"],
    },
    Chapter {
        name: "Categories",
        about: "The tree that products are found by.",
        paths: &["/categories"],
    },
    Chapter {
        name: "Price lists",
        about: "Other prices than those of the products, for groups of customers, currencies, times and quantities.",
        paths: &["/price-lists"],
    },
    Chapter {
        name: "Imports and exports",
        about: "Tables from and for spreadsheets and other shops.",
        paths: &[
            "/products/imports",
            "/customers/imports",
            "/stock/imports",
            "/products/export",
            "/customers/export",
            "/orders/export",
        ],
    },
    Chapter {
        name: "Orders",
        about: "Sales, from `pending` to `delivered` or `cancelled`.",
        paths: &["/orders", "/returns", "/shipments"],
    },
    Chapter {
        name: "Warehouses",
        about: "The places that goods lie at, and which of them orders take from.",
        paths: &["/warehouses", "/stock/settings"],
    },
    Chapter {
        name: "Stock",
        about: "How many of what lie where, the ledger of that, and what people do with it.",
        paths: &["/stock", "/warehouses/{id}/stock"],
    },
    Chapter {
        name: "Transfers",
        about: "Goods on their way from one warehouse to another.",
        paths: &["/transfers"],
    },
    Chapter {
        name: "Payments",
        about: "Money for orders and for anything else: cash and transfers that you record, cards, SPEI and cash at shops through a \
                payment provider.",
        paths: &["/payments"],
    },
    Chapter {
        name: "Refunds",
        about: "Money that is given back.",
        paths: &["/refunds", "/payments/{id}/refunds"],
    },
    Chapter {
        name: "Payment links",
        about: "Pages where somebody pays, to be sent in a message.",
        paths: &["/payment-links"],
    },
    Chapter {
        name: "Payment providers",
        about: "Through whom payments are made, what each can do, and the notifications that it sends.",
        paths: &["/payments/providers", "/payments/notifications", "/payment-methods"],
    },
    Chapter {
        name: "Customers",
        about: "Who buys, with fiscal data.",
        paths: &["/customers", "/customer-groups", "/invoices/cfdi/receiver-check"],
    },
    Chapter { name: "Leads", about: "Who may buy.", paths: &["/crm/leads"] },
    Chapter {
        name: "Quotes",
        about: "What customers are offered at fixed prices, until it becomes an order.",
        paths: &["/crm/quotes"],
    },
    Chapter {
        name: "Deals",
        about: "What may be sold to whom: pipelines, their stages, the board, and activities.",
        paths: &["/crm/deals", "/crm/pipelines", "/crm/activities"],
    },
    Chapter {
        name: "Invoices",
        about: "CFDI 4.0: drafts of every type, and what became of them.",
        paths: &["/invoices"],
    },
    Chapter {
        name: "Stamping",
        about: "Validating, stamping and cancelling an invoice.",
        paths: &["/invoices/{id}/validate", "/invoices/{id}/timbrar", "/invoices/{id}/cancel"],
    },
    Chapter {
        name: "Invoice documents",
        about: "What is kept and sent of an invoice: XML, PDF, cancellation receipt, addenda, link and email; exports and sums of \
                many.",
        paths: &[
            "/invoices/sums",
            "/invoices/exports",
            "/invoices/{id}/xml",
            "/invoices/{id}/pdf",
            "/invoices/{id}/cancellation-receipt",
            "/invoices/{id}/addenda",
            "/invoices/{id}/link",
            "/invoices/{id}/email",
        ],
    },
    Chapter {
        name: "Global invoices",
        about: "Invoices of the sales to the general public, by the period.",
        paths: &["/invoices/global", "/invoices/cfdi/global"],
    },
    Chapter {
        name: "Withholdings",
        about: "Certificates of withheld taxes (constancias de retenciones e información de pagos 2.0), from draft to \
                cancellation.",
        paths: &["/withholdings"],
    },
    Chapter {
        name: "Issuers",
        about: "The taxpayers that issue the account's invoices: fiscal data, logo, certificates, branches, \
                series, PDF settings and certification provider.",
        paths: &[
            "/invoices/cfdi/issuer",
            "/invoices/cfdi/branches",
            "/invoices/cfdi/pdf",
            "/invoices/cfdi/provider",
            "/invoices/cfdi/series",
        ],
    },
    Chapter {
        name: "SAT catalogs",
        about: "The tax authority's catalogs, as invoices use them.",
        paths: &["/invoices/cfdi"],
    },
    Chapter {
        name: "Credits",
        about: "What stamping costs, and its ledger.",
        paths: &["/credits"],
    },
    Chapter {
        name: "Webhooks",
        about: "Endpoints that receive events, and their secrets.",
        paths: &["/webhooks"],
    },
    Chapter {
        name: "Deliveries",
        about: "Every event sent to a webhook, with all attempts.",
        paths: &["/webhooks/deliveries", "/webhooks/{id}/deliveries"],
    },
    Chapter {
        name: "Events",
        about: "What has happened, to be read or received.",
        paths: &["/events", "/webhooks/events"],
    },
    Chapter {
        name: "Approvals",
        about: "What may only happen once others have agreed: rules, and requests that wait for decisions.",
        paths: &["/approval-rules", "/approvals"],
    },
    Chapter {
        name: "API keys",
        about: "Keys with their scopes: made, given another text, revoked. For keys with the scope `*`.",
        paths: &["/api-keys"],
    },
    Chapter {
        name: "Audit log",
        about: "Who did what: keys, members, sign-ins and settings. It is only ever added to. For keys with the scope `*`.",
        paths: &["/audit"],
    },
    Chapter { name: "Jobs", about: "Work that goes on after its request.", paths: &["/jobs"] },
];

/// The chapter of a path that is in no other; a test says that there is none.
pub(super) const OTHER: Chapter = Chapter { name: "Other", about: "", paths: &[] };

/// The chapter of a path.
pub(super) fn chapter(path: &str) -> &'static Chapter {
    let begins = |chapter: &Chapter| {
        let lengths = chapter.paths.iter().filter(|begin| path.starts_with(**begin));
        lengths.map(|begin| begin.len()).max()
    };
    let known = CHAPTERS.iter().filter(|chapter| begins(chapter).is_some());
    known.max_by_key(|chapter| begins(chapter)).unwrap_or(&OTHER)
}
