//! `record`: game records to JSON and back.

use std::path::PathBuf;

use anyhow::{Context, Result};
use board_sim::record::json;
use clap::Args as ClapArgs;

#[derive(ClapArgs)]
pub(crate) struct Args {
    /// A file of game records (.game); with --from-json a file of JSON
    file: PathBuf,
    /// Read JSON, print game records
    #[arg(long)]
    from_json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if args.from_json {
        let source = super::read(&args.file)?;
        let records = json::read(&source).context(args.file.display().to_string())?;
        let texts: Vec<String> = records.iter().map(ToString::to_string).collect();
        print!("{}", texts.join("\n"));
    } else {
        println!("{}", json::write(&super::records(&args.file)?));
    }
    Ok(())
}
