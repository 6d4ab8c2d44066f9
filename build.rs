//! Hands `memory.x` and the linker scripts to the chip's images; does nothing on a PC.

use std::{env, fs, path::PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=memory.x");
    println!("cargo:rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("none") {
        return;
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::copy("memory.x", out.join("memory.x")).expect("memory.x can be copied");
    println!("cargo:rustc-link-search={}", out.display());
    // `--icf=all`: functions that came out alike are one. Nothing here compares their addresses.
    // Without link-rp.x everything links, but boot2 does not lie where the chip looks for it.
    for arg in ["--icf=all", "--nmagic", "-Tlink.x", "-Tlink-rp.x", "-Tdefmt.x"] {
        println!("cargo:rustc-link-arg-bins={arg}");
    }
}
