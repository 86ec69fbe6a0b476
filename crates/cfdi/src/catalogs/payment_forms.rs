//! How a payment is made, and what a payment complement may say of it (c_FormaPago).

use time::Date;

use super::row::{START, catalog, row};

/// Decided later: what documents paid in parts or later say, and payments never.
pub const TO_BE_DEFINED: &str = "99";

/// A way of paying.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaymentForm {
    /// What documents say.
    pub code: &'static str,
    /// What SAT calls it.
    pub name: &'static str,
    /// Whether it goes through a bank.
    pub banked: bool,
    /// Which accounts the payer's may be; without any, neither account nor bank may be named.
    pub payer: Option<Account>,
    /// Which accounts the payee's may be; without any, neither account nor bank may be named.
    pub payee: Option<Account>,
    /// Whether the payment can carry the bank's own electronic proof (c_TipoCadenaPago).
    pub payment_chain: bool,
    /// Whether the payer's bank is named when it is a foreign one.
    pub foreign_bank_name: bool,
    /// The first day it may be used.
    pub valid_from: Date,
    /// The last day it may be used.
    pub valid_until: Option<Date>,
}

/// What account numbers look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account {
    /// The regular expression of the catalog.
    pub pattern: &'static str,
    /// How many digits it may have.
    digits: &'static [usize],
    /// Whether it may instead be 10 to 50 capitals, digits and `_`.
    name: bool,
}

impl Account {
    /// Whether `number` is such an account.
    #[must_use]
    pub fn accepts(&self, number: &str) -> bool {
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        let capital = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        (digits && self.digits.contains(&number.len()))
            || (self.name && (10..=50).contains(&number.len()) && number.bytes().all(capital))
    }
}

row!(PaymentForm);

const ANY: Account = Account {
    pattern: "[0-9]{10,11}|[0-9]{15,16}|[0-9]{18}|[A-Z0-9_]{10,50}",
    digits: &[10, 11, 15, 16, 18],
    name: true,
};
const CHEQUE: Account = Account { pattern: "[0-9]{11}|[0-9]{18}", digits: &[11, 18], name: false };
const TRANSFER: Account =
    Account { pattern: "[0-9]{10}|[0-9]{16}|[0-9]{18}", digits: &[10, 16, 18], name: false };
const TRANSFERRED_TO: Account =
    Account { pattern: "[0-9]{10}|[0-9]{18}", digits: &[10, 18], name: false };
const CARD: Account = Account { pattern: "[0-9]{16}", digits: &[16], name: false };
const SERVICE_CARD: Account = Account { pattern: "[0-9]{15,16}", digits: &[15, 16], name: false };
const TELEPHONE: Account = Account { pattern: "[0-9]{10}", digits: &[10], name: false };

const ROWS: &[PaymentForm] = &[
    plain("01", "Efectivo"),
    PaymentForm { foreign_bank_name: true, ..banked("02", "Cheque nominativo", CHEQUE) },
    PaymentForm {
        payee: Some(TRANSFERRED_TO),
        payment_chain: true,
        foreign_bank_name: true,
        ..banked("03", "Transferencia electrónica de fondos", TRANSFER)
    },
    PaymentForm { foreign_bank_name: true, ..banked("04", "Tarjeta de crédito", CARD) },
    banked("05", "Monedero electrónico", ANY),
    PaymentForm { payee: None, ..banked("06", "Dinero electrónico", TELEPHONE) },
    plain("08", "Vales de despensa"),
    plain("12", "Dación en pago"),
    plain("13", "Pago por subrogación"),
    plain("14", "Pago por consignación"),
    plain("15", "Condonación"),
    plain("17", "Compensación"),
    plain("23", "Novación"),
    plain("24", "Confusión"),
    plain("25", "Remisión de deuda"),
    plain("26", "Prescripción o caducidad"),
    plain("27", "A satisfacción del acreedor"),
    PaymentForm { foreign_bank_name: true, ..banked("28", "Tarjeta de débito", CARD) },
    PaymentForm { foreign_bank_name: true, ..banked("29", "Tarjeta de servicios", SERVICE_CARD) },
    plain("30", "Aplicación de anticipos"),
    plain("31", "Intermediario pagos"),
    plain(TO_BE_DEFINED, "Por definir"),
];

catalog!(PaymentForm, ROWS);

const fn plain(code: &'static str, name: &'static str) -> PaymentForm {
    PaymentForm {
        code,
        name,
        banked: false,
        payer: None,
        payee: None,
        payment_chain: false,
        foreign_bank_name: false,
        valid_from: START,
        valid_until: None,
    }
}

const fn banked(code: &'static str, name: &'static str, payer: Account) -> PaymentForm {
    PaymentForm { banked: true, payer: Some(payer), payee: Some(ANY), ..plain(code, name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_are_of_the_form_of_payment() {
        let payer = |code, number| find(code).unwrap().payer.is_some_and(|a| a.accepts(number));
        let payee = |code, number| find(code).unwrap().payee.is_some_and(|a| a.accepts(number));
        assert_eq!(all().len(), 22);
        assert!(payer("02", "12345678901") && !payer("02", "1234567890"));
        assert!(payer("03", "012345678901234567") && payer("03", "5512345678"));
        assert!(payee("03", "012345678901234567") && !payee("03", "1234567890123456"));
        assert!(payer("04", "4111111111111111") && !payer("04", "411111111111111"));
        assert!(payer("29", "371234567890123") && !payer("29", "37123456789012"));
        assert!(payee("05", "WALLET_0001") && !payee("05", "wallet_0001"));
        assert!(!payer("05", "SHORT") && !payer("05", ""));
        assert!(payer("06", "5512345678") && !payee("06", "5512345678"));
        assert!(!payer("01", "5512345678") && !payee("01", "5512345678"));
    }

    #[test]
    fn only_transfers_carry_a_chain() {
        let chained = all().iter().filter(|form| form.payment_chain);
        assert_eq!(chained.map(|form| form.code).collect::<Vec<_>>(), ["03"]);
        assert!(all().iter().all(|form| form.banked == form.payer.is_some()));
        // Of CFDI 3.2.
        assert!(find("98").is_none() && find("07").is_none());
    }
}
