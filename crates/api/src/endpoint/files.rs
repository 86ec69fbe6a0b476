//! What is wrong with the files of a multipart body.

use kernel::{FieldFault, message};

use super::FilePart;
use crate::payload::Part;

/// Every file that is missing, there twice, or of another media type than declared.
pub(super) fn faults(declared: &[FilePart], sent: &[Part]) -> Vec<FieldFault> {
    let of =
        |file: &FilePart| sent.iter().filter(|part| part.name == file.name).collect::<Vec<_>>();
    declared.iter().filter_map(|file| fault(file, &of(file))).collect()
}

fn fault(file: &FilePart, sent: &[&Part]) -> Option<FieldFault> {
    let problem = match sent {
        [] if file.required => message!("is required", "es obligatorio"),
        [] => return None,
        [part] if file.media_types.contains(&part.media_type.as_str()) => return None,
        [_] => {
            let known = file.media_types.join(", ");
            message!("must be a file of type {known}", "debe ser un archivo de tipo {known}")
        }
        _ => message!("is given more than once", "se indica más de una vez"),
    };
    Some(FieldFault::new(file.name, problem))
}
