//! Leads, deals and quotes.

texts! {
    leads: "Leads", "Prospectos";
    lead: "Lead", "Prospecto";
    no_leads: "No leads yet.", "Aún no hay prospectos.";
    lead_new: "New", "Nuevo";
    lead_contacted: "Contacted", "Contactado";
    lead_qualified: "Qualified", "Calificado";
    lead_converted: "Converted", "Convertido";
    lead_lost: "Lost", "Perdido";
    company: "Company", "Empresa";
    lead_source: "Source", "Origen";
    lead_value: "Estimated value", "Valor estimado";
    lead_owner: "Owner", "Responsable";
    tags: "Tags", "Etiquetas";
    tags_hint: "Separated by commas.", "Separadas por comas.";
    new_lead: "New lead", "Nuevo prospecto";
    new_lead_intro: "Somebody who might buy.", "Alguien que podría comprar.";
    edit_lead_intro: "Converting it makes it a customer and opens a deal.", "Al convertirlo se vuelve cliente y se abre una oportunidad.";
    delete_lead: "Delete the lead", "Eliminar el prospecto";
    delete_lead_intro(name: &str): "{name} is deleted. A deal that came of it stays.", "{name} se elimina. La oportunidad que salió de él se queda.";
    did_add_lead: "The lead was added.", "El prospecto quedó agregado.";
    did_change_lead: "The lead was changed.", "El prospecto quedó actualizado.";
    did_delete_lead: "The lead was deleted.", "El prospecto se eliminó.";
    merged_into: "The lead that it is part of", "El prospecto del que es parte";
    duplicates: "Possible duplicates", "Posibles duplicados";
    same_by: "Matches by", "Coincide por";
    merge: "Merge", "Unir";
    merge_intro(other: &str, into: &str): "{other} becomes part of {into}. That cannot be undone.",
        "{other} pasa a ser parte de {into}. Esto no se puede deshacer.";
    convert: "Convert", "Convertir";
    convert_intro: "It becomes a customer, unless there is one with its email address, and a deal is opened.",
        "Se vuelve cliente, salvo que ya haya uno con su correo, y se abre una oportunidad.";
    did_convert: "The lead was converted.", "El prospecto se convirtió.";
    did_merge: "The leads were merged.", "Los prospectos se unieron.";
    deals: "Deals", "Oportunidades";
    deal: "Deal", "Oportunidad";
    deal_title: "Deal name", "Nombre de la oportunidad";
    deal_value: "Value", "Valor";
    deal_stage: "Stage", "Etapa";
    deal_open: "Open", "Abierta";
    deal_won: "Won", "Ganada";
    deal_lost: "Lost", "Perdida";
    open_deal: "Open the deal", "Crear la oportunidad";
    new_deal: "New deal", "Nueva oportunidad";
    new_deal_intro: "It goes last in its stage.", "Queda en su etapa, detrás de las demás.";
    pesos_if_left_out: "MXN if empty.", "MXN si la dejas vacía.";
    edit_deal_intro: "It stays in its stage.", "Se queda en su etapa.";
    delete_deal: "Delete the deal", "Eliminar la oportunidad";
    delete_deal_intro(title: &str): "“{title}” is deleted with its history and the activities that are about it alone.",
        "“{title}” se elimina con su historial y las actividades que solo tratan de ella.";
    did_change_deal: "The deal was changed.", "La oportunidad quedó actualizada.";
    did_delete_deal: "The deal was deleted.", "La oportunidad se eliminó.";
    did_open_deal: "The deal was opened.", "La oportunidad quedó abierta.";
    no_deals: "No deals yet.", "Aún no hay oportunidades.";
    as_list: "As a list", "Como lista";
    as_board: "As a board", "Como tablero";
    pipeline: "Pipeline", "Embudo";
    pipelines: "Pipelines", "Embudos";
    stages: "Stages", "Etapas";
    new_pipeline: "New pipeline", "Nuevo embudo";
    pipeline_intro: "Stages stand in the order of their numbers. One whose name is emptied is removed, unless deals are in it.",
        "Las etapas van en el orden de sus números. Se quita la que se deja sin nombre, salvo que tenga oportunidades.";
    pipeline_default: "Use for new deals", "Las oportunidades nuevas van aquí";
    pipeline_is_default: "Used for new deals.", "Las oportunidades nuevas van aquí.";
    stage_number(number: usize): "Stage {number}", "Etapa {number}";
    stage_kind: "Result", "Resultado";
    stage_probability: "Chance (%)", "Prob. (%)";
    stage_order: "Position", "Posición";
    delete_pipeline: "Delete the pipeline", "Eliminar el embudo";
    delete_pipeline_intro(name: &str): "{name} is deleted with its stages, if no deal is in it.", "{name} se elimina con sus etapas, si no tiene oportunidades.";
    did_add_pipeline: "The pipeline was added.", "El embudo quedó agregado.";
    did_change_pipeline: "The pipeline was changed.", "El embudo quedó actualizado.";
    did_delete_pipeline: "The pipeline was deleted.", "El embudo se eliminó.";
    expected_close: "Expected close", "Cierre esperado";
    move_it: "Move to a stage", "Mover de etapa";
    move_intro: "A final stage wins or loses it.", "Una etapa final la da por ganada o perdida.";
    lost_hint: "Required if it is lost.", "Obligatorio si se pierde.";
    move_before: "Before this one, if it stays in the same stage", "Antes de esta, si se queda en su etapa";
    move_behind: "Last", "Detrás de todas";
    deal_is_in: "“%deal” is in %stage now.", "“%deal” ahora está en %stage.";
    deal_stays_in: "“%deal” stays in %stage:", "“%deal” se queda en %stage:";
    deal_unanswered: "the service has not answered. Open the page again to see where it is.",
        "el servicio no respondió. Abre de nuevo la página para ver dónde está.";
    take_up: "Reopen", "Retomar";
    take_up_intro: "It returns to the stage it was in.", "Vuelve a la etapa en que estaba.";
    did_move: "The deal was moved.", "La oportunidad se movió.";
    did_take_up: "The deal was reopened.", "La oportunidad está abierta de nuevo.";
    quotes: "Quotes", "Cotizaciones";
    quote: "Quote", "Cotización";
    quote_number: "Number", "Número";
    no_quotes: "No quotes yet.", "Aún no hay cotizaciones.";
    activities: "Activities", "Actividades";
    no_activities: "No activities yet.", "Aún no hay actividades.";
    all_activities: "All activities", "Todas las actividades";
    new_activity: "New activity", "Nueva actividad";
    new_activity_intro: "A note has no due date and is never marked as done.", "Una nota no tiene fecha ni se da por hecha.";
    activity_kind: "Kind", "Tipo";
    activity_call: "Call", "Llamada";
    activity_meeting: "Meeting", "Reunión";
    activity_task: "Task", "Tarea";
    activity_note: "Note to remember", "Nota para recordar";
    activity_due: "Due", "Vence";
    activity_due_hint: "Day and time in the account’s time zone.", "Fecha y hora según la zona horaria de la cuenta.";
    activity_assignee: "Assignee", "Quién la hace";
    activity_open: "To do", "Por hacer";
    activity_overdue: "Overdue", "Atrasada";
    activity_is_done: "Done", "Hecha";
    activity_done: "Mark as done", "Marcar como hecha";
    activity_undone: "Mark as not done", "Marcar como pendiente";
    delete_activity: "Delete the activity", "Eliminar la actividad";
    delete_activity_intro(subject: &str): "“{subject}” is deleted.", "“{subject}” se elimina.";
    did_add_activity: "The activity was added.", "La actividad quedó agregada.";
    did_change_activity: "The activity was changed.", "La actividad quedó actualizada.";
    did_delete_activity: "The activity was deleted.", "La actividad se eliminó.";
    questions: "Customer questions", "Preguntas del cliente";
    new_quote: "New quote", "Nueva cotización";
    quote_draft_intro: "The draft uses current prices unless you enter others. Nobody sees it until you offer it.",
        "Se hace un borrador con los precios de este momento, salvo que indiques otros. Nadie lo ve antes de ofrecerlo.";
    quote_keeps_items: "This quote has more items than fit here: they stay as they are, and are changed through the API.",
        "Esta cotización tiene más partidas de las que caben aquí: se quedan como están y se cambian por la API.";
    quote_customer_hint: "Name, email address or telephone number; without one, the customer of the deal.",
        "Nombre, correo o teléfono; si lo dejas vacío, el cliente de la oportunidad.";
    quote_title: "Quote title", "Título de la cotización";
    no_deal: "No deal", "Ninguna oportunidad";
    quote_item(number: usize): "Item {number}", "Partida {number}";
    quote_items_hint: "SKU, article number (EAN) or words of the name. Without a unit price it is the product’s; a discount is 10% or an amount.",
        "SKU, código de barras (EAN) o palabras del nombre. Sin precio unitario se toma el del producto; un descuento es 10% o un importe.";
    discount_on_all: "Discount on all items", "Descuento sobre todas las partidas";
    discount_hint: "10% or an amount.", "10% o un importe.";
    shipping_name: "Shipping name", "Nombre del envío";
    quote_days_hint: "15 days from today if empty.", "15 días a partir de hoy si lo dejas vacío.";
    quote_opens_link: "Open a payment link once it is accepted", "Abrir una liga de pago al aceptarla";
    quote_notes_hint: "The customer sees them.", "El cliente las lee.";
    save_draft: "Save the draft", "Guardar el borrador";
    order_quote: "Create the order", "Registrar el pedido";
    order_quote_intro: "The quote was accepted, but no order could be placed. This tries again.",
        "La cotización se aceptó, pero no se pudo registrar el pedido. Esto lo intenta de nuevo.";
    unordered: "No order could be placed:", "No se pudo registrar el pedido:";
    did_draft_quote: "The draft was saved.", "El borrador quedó guardado.";
    did_change_quote: "The draft was changed.", "El borrador quedó actualizado.";
    did_order_quote: "The order was created.", "El pedido quedó registrado.";
    quote_draft: "Draft", "Borrador";
    quote_sent: "Sent", "Enviada";
    quote_accepted: "Accepted, no order", "Aceptada, sin pedido";
    quote_rejected: "Rejected", "Rechazada";
    quote_expired: "Expired", "Vencida";
    quote_ordered: "Ordered", "Con pedido";
    quote_superseded: "Superseded", "Sustituida";
    quote_link: "Customer link", "Enlace para el cliente";
    valid_until: "Valid until", "Vigente hasta";
    sent_at: "Sent on", "Enviada el";
    accepted_at: "Accepted on", "Aceptada el";
    accepted_by: "Accepted by", "Aceptada por";
    rejected_at: "Rejected on", "Rechazada el";
    send_quote: "Offer", "Ofrecer";
    send_quote_intro(total: &str, until: &str): "{total} is offered until {until}. Afterwards the link is there for the customer, and the quote cannot be changed.",
        "Se ofrecen {total} hasta el {until}. Después queda el enlace para el cliente y la cotización ya no cambia.";
    accept_quote: "Accept", "Aceptar";
    accept_quote_intro: "On the customer’s behalf: the order is created and the deal won.",
        "En nombre del cliente: se registra el pedido y se gana la oportunidad.";
    reject_quote: "Record a rejection", "Anotar rechazo";
    reject_quote_intro: "On the customer’s behalf. It can be revised afterwards.", "En nombre del cliente. Después se puede hacer otra versión.";
    revise_quote: "Revise", "Nueva versión";
    revise_quote_intro: "The next revision is drafted at the same prices.", "Se hace el borrador de la siguiente versión con los mismos precios.";
    did_send_quote: "The quote is offered. Copy its link.", "La cotización quedó ofrecida. Copia su enlace.";
    did_accept_quote: "The quote is accepted.", "La cotización quedó aceptada.";
    did_reject_quote: "The rejection was recorded.", "El rechazo quedó anotado.";
    delete_quote_intro: "Nobody has been offered this draft. Earlier revisions stay as they are.", "Este borrador no se le ha ofrecido a nadie. Las versiones anteriores se quedan como están.";
    did_delete_quote: "The draft was deleted.", "El borrador se eliminó.";
    did_revise_quote: "This is the draft of the next revision.", "Este es el borrador de la siguiente versión.";
}

/// What is said after something was done.
pub(super) fn done(say: super::Say, word: &str) -> Option<&'static str> {
    Some(match word {
        "lead.added" => say.did_add_lead(),
        "lead.changed" => say.did_change_lead(),
        "lead.deleted" => say.did_delete_lead(),
        "lead.converted" => say.did_convert(),
        "lead.merged" => say.did_merge(),
        "pipeline.added" => say.did_add_pipeline(),
        "pipeline.changed" => say.did_change_pipeline(),
        "pipeline.deleted" => say.did_delete_pipeline(),
        "deal.opened" => say.did_open_deal(),
        "deal.changed" => say.did_change_deal(),
        "deal.deleted" => say.did_delete_deal(),
        "deal.moved" => say.did_move(),
        "deal.reopened" => say.did_take_up(),
        "activity.added" => say.did_add_activity(),
        "activity.changed" => say.did_change_activity(),
        "activity.deleted" => say.did_delete_activity(),
        "quote.drafted" => say.did_draft_quote(),
        "quote.changed" => say.did_change_quote(),
        "quote.ordered" => say.did_order_quote(),
        "quote.sent" => say.did_send_quote(),
        "quote.accepted" => say.did_accept_quote(),
        "quote.rejected" => say.did_reject_quote(),
        "quote.revised" => say.did_revise_quote(),
        "quote.deleted" => say.did_delete_quote(),
        _ => return None,
    })
}
