//! `cargo xtask`: builds and checks.

mod image;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Builds and checks of the lodestone repository.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the image for the board: ELF and UF2 in one folder, checked, with its size.
    Image {
        /// Where to put them.
        #[arg(long, value_name = "DIR", default_value = "target/image")]
        out: PathBuf,
    },
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().task {
        Task::Image { out } => image::run(&out),
    }
}
