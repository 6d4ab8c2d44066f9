//! `manual`: manual pages and shell completions, made from the very options the tools take.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args as ClapArgs, CommandFactory};
use clap_complete::{Shell, generate_to};

#[derive(ClapArgs)]
pub(crate) struct Args {
    /// The folder that gets man/ and completions/
    folder: PathBuf,
}

const NAME: &str = "board-sim";

pub(crate) fn run(args: &Args) -> Result<()> {
    let (man, completions) = (args.folder.join("man"), args.folder.join("completions"));
    for folder in [&man, &completions] {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let mut command = super::Tool::command().name(NAME).disable_help_subcommand(true);
    for shell in [Shell::Bash, Shell::Fish, Shell::Zsh, Shell::PowerShell] {
        generate_to(shell, &mut command, NAME, &completions)?;
    }
    clap_mangen::generate_to(command, man)?;
    Ok(())
}
