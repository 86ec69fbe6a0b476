//! The macro that turns the one declaration of the settings into all that is derived from it.

/// Declares settings by heading: meaning, name, kind, environment variable, placeholder and default.
/// A default may name the settings above it.
macro_rules! settings {
    ($($heading:literal {$(
        $(#[doc = $meaning:literal])+
        $name:ident: $kind:ty [$env:literal, $placeholder:literal] = $default:expr;
    )+})+) => {
        /// The settings given as flags or in the environment, as text.
        #[derive(Debug, Default, clap::Args)]
        pub struct Flags {$($(
            $(#[doc = $meaning])+
            #[arg(
                long,
                env = $env,
                hide_env_values = true,
                hide_short_help = true,
                value_name = $placeholder,
                help_heading = $heading,
                global = true,
            )]
            pub $name: Option<String>,
        )+)+}

        /// The settings in effect.
        #[derive(Clone, Debug)]
        pub struct Settings {$($(
            $(#[doc = $meaning])+
            pub $name: $kind,
        )+)+}

        impl Settings {
            /// Every setting's name and environment variable, as declared.
            pub const DECLARED: &'static [(&'static str, &'static str)] =
                &[$($((stringify!($name), $env),)+)+];

            /// Judges what the sources give and fills in the defaults; the rows are for showing.
            ///
            /// # Errors
            /// The first setting whose text is not right.
            pub fn read(
                sources: &$crate::settings::Sources,
            ) -> Result<(Self, Vec<$crate::settings::sources::Row>), $crate::settings::BadSetting> {
                let mut rows = Vec::new();
                $($(
                    let (given, origin) = sources.find::<$kind>(stringify!($name), $env)?;
                    let $name: $kind = match given {
                        Some(value) => value,
                        None => $default,
                    };
                    rows.push($crate::settings::sources::Row {
                        name: stringify!($name),
                        value: $crate::settings::Value::show(&$name),
                        origin,
                        env: $env,
                        meaning: concat!($($meaning),+).trim(),
                    });
                )+)+
                Ok((Self { $($($name,)+)+ }, rows))
            }
        }
    };
}

pub(super) use settings;
