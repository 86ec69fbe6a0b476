//! Saved views of lists.

texts! {
    saved_views: "Saved views", "Vistas guardadas";
    save_view: "Save view", "Guardar vista";
    view_hint: "A view of yours with this name is replaced.", "Si ya tienes una vista con este nombre, se reemplaza.";
    narrow_first: "Narrow the list, then keep the filter here under a name.", "Filtra la lista y guarda aquí el filtro con un nombre.";
    remove_view: "Remove view", "Quitar vista";
    to_the_list: "To the list", "Ir a la lista";
    did_save_view: "The view was saved.", "La vista quedó guardada.";
    did_rename_view: "The view was renamed.", "La vista cambió de nombre.";
    did_remove_view: "The view was removed.", "Se quitó la vista.";
}

/// What is said after something was done.
pub(super) fn done(say: super::Say, word: &str) -> Option<&'static str> {
    Some(match word {
        "view.saved" => say.did_save_view(),
        "view.renamed" => say.did_rename_view(),
        "view.removed" => say.did_remove_view(),
        _ => return None,
    })
}
