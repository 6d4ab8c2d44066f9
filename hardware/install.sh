#!/bin/sh
# Installs the tools that the hardware files are made and checked with, on Debian 12:
# KiCad 9 from the backports, OpenSCAD, ngspice and a few viewers. `cargo xtask hardware` runs this
# as root when one of them is missing; a person may run it too. What is there already is left alone.
#
# The backports have no source entry on a plain Debian 12. Their address is that of the archive apt
# already uses, so it is read from apt and not written here.
set -eu

have_kicad_9() {
    command -v kicad-cli >/dev/null && [ "$(kicad-cli version | cut -d. -f1)" -ge 9 ]
}

add_backports() {
    archive=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' "Created-By: Packages" |
        awk '$1 == "bookworm" { print $2; exit }')
    if [ -z "$archive" ]; then
        echo "install.sh: apt knows no Debian 12 archive; install KiCad 9 by hand" >&2
        exit 1
    fi
    printf 'Types: deb\nURIs: %s\nSuites: bookworm-backports\nComponents: main\nSigned-By: %s\n' \
        "$archive" /usr/share/keyrings/debian-archive-keyring.gpg \
        >/etc/apt/sources.list.d/bookworm-backports.sources
}

if [ "$(id -u)" -ne 0 ]; then
    echo "install.sh: must be root" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
have_kicad_9 || add_backports
apt-get update -q
# `package/suite` takes just these from the backports; `-t` would upgrade others too.
have_kicad_9 || apt-get install -qy --no-install-recommends kicad/bookworm-backports \
    kicad-footprints/bookworm-backports kicad-symbols/bookworm-backports
apt-get install -qy --no-install-recommends openscad ngspice gerbv xvfb xauth libgl1-mesa-dri \
    librsvg2-bin
