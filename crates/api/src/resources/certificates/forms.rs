//! What the endpoints of certificates read.

use intake::{
    Check, Fields, Form,
    checks::{base64, secret},
    noun,
};
use invoices::{CertificateId, NewCertificate};
use kernel::PageRequest;

use super::examples;
use crate::page::page_request_of;

pub(super) const LIST: Form<PageRequest> = Form::query(read_page);
pub(super) const ADD: Form<NewCertificate> = Form::body(
    "AddCertificate",
    noun("a certificate", "un certificado"),
    read_certificate,
    examples::ADD,
);

/// Sort order named in the cursors of the list.
pub(super) const ORDER: &str = "-createdAt";

/// Maximum size of a certificate or key, in bytes; SAT's are about 1,500.
const CERTIFICATE_BYTES_MAX: usize = 16 * 1024;
/// Maximum characters of a key's password.
const PASSWORD_CHARS_MAX: usize = 255;

fn read_page(fields: &mut Fields<'_>) -> Option<PageRequest> {
    Some(page_request_of(fields, ORDER, CertificateId::PREFIX))
}

fn read_certificate(fields: &mut Fields<'_>) -> Option<NewCertificate> {
    let file = |about| base64(CERTIFICATE_BYTES_MAX).about(about);
    let certificate = fields.required("certificate", file("`.cer` file, base64-encoded."));
    let private_key = fields.required("privateKey", file("`.key` file, base64-encoded."));
    let password = secret(PASSWORD_CHARS_MAX).about("Password of the `.key` file.");
    let password = fields.required("password", password);
    Some(NewCertificate {
        certificate: certificate?,
        private_key: private_key?,
        password: password?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_is_read() {
        assert!(ADD.read_body(examples::ADD.as_bytes()).is_ok());
    }
}
