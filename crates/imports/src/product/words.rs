//! What cells say in words.

use catalog::ProductStatus;

/// Whether a cell says yes or no, in Spanish or English.
pub(super) fn yes_or_no(text: &str) -> Option<bool> {
    match kernel::text::folded(text).as_str() {
        "true" | "yes" | "y" | "si" | "s" | "1" | "verdadero" | "x" => Some(true),
        "false" | "no" | "n" | "0" | "falso" => Some(false),
        _ => None,
    }
}

/// Whether a product is on sale, as shops and their programs write it.
pub(super) fn status(text: &str) -> Option<ProductStatus> {
    match kernel::text::folded(text).as_str() {
        "active" | "activo" | "activa" | "publicado" | "published" | "visible" | "a" | "alta" => {
            Some(ProductStatus::Active)
        }
        "archived" | "archivado" | "inactivo" | "inactiva" | "inactive" | "draft" | "borrador"
        | "unlisted" | "b" | "baja" | "i" | "descontinuado" | "suspendido" | "-1" | "2" => {
            Some(ProductStatus::Archived)
        }
        other => yes_or_no(other).map(|is_active| match is_active {
            true => ProductStatus::Active,
            false => ProductStatus::Archived,
        }),
    }
}
