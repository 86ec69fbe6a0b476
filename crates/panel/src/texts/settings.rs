//! API keys, people, the audit log.

texts! {
    api_keys: "API keys", "Claves de API";
    new_api_key: "New key", "Nueva clave";
    no_api_keys: "No keys yet. Programs use one to call the API; it is shown once, when created.",
        "Aún no hay claves. Los programas llaman a la API con una; se muestra una sola vez, al crearla.";
    key_name_hint: "What it is for, such as the program that will use it.",
        "Para qué es, por ejemplo el programa que la usará.";
    state: "State", "Estado";
    scopes: "Scopes", "Permisos";
    the_scopes: "The scopes", "Los permisos";
    scopes_hint: "Only what the program needs: a leaked key opens nothing else.",
        "Solo lo que el programa necesita: una clave perdida no abre más que eso.";
    created: "Created", "Creada";
    last_used: "Last used", "Último uso";
    expires: "Expires", "Vence";
    acts: "Actions", "Acciones";
    key_live: "Active", "Activa";
    key_revoked: "Revoked", "Revocada";
    key_expired: "Expired", "Vencida";
    mode: "Mode", "Modo";
    mode_live: "Live", "Producción";
    mode_test: "Test", "Pruebas";
    mode_hint: "A test key opens the test account, where nothing is real.",
        "Una clave de pruebas abre la cuenta de pruebas, donde nada es real.";
    may_approve: "May approve", "Puede aprobar";
    may_approve_hint: "What others ask for, within its scopes.", "Lo que otros solicitan, dentro de sus permisos.";
    expires_in_days: "Days until it expires", "Días para que venza";
    expires_hint: "Empty: it does not expire.", "Vacío: no vence.";
    rate_per_hour: "Requests per hour", "Peticiones por hora";
    key_rate(rate: &str): "{rate} requests per hour", "{rate} peticiones por hora";
    old_text_until(moment: &str): "The old key works until {moment}", "La clave anterior sirve hasta {moment}";
    rate_hint: "Empty: the limit of the service.", "Vacío: el límite del servicio.";
    create_key: "Create the key", "Crear la clave";
    presets: "Presets:", "Conjuntos:";
    preset_shop: "Shop", "Tienda";
    preset_invoicing: "Invoicing", "Facturación";
    preset_warehouse: "Warehouse", "Almacén";
    scope_all: "Everything, also what is added in the future.", "Todo, también lo que se agregue en el futuro.";
    scope_products: "Products, variants, prices and stock.", "Productos, variantes, precios y existencias.";
    scope_orders: "Orders and their shipments.", "Pedidos y sus envíos.";
    scope_customers: "Customers and their data.", "Clientes y sus datos.";
    scope_leads: "Leads and their conversion.", "Prospectos y su conversión.";
    scope_deals: "Deals and quotes.", "Oportunidades y cotizaciones.";
    scope_invoices: "CFDI invoices: drafts, stamps, cancellations.", "Facturas CFDI: borradores, timbrado, cancelación.";
    scope_inbox: "Messages.", "Mensajes.";
    scope_campaigns: "Campaigns and automations.", "Campañas y automatizaciones.";
    scope_payments: "Payments, payment links and refunds.", "Cobros, ligas de pago y reembolsos.";
    scope_webhooks: "Webhooks and events.", "Webhooks y eventos.";
    scope_analytics: "Reports.", "Reportes.";
    scope_warehouses: "Warehouses, transfers and counts.", "Almacenes, traspasos y conteos.";
    shown_once: "Copy the key now: it will not be shown again.", "Copia la clave ahora: solo se muestra esta vez.";
    try_it: "Try it", "Pruébala";
    show_ended: "Show revoked and expired keys too", "Mostrar también las revocadas y vencidas";
    rotate: "Rotate", "Rotar";
    rotate_title(name: &str): "Rotate “{name}”", "Rotar “{name}”";
    overlap: "The old key", "La clave anterior";
    overlap_hint: "Time to put the new one in place.", "Tiempo para poner la nueva en su lugar.";
    overlap_none: "stops working at once", "deja de servir de inmediato";
    overlap_hour: "works for 1 hour more", "sirve 1 hora más";
    overlap_day: "works for 24 hours more", "sirve 24 horas más";
    overlap_week: "works for 7 days more", "sirve 7 días más";
    revoke: "Revoke", "Revocar";
    revoke_title(name: &str): "Revoke “{name}”", "Revocar “{name}”";
    revoke_intro(last4: &str): "The key that ends in {last4} stops working at once, and for good.",
        "La clave que termina en {last4} deja de funcionar de inmediato y para siempre.";
    type_the_name(name: &str): "Type its name: {name}", "Escribe su nombre: {name}";
    did_revoke_key: "The key was revoked.", "La clave quedó revocada.";
    team: "Team", "Equipo";
    name: "Name", "Nombre";
    role: "Role", "Rol";
    member_since: "Member since", "Miembro desde";
    has_totp: "With code", "Con código";
    code_at_sign_in: "Sign-in", "Inicio de sesión";
    without_totp: "Password only", "Solo contraseña";
    every_scope: "Everything", "Todo";
    every_scope_choice: "Everything (*)", "Todo (*)";
    every_event_choice: "All events (*)", "Todos los eventos (*)";
    all_events: "All events", "Todos los eventos";
    change_role: "Change role", "Cambiar rol";
    role_of(name: &str): "Role of {name}", "Rol de {name}";
    role_owner: "Owner", "Propietario";
    role_admin: "Administrator", "Administrador";
    role_sales: "Sales", "Ventas";
    role_accountant: "Accountant", "Contabilidad";
    role_warehouse: "Warehouse", "Almacén";
    role_viewer: "Viewer", "Consulta";
    role_owner_about: "Owner: everything, other owners too", "Propietario: todo, también otros propietarios";
    role_admin_about: "Administrator: everything but owners", "Administrador: todo menos los propietarios";
    role_sales_about: "Sales: orders, customers, deals, charges and their invoices",
        "Ventas: pedidos, clientes, oportunidades, cobros y sus facturas";
    role_accountant_about: "Accountant: invoices, charges and what they follow from",
        "Contabilidad: facturas, cobros y lo que los origina";
    role_warehouse_about: "Warehouse: stock and shipments", "Almacén: existencias y envíos";
    role_viewer_about: "Viewer: looks, changes nothing", "Consulta: ve, no cambia nada";
    remove: "Remove", "Quitar";
    remove_title(name: &str): "Remove {name}", "Quitar a {name}";
    remove_intro(email: &str): "{email} will no longer be able to open this account. What was done stays in the audit log.",
        "{email} ya no podrá abrir esta cuenta. Lo que hizo permanece en la bitácora.";
    invite: "Invite", "Invitar";
    invite_title: "Invite someone", "Invitar a alguien";
    invite_hint: "Whoever opens the link first becomes the user of this address: make sure that nobody else gets it.",
        "Quien abra primero el enlace será el usuario de este correo: cuida que solo llegue a esa persona.";
    invitations: "Open invitations", "Invitaciones abiertas";
    invitation_mail(inviter: &str, account: &str, link: &str): "{inviter} invites you to {account} in Trastienda.\n\nOpen this link within 7 days to accept:\n\n{link}\n",
        "{inviter} te invita a {account} en Trastienda.\n\nAbre este enlace antes de 7 días para aceptar:\n\n{link}\n";
    general: "General", "Cuenta";
    account_name_hint: "The panel’s address does not change.", "La dirección del panel no cambia.";
    mail: "Mail", "Correo";
    mail_is_kept: "No mail server is configured, so invitations are kept here for 30 days: copy them to whom they are for.",
        "No hay servidor de correo, así que las invitaciones se guardan aquí 30 días: cópialas a su destinatario.";
    subject: "Subject", "Asunto";
    mail_recipient: "To", "Para";
    mail_sent: "Sent", "Enviado";
    mail_failed: "Failed", "Fallido";
    mail_kept: "Kept", "Guardado";
    mail_text_gone: "The mail server has taken it; its text is not kept.", "El servidor de correo lo recibió; su texto no se conserva.";
    mail_forget: "Remove", "Eliminar";
    no_mail: "No mail yet. Invitations to the team are recorded here.", "Aún no hay correos. Aquí quedan las invitaciones al equipo.";
    did_forget_mail: "The mail was removed.", "El correo se eliminó.";
    invitation_link: "Invitation link", "Enlace de la invitación";
    invitation_unmailed: "The link could not be mailed: hand it over yourself.", "El enlace no se pudo enviar por correo: entrégalo tú.";
    invitation_once: "Send this link to whoever you invite. It is shown only once and works for 7 days.",
        "Envía este enlace a quien invitas. Solo se muestra esta vez y sirve 7 días.";
    take_back: "Withdraw", "Retirar";
    did_change_role: "The role was changed.", "El rol cambió.";
    did_remove_member: "The member was removed.", "Se quitó al miembro.";
    did_send_invitation: "The invitation is on its way by mail.", "La invitación va en camino por correo.";
    did_revoke_invitation: "The invitation was withdrawn.", "La invitación se retiró.";
    audit: "Audit log", "Bitácora";
    no_audit: "Nothing recorded yet.", "Aún no hay nada registrado aquí.";
    when: "When", "Cuándo";
    actor: "Actor", "Autor";
    action: "Action", "Acción";
    resource: "Resource", "Recurso";
    changes: "Changes", "Cambios";
}

/// What is said after something was done.
pub(super) fn done(say: super::Say, word: &str) -> Option<&'static str> {
    Some(match word {
        "key.revoked" => say.did_revoke_key(),
        "mail.forgotten" => say.did_forget_mail(),
        "role.changed" => say.did_change_role(),
        "member.removed" => say.did_remove_member(),
        "invitation.sent" => say.did_send_invitation(),
        "invitation.revoked" => say.did_revoke_invitation(),
        _ => return None,
    })
}
