//! Signing in, and what users do about themselves.

texts! {
    sign_in: "Sign in", "Iniciar sesión";
    sign_in_first: "Sign in to see this.", "Inicia sesión para ver esto.";
    sign_in_as(email: &str): "You will be signed in as {email}.", "Vas a entrar como {email}.";
    email: "Email address", "Correo electrónico";
    password: "Password", "Contraseña";
    forgot_password: "Forgot your password, or have none? Whoever runs this service can make you a link to set a new one.",
        "¿Olvidaste tu contraseña o no tienes? Quien opera este servicio puede darte un enlace para definir otra.";
    code: "Code", "Código";
    code_title: "Enter your code", "Escribe tu código";
    code_hint: "Six digits from your authenticator app, or a recovery code.",
        "Seis dígitos de tu aplicación de códigos, o un código de recuperación.";
    go_on: "Continue", "Continuar";
    confirm_title: "Confirm that it is you", "Confirma que eres tú";
    confirm_intro: "What comes next is sensitive, so we ask for your password again.",
        "Lo que sigue es delicado; por eso pedimos de nuevo tu contraseña.";
    set_up_title: "Set up Trastienda", "Configurar Trastienda";
    set_up_intro: "You will be the owner. Others can be invited afterwards.",
        "Serás el propietario. Después podrás invitar a otras personas.";
    set_up: "Start", "Comenzar";
    account_name: "Name of the shop", "Nombre de la tienda";
    your_name: "Your name", "Tu nombre";
    new_password: "New password", "Nueva contraseña";
    password_hint: "At least 12 characters. A few words that do not belong together are easy to remember.",
        "Al menos 12 caracteres. Unas palabras sin relación entre sí son fáciles de recordar.";
    reset_title: "Set a new password", "Definir una nueva contraseña";
    reset_intro(email: &str): "For {email}. All other sessions end.", "Para {email}. Se cierran todas las demás sesiones.";
    invitation_title(account: &str): "Join {account}", "Unirse a {account}";
    invited(email: &str, account: &str, role: &str): "{email} is invited to {account} as: {role}.",
        "{email} tiene una invitación a {account} como: {role}.";
    me: "Your profile", "Tu perfil";
    accept: "Accept the invitation", "Aceptar la invitación";
    accept_signed_in: "This address has a user already. You are asked to sign in first if you have not yet.",
        "Este correo ya tiene un usuario. Si aún no has iniciado sesión, te lo pediremos.";
    no_accounts: "You are not a member of any account. Ask for an invitation.",
        "No eres miembro de ninguna cuenta. Pide una invitación.";
    language: "Language", "Idioma";
    browser_language: "Same as the browser", "El del navegador";
    theme: "Theme", "Tema";
    device_theme: "Same as the device", "El del dispositivo";
    light: "Light", "Claro";
    dark: "Dark", "Oscuro";
    density: "List density", "Densidad de las listas";
    comfortable: "Comfortable", "Amplia";
    compact: "Compact", "Compacta";
    shortcuts: "Keyboard shortcuts", "Atajos de teclado";
    shortcuts_hint: "/ searches, g o opens the orders, n begins something new.",
        "/ busca, g o abre los pedidos, n comienza algo nuevo.";
    safety: "Security", "Seguridad";
    change_password: "Change password", "Cambiar contraseña";
    sessions: "Sessions", "Sesiones";
    browser: "Browser", "Navegador";
    network: "Network", "Red";
    last_seen: "Last seen", "Última actividad";
    this_session: "this one", "esta";
    end_session: "End", "Cerrar";
    end_others: "End all others", "Cerrar todas las demás";
    totp_begin: "Use an authenticator", "Usar una aplicación de códigos";
    totp_title: "Authenticator", "Aplicación de códigos";
    totp_begin_intro: "From then on, signing in asks for a code from an app on your phone. Have the app at hand.",
        "A partir de entonces se te pedirá al iniciar sesión un código de una aplicación en tu teléfono. Ten la aplicación a la mano.";
    totp_disable_intro: "Your password alone will be enough to sign in, and your recovery codes stop working.",
        "Entonces bastará tu contraseña para iniciar sesión, y tus códigos de recuperación dejan de servir.";
    recovery_renew_intro: "The codes that you have stop working.", "Los códigos que tienes dejan de servir.";
    totp_intro: "Scan this with your authenticator app, or type the key. Then enter the code that the app shows.",
        "Escanea esto con tu aplicación de códigos o escribe la clave. Luego escribe el código que muestra la aplicación.";
    totp_qr: "QR code for the authenticator", "Código QR para la aplicación de códigos";
    totp_secret: "Key", "Clave";
    totp_confirm: "Confirm the code", "Confirmar el código";
    totp_disable: "Stop asking for codes", "Dejar de pedir códigos";
    recovery_title: "Recovery codes", "Códigos de recuperación";
    recovery_intro: "Each of these works once, when your authenticator is lost. They are shown only now: keep them in a safe place.",
        "Cada uno sirve una vez, si pierdes tu aplicación de códigos. Solo se muestran ahora: guárdalos en un lugar seguro.";
    recovery_left(count: u32): "{count} recovery codes are left.", "Quedan {count} códigos de recuperación.";
    recovery_renew: "New recovery codes", "Nuevos códigos de recuperación";
    did_sign_out: "You are signed out.", "Cerraste la sesión.";
    did_save: "Saved.", "Guardado.";
    did_change_password: "Your password was changed. All other sessions have ended.",
        "Tu contraseña cambió. Se cerraron todas las demás sesiones.";
    did_end_session: "The session was ended.", "La sesión se cerró.";
    did_keep_form: "Your form was not sent, but it was kept. It is shown again as soon as you go on.",
        "Tu formulario no se envió, pero quedó guardado. Se muestra de nuevo en cuanto continúes.";
    did_discard_form: "The form was discarded.", "El formulario se descartó.";
    unsent(at: &str): "You have an unsent form from {at}.", "Tienes un formulario sin enviar del {at}.";
    restored(at: &str): "This is your form from {at}. It was not sent: look at it, then send it. Enter passwords and choose files again.",
        "Este es tu formulario del {at}. No se envió: revísalo y envíalo. Escribe de nuevo las contraseñas y vuelve a elegir los archivos.";
    restored_unsure(at: &str): "This is your form from {at}. It may have been carried out then: look first whether it was, before you send it. Enter passwords and choose files again.",
        "Este es tu formulario del {at}. Es posible que entonces sí se haya procesado: revísalo antes de enviarlo. Escribe de nuevo las contraseñas y vuelve a elegir los archivos.";
    restore_form: "Restore", "Recuperar";
    discard_form: "Discard", "Descartar";
    saved_now(value: &str): "Saved now: {value}", "Guardado ahora: {value}";
    nothing_saved: "(empty)", "(vacío)";
    ticked: "yes", "sí";
    not_ticked: "no", "no";
}

/// What is said after something was done.
pub(super) fn done(say: super::Say, word: &str) -> Option<&'static str> {
    Some(match word {
        "signed-out" => say.did_sign_out(),
        "saved" => say.did_save(),
        "password-changed" => say.did_change_password(),
        "session-ended" => say.did_end_session(),
        "form.kept" => say.did_keep_form(),
        "form.discarded" => say.did_discard_form(),
        _ => return None,
    })
}
