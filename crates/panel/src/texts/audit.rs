//! The audit log: who has done what.

use accounts::Action;

texts! {
    audit_of_live: "The account’s name, its team and how they sign in are told in the audit log of the live account.",
        "El nombre de la cuenta, su equipo y sus inicios de sesión están en la bitácora de la cuenta de producción.";
    ends_in: "Ends in", "Termina en";
    rows_in_all: "Rows", "Renglones";
    called_inbox: "Messages", "Mensajes";
    called_campaigns: "Campaigns", "Campañas";
    called_analytics: "Reports", "Reportes";
    conditions: "Conditions", "Condiciones";
    url_query: "Parameters of the address", "Parámetros de la dirección";
    secret_replaced: "replaced", "se reemplazó";
    secret_removed: "removed", "se eliminó";
    series_income: "Series of income invoices", "Serie de facturas de ingreso";
    series_credit: "Series of credit notes", "Serie de notas de crédito";
    series_payment: "Series of payment receipts", "Serie de recibos de pago";
    series_transfer: "Series of transfers of goods", "Serie de traslados";
    global_automatic: "Created by themselves", "Se crean solas";
    global_delay: "Hours after the period", "Horas después del periodo";
    global_period: "Period", "Periodo";
    global_stamp: "Stamped too", "Se timbran también";
    global_tickets: "Most sales per invoice", "Máximo de ventas por factura";
    period_day: "Daily", "Diario";
    period_week: "Weekly", "Semanal";
    period_fortnight: "Twice a month", "Quincenal";
    period_month: "Monthly", "Mensual";
    period_two_months: "Every two months", "Bimestral";
    tax_withheld: "withheld", "retenido";
    signing_secret: "Secret", "Secreto";
    not_so: "no", "no";
    by_system: "Trastienda", "El sistema";
    by_public: "Whoever holds a link", "Quien tiene un enlace";
    by_key: "An API key", "Una clave de API";
    by_user: "A member", "Un miembro";
    by_operator: "The operator of the service", "Quien opera el servicio";
    act_api_key_created: "API key created", "Clave de API creada";
    act_api_key_rotated: "API key rotated", "Clave de API rotada";
    act_api_key_revoked: "API key revoked", "Clave de API revocada";
    act_invitation_created: "Invitation sent", "Invitación enviada";
    act_invitation_revoked: "Invitation withdrawn", "Invitación retirada";
    act_member_added: "Member joined", "Miembro agregado";
    act_member_role_changed: "Role changed", "Rol cambiado";
    act_member_removed: "Member removed", "Miembro retirado";
    act_user_signed_in: "Signed in", "Inicio de sesión";
    act_user_sign_in_failed: "Sign-in failed", "Inicio de sesión fallido";
    act_user_code_not_given: "Password given, but no code", "Contraseña correcta, sin código";
    act_user_reset_link_issued: "Link for a new password issued", "Enlace para nueva contraseña emitido";
    act_user_sign_in_link_issued: "Sign-in link issued", "Enlace de acceso emitido";
    act_set_up_link_issued: "Set-up link issued", "Enlace de configuración emitido";
    act_user_password_changed: "Password changed", "Contraseña cambiada";
    act_user_totp_enabled: "Codes at sign-in switched on", "Código al iniciar sesión activado";
    act_user_totp_disabled: "Codes at sign-in switched off", "Código al iniciar sesión desactivado";
    act_user_recovery_codes_renewed: "Recovery codes renewed", "Códigos de recuperación renovados";
    act_user_recovery_code_used: "Recovery code used", "Código de recuperación usado";
    act_account_changed: "Account changed", "Cuenta modificada";
    act_webhook_created: "Webhook created", "Webhook creado";
    act_webhook_changed: "Webhook changed", "Webhook modificado";
    act_webhook_secret_rotated: "Secret of a webhook renewed", "Secreto de un webhook renovado";
    act_webhook_deleted: "Webhook deleted", "Webhook eliminado";
    act_approval_rule_created: "Approval rule created", "Regla de aprobación creada";
    act_approval_rule_changed: "Approval rule changed", "Regla de aprobación modificada";
    act_approval_rule_deleted: "Approval rule deleted", "Regla de aprobación eliminada";
    act_issuer_created: "Issuer added", "Emisor agregado";
    act_issuer_changed: "Issuer changed", "Emisor modificado";
    act_issuer_deleted: "Issuer deleted", "Emisor eliminado";
    act_certificate_added: "Certificate (CSD) added", "Certificado (CSD) agregado";
    act_certificate_activated: "Certificate (CSD) activated", "Certificado (CSD) activado";
    act_certificate_deleted: "Certificate (CSD) deleted", "Certificado (CSD) eliminado";
    act_certification_provider_chosen: "Certification provider (PAC) chosen", "Proveedor de certificación (PAC) elegido";
    act_series_changed: "Next folio of a series set", "Siguiente folio de una serie fijado";
    act_branch_created: "Branch created", "Sucursal creada";
    act_branch_changed: "Branch changed", "Sucursal modificada";
    act_branch_deleted: "Branch deleted", "Sucursal eliminada";
    act_global_invoices_changed: "Settings of global invoices changed", "Ajustes de facturas globales modificados";
    act_warehouse_created: "Warehouse created", "Almacén creado";
    act_warehouse_changed: "Warehouse changed", "Almacén modificado";
    act_warehouse_deleted: "Warehouse deleted", "Almacén eliminado";
    act_price_list_created: "Price list created", "Lista de precios creada";
    act_price_list_changed: "Price list changed", "Lista de precios modificada";
    act_price_list_deleted: "Price list deleted", "Lista de precios eliminada";
    act_customer_group_created: "Customer group created", "Grupo de clientes creado";
    act_customer_group_changed: "Customer group changed", "Grupo de clientes modificado";
    act_customer_group_deleted: "Customer group deleted", "Grupo de clientes eliminado";
    act_payment_provider_changed: "Payment provider changed", "Proveedor de pagos modificado";
    act_payment_accepted: "Payment with a mismatch accepted", "Pago con importe distinto aceptado";
    act_payment_rejected: "Payment with a mismatch rejected", "Pago con importe distinto rechazado";
    act_bulk_action_started: "Bulk action started", "Acción masiva iniciada";
    act_bulk_action_cancelled: "Bulk action cancelled", "Acción masiva cancelada";
    act_bulk_action_ended: "Bulk action ended", "Acción masiva terminada";
    act_credits_granted: "Credits granted", "Créditos abonados";
    act_task_retried: "Job tried again at once", "Trabajo reintentado de inmediato";
    act_task_abandoned: "Job given up", "Trabajo abandonado";
    act_task_attached: "Stamp attached to a job", "Timbre adjuntado a un trabajo";
}

/// What something that was done is called.
pub(crate) const fn action_name(say: super::Say, action: Action) -> &'static str {
    match action {
        Action::ApiKeyCreated => say.act_api_key_created(),
        Action::ApiKeyRotated => say.act_api_key_rotated(),
        Action::ApiKeyRevoked => say.act_api_key_revoked(),
        Action::InvitationCreated => say.act_invitation_created(),
        Action::InvitationRevoked => say.act_invitation_revoked(),
        Action::MemberAdded => say.act_member_added(),
        Action::MemberRoleChanged => say.act_member_role_changed(),
        Action::MemberRemoved => say.act_member_removed(),
        Action::UserSignedIn => say.act_user_signed_in(),
        Action::UserSignInFailed => say.act_user_sign_in_failed(),
        Action::UserCodeNotGiven => say.act_user_code_not_given(),
        Action::UserResetLinkIssued => say.act_user_reset_link_issued(),
        Action::UserSignInLinkIssued => say.act_user_sign_in_link_issued(),
        Action::SetUpLinkIssued => say.act_set_up_link_issued(),
        Action::UserPasswordChanged => say.act_user_password_changed(),
        Action::UserTotpEnabled => say.act_user_totp_enabled(),
        Action::UserTotpDisabled => say.act_user_totp_disabled(),
        Action::UserRecoveryCodesRenewed => say.act_user_recovery_codes_renewed(),
        Action::UserRecoveryCodeUsed => say.act_user_recovery_code_used(),
        Action::AccountChanged => say.act_account_changed(),
        Action::WebhookCreated => say.act_webhook_created(),
        Action::WebhookChanged => say.act_webhook_changed(),
        Action::WebhookSecretRotated => say.act_webhook_secret_rotated(),
        Action::WebhookDeleted => say.act_webhook_deleted(),
        Action::ApprovalRuleCreated => say.act_approval_rule_created(),
        Action::ApprovalRuleChanged => say.act_approval_rule_changed(),
        Action::ApprovalRuleDeleted => say.act_approval_rule_deleted(),
        Action::IssuerCreated => say.act_issuer_created(),
        Action::IssuerChanged => say.act_issuer_changed(),
        Action::IssuerDeleted => say.act_issuer_deleted(),
        Action::CertificateAdded => say.act_certificate_added(),
        Action::CertificateActivated => say.act_certificate_activated(),
        Action::CertificateDeleted => say.act_certificate_deleted(),
        Action::CertificationProviderChosen => say.act_certification_provider_chosen(),
        Action::SeriesChanged => say.act_series_changed(),
        Action::BranchCreated => say.act_branch_created(),
        Action::BranchChanged => say.act_branch_changed(),
        Action::BranchDeleted => say.act_branch_deleted(),
        Action::GlobalInvoicesChanged => say.act_global_invoices_changed(),
        Action::WarehouseCreated => say.act_warehouse_created(),
        Action::WarehouseChanged => say.act_warehouse_changed(),
        Action::WarehouseDeleted => say.act_warehouse_deleted(),
        Action::PriceListCreated => say.act_price_list_created(),
        Action::PriceListChanged => say.act_price_list_changed(),
        Action::PriceListDeleted => say.act_price_list_deleted(),
        Action::CustomerGroupCreated => say.act_customer_group_created(),
        Action::CustomerGroupChanged => say.act_customer_group_changed(),
        Action::CustomerGroupDeleted => say.act_customer_group_deleted(),
        Action::PaymentProviderChanged => say.act_payment_provider_changed(),
        Action::PaymentAccepted => say.act_payment_accepted(),
        Action::PaymentRejected => say.act_payment_rejected(),
        Action::BulkActionStarted => say.act_bulk_action_started(),
        Action::BulkActionCancelled => say.act_bulk_action_cancelled(),
        Action::BulkActionEnded => say.act_bulk_action_ended(),
        Action::CreditsGranted => say.act_credits_granted(),
        Action::TaskRetried => say.act_task_retried(),
        Action::TaskAbandoned => say.act_task_abandoned(),
        Action::TaskAttached => say.act_task_attached(),
    }
}
