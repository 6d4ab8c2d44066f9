// Printed parts of the case: spacers between board and plate, pillars, diffusers. Lengths in mm.
//
//   openscad -D 'part="spacer"' -o spacer.stl case.scad

part = "spacer";
$fn = 64;
height = 1.85;      // board to plate: fixed, the sensors' depth depends on it
plate = 6.0;

module spacer() difference() {      // around a screw
    cylinder(d = 7, h = height);
    translate([0, 0, -1]) cylinder(d = 3.4, h = height + 2);
}
module pillar() cylinder(d = 5, h = height);     // glued onto the printed circles
module diffuser(length) hull()      // pressed into a light slot, clear filament, printed solid
    for (x = [0, length]) translate([x, 0, 0]) cylinder(d = 2.9, h = plate);

if (part == "spacer") spacer();
if (part == "pillar") pillar();
if (part == "diffuser_hex") diffuser(4.82);
if (part == "diffuser_square") diffuser(4.95);
