//! Certificates for sealing (CSD): two files and a password, as the tax authority hands them out.

use intake::{Faults, Form, Unreadable, checks::secret, noun};
use invoices::{CertificateId, IssuerCertificate, NewCertificate, OpenedCertificate};
use kernel::{FieldFault, message};

use super::{PATH, WRITE, deletion, with_form};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::{Sent, Values},
    page::Page,
    pages::{invoices::told::told, reading::required},
    parts::Field,
    reply::{answered, concluded},
};

/// Maximum size of a certificate or key, in bytes; SAT's are about 1,500.
const FILE_BYTES_MAX: usize = 16 * 1_024;
/// Maximum characters of a key's password.
const PASSWORD_CHARS_MAX: usize = 255;

const PASSWORD: Form<String> = Form::body(
    "CertificatePassword",
    noun("this form", "este formulario"),
    |fields| fields.required("password", secret(PASSWORD_CHARS_MAX)),
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("settings/invoicing/certificates/new", WRITE, show_new).grave(),
        Page::post("settings/invoicing/certificates/new", WRITE, add).grave(),
        Page::get("settings/invoicing/certificates/{id}/activate", WRITE, ask_activate).grave(),
        Page::post("settings/invoicing/certificates/{id}/activate", WRITE, activate).grave(),
        Page::get("settings/invoicing/certificates/{id}/delete", WRITE, ask_delete).grave(),
        Page::post("settings/invoicing/certificates/{id}/delete", WRITE, delete).grave(),
    ]
}

async fn show_new(call: Call<Member>) -> Result<Answer, Failure> {
    Ok(page(&call, &[]))
}

fn page(call: &Call<Member>, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let none = Values::default();
    let fields = vec![
        Field::input("file", "certificate", say.certificate_file(), &none),
        Field::input("file", "privateKey", say.key_file(), &none),
        Field::input("password", "password", say.key_password(), &none)
            .hint(say.csd_hint())
            .autocomplete("new-password"),
    ];
    let place = format!("{}/certificates/new", call.href(PATH));
    let form = call.form(place, fields, say.add_certificate(), faults).with_files();
    with_form(call, say.add_certificate(), &form, faults)
}

/// The files and the password, or all that is wrong with what was sent.
fn read(sent: &Sent) -> Result<Result<NewCertificate, Faults>, Failure> {
    let mut faults = Faults::new();
    let mut file = |name: &'static str| match sent.file(name) {
        Some(bytes) if bytes.len() <= FILE_BYTES_MAX => bytes.to_vec(),
        Some(_) => {
            let problem = message!(
                "must have at most 16 KiB: this is not a file from SAT",
                "debe tener a lo más 16 KiB: este no es un archivo del SAT"
            );
            faults.push(FieldFault::new(name, problem));
            Vec::new()
        }
        None => {
            faults.push(FieldFault::new(name, required()));
            Vec::new()
        }
    };
    let (certificate, private_key) = (file("certificate"), file("privateKey"));
    let password = match sent.read(&PASSWORD) {
        Ok(password) => password,
        Err(Unreadable::Faulty(more)) => {
            faults.extend(more);
            String::new()
        }
        Err(unreadable) => return Err(unreadable.into()),
    };
    let is_whole = faults.is_empty();
    Ok(if is_whole {
        Ok(NewCertificate { certificate, private_key, password })
    } else {
        Err(faults)
    })
}

async fn add(call: Call<Member>) -> Result<Answer, Failure> {
    let new = match read(&call.sent)? {
        Ok(new) => new,
        Err(faults) => return Ok(page(&call, &faults)),
    };
    // The file says how much computing its password takes.
    let opened: OpenedCertificate = match call.computed(move || new.open()).await? {
        Ok(opened) => opened,
        Err(faults) => return Ok(page(&call, &faults)),
    };
    let adding = call.services().issuers.add_certificate(call.ctx(), opened);
    Ok(match concluded(adding, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "certificate.added"),
        Err(faults) => page(&call, &faults),
    })
}

/// The certificate of the path.
async fn certificate(call: &Call<Member>) -> Result<IssuerCertificate, Failure> {
    let id = CertificateId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let known = answered(call.services().issuers.certificates(call.account())).await?;
    known.into_iter().find(|one| one.id == id).ok_or(Failure::Nothing)
}

async fn ask_activate(call: Call<Member>) -> Result<Answer, Failure> {
    let certificate = certificate(&call).await?;
    Ok(activating(&call, &certificate, &[]))
}

fn activating(
    call: &Call<Member>,
    certificate: &IssuerCertificate,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let place = format!("{}/certificates/{}/activate", call.href(PATH), certificate.id);
    let form = call.form(place, Vec::new(), say.activate(), faults);
    with_form(call, &say.activate_title(&certificate.number), &form, faults)
}

async fn activate(call: Call<Member>) -> Result<Answer, Failure> {
    let certificate = certificate(&call).await?;
    let activating_it = call.services().issuers.activate_certificate(call.ctx(), certificate.id);
    Ok(match concluded(activating_it, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "certificate.activated"),
        Err(faults) => activating(&call, &certificate, &faults),
    })
}

async fn ask_delete(call: Call<Member>) -> Result<Answer, Failure> {
    let certificate = certificate(&call).await?;
    Ok(deleting(&call, &certificate, &[]))
}

fn deleting(call: &Call<Member>, certificate: &IssuerCertificate, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let place = format!("{}/certificates/{}/delete", call.href(PATH), certificate.id);
    let form = call.form(place, Vec::new(), say.delete(), faults);
    let title = say.delete_title(&certificate.number);
    deletion(call, (&title, say.delete_certificate_intro(&certificate.rfc)), form, faults)
}

async fn delete(call: Call<Member>) -> Result<Answer, Failure> {
    let certificate = certificate(&call).await?;
    let deleting_it = call.services().issuers.delete_certificate(call.ctx(), certificate.id);
    Ok(match concluded(deleting_it, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "certificate.deleted"),
        Err(faults) => deleting(&call, &certificate, &faults),
    })
}

#[cfg(test)]
mod tests {
    use actix_web::web::Bytes;

    use super::*;

    #[test]
    fn all_that_is_missing_is_told_at_once() {
        let key = ("privateKey".to_owned(), Bytes::from(vec![1; FILE_BYTES_MAX + 1]));
        let faults = match read(&Sent::of_parts(&[], vec![key])) {
            Ok(Err(faults)) => faults,
            Ok(Ok(_)) => panic!("it was read"),
            Err(failure) => panic!("{failure:?}"),
        };
        let fields: Vec<_> = faults.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, ["certificate", "privateKey", "password"]);
    }
}
