// A picture of all pieces for the documents: finished ones behind, opened ones in front.
use <pieces.scad>
// render(): each part becomes a plain body, else the preview gives up on so many cuts.

white = [0.93, 0.92, 0.88]; black = [0.2, 0.2, 0.22]; red = [0.75, 0.15, 0.12];
brass = [0.8, 0.65, 0.25]; steel = [0.75, 0.76, 0.78]; blue = [0.2, 0.35, 0.7];

module marker() {
    color(white) translate([0, 0, 2.5]) render() marker_half(true);
    color(black) translate([0, 0, 2.5]) rotate([180, 0, 0]) render() marker_half(false);
}
module yinsh_ring(colour) color(colour) translate([0, 0, 7]) {
    render() ring_half();
    rotate([180, 0, 0]) render() ring_half();
}
module chip(low, high, colour) color(colour) translate([0, 0, 4]) {
    render() chip_half(low);
    rotate([180, 0, 0]) render() chip_half(high);
}

marker();
translate([28, 0]) { yinsh_ring(white); color(white) translate([0, 0, 0.1]) marker(); }
translate([56, 0]) yinsh_ring(black);
translate([88, 0]) color(white) render() flat(28, 6, 1, false);
translate([120, 0]) color(black) render() flat(28, 11, 2, false);
translate([150, 0]) color(red) render() flat(20, 6, 2, true);
translate([174, 0]) { color(black) render() flat(20, 6, 1, true);
                      color(white) translate([0, 0, 6]) render() flat(20, 6, 1, true); }
translate([198, 0]) chip(3, 4, blue);
translate([220, 0]) chip(6, 1, red);

// Opened: halves with their glued faces up, magnets and ballast beside and in them.
translate([0, -36]) { color(white) translate([0, 0, 2.5]) rotate([180, 0, 0])
                          render() marker_half(true);
                      color(steel) translate([0, 0, 2]) cylinder(d = 5, h = 1, $fn = 48);
                      color(brass) translate([0, 0, 1.9]) render() ring(14, 8, 1.2); }
translate([28, -36]) { color(white) translate([0, 0, 7]) rotate([180, 0, 0]) render() ring_half();
                       for (n = [0:9]) color(steel) rotate(36 * n) translate([9.55, 0, 7])
                           rotate([0, 90, 0]) cylinder(d = 3, h = 1, $fn = 48); }
translate([88, -36]) { color(white) translate([0, 0, 6]) rotate([180, 0, 0])
                           render() flat(28, 6, 1, false);
                       color(steel) translate([0, 0, 3]) cylinder(d = 5, h = 1, $fn = 48); }
translate([120, -36]) color(white) render() flat_lid(1);
translate([150, -36]) { color(red) translate([0, 0, 6]) rotate([180, 0, 0])
                            render() flat(20, 6, 2, true);
                        color(brass) translate([0, 0, 3.4]) render() ring(14, 8, 1.2); }
translate([198, -36]) { color(blue) translate([0, 0, 4]) rotate([180, 0, 0]) render() chip_half(3);
                        color(steel) translate([0, 0, 3.5]) cylinder(d = 3, h = 1, $fn = 48); }
translate([180, -72]) color([0.5, 0.6, 0.5]) render() jig();
