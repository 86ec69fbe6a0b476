//! What becomes of an invoice is decided in its domain: the store carries out.

/// Where rows of invoices are read and written.
const STORE: &str = "crates/store/src/invoices";

/// What only a rule sets of an invoice.
const FIELDS: &[&str] = &[
    "balance",
    "cancellation",
    "document",
    "draft",
    "folio",
    "installments",
    "last_error",
    "stamp",
    "status",
    "updated_at",
    "version",
];

/// What is wrong with a line of that file.
pub(super) fn check_line(path: &str, line: &str) -> Option<String> {
    if !path.starts_with(STORE) || line.trim_start().starts_with("//") {
        return None;
    }
    let field = FIELDS.iter().find(|field| is_assigned(line, field))?;
    Some(format!("`.{field} =` decides about an invoice: make it a rule in crates/invoices"))
}

fn is_assigned(line: &str, field: &str) -> bool {
    let assignment = format!(".{field} = ");
    line.contains(&assignment) || line.trim_end().ends_with(assignment.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: &str = "crates/store/src/invoices/stamping.rs";

    #[test]
    fn the_store_decides_nothing_about_invoices() {
        for line in
            ["        invoice.status = Status::Stamped;", "    after.balance =", "a.folio = b;"]
        {
            assert!(check_line(PLACE, line).is_some(), "{line}");
        }
    }

    #[test]
    fn reading_comparing_and_other_things_are_free() {
        for line in [
            "    if invoice.status == Status::Draft {",
            "    let status = invoice.status;",
            "    // invoice.status = Status::Stamped",
            "    later.is_doubtful = 1;",
        ] {
            assert_eq!(check_line(PLACE, line), None, "{line}");
        }
        assert_eq!(check_line("crates/invoices/src/stamping.rs", "a.status = b;"), None);
    }
}
