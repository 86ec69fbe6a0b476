//! The `trastienda` program: everything it does is in the library beside it.

/// Requests make and drop many small texts; this allocator is quicker at that than the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    trastienda::cli::main()
}
