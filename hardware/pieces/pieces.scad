// All pieces of the five games, and a jig for the magnets' poles. Lengths in mm.
//
//   openscad -D 'part="marker_white"' -o marker_white.stl pieces.scad
//
// Every part is printed flat as it lies here, without supports, solid (100 % infill: the weights
// of pieces.py count on it). Magnets are always enclosed: two-faced pieces are two halves glued
// face to face, one-faced pieces have a lid glued in from below. A small hole in a glued face
// marks the side where the north pole points.

part = "marker_white";
spots = 1;              // of a chip half, 1..6

$fn = 96;
gap = 0.1;              // play of a glued joint, each side
magnet_gap = 0.1;       // play of a magnet in its pocket, each side
ballast = [14, 8, 1.2]; // brass ring: outer and inner diameter, height

module ring(outer, inner, height) {
    difference() {
        cylinder(d = outer, h = height);
        translate([0, 0, -1]) cylinder(d = inner, h = height + 2);
    }
}

module disc(diameter, height, chamfer) {
    cylinder(d = diameter, h = height - chamfer);
    translate([0, 0, height - chamfer])
        cylinder(d1 = diameter, d2 = diameter - 2 * chamfer, h = chamfer);
}

// What is cut from the glued face (at z = 0) of a half: half a magnet, half a ballast ring.
module half_pockets(magnet_d, magnet_h, north) {
    translate([0, 0, -1]) cylinder(d = magnet_d + 2 * magnet_gap, h = 1 + magnet_h / 2 + 0.05);
    translate([0, 0, -1])
        ring(ballast[0] + 4 * gap, ballast[1] - 4 * gap, 1 + ballast[2] / 2 + 0.05);
    if (north) translate([3.25, 0, -1]) cylinder(d = 0.8, h = 1.6, $fn = 24);
}

// YINSH marker: a white and a black half, 16 x 5 together; the magnet lies in the middle.
module marker_half(north) {
    difference() {
        disc(16, 2.5, 0.4);
        half_pockets(5, 1, north);
    }
}

// YINSH ring: two equal halves; ten magnets stand upright in slots, pole to pole along the radius.
// The ballast is brass wire of 1.5 mm, laid into the groove of either end and covered with glue.
module ring_half() {
    difference() {
        ring(24, 17.5, 7);
        for (n = [0:9]) rotate(36 * n) translate([9.5, 0, 0]) intersection() {
            translate([0, -1.6, -1]) cube([1.1, 3.2, 2.65]);
            translate([-1, 0, 0]) rotate([0, 90, 0]) cylinder(d = 3.2, h = 4, $fn = 48);
        }
        translate([0, 0, 5.2]) ring(23.2, 19.8, 2);
    }
}

// A piece with one upper side: lid and magnet from below, chamfer above.
lid = [15, 1.4];        // diameter, thickness
module flat(diameter, height, magnet_h, with_ballast, chamfer = 1) {
    difference() {
        disc(diameter, height, chamfer);
        translate([0, 0, -1]) cylinder(d = lid[0] + 2 * gap, h = 1 + lid[1]);
        translate([0, 0, -1]) cylinder(d = 5 + 2 * magnet_gap, h = 1 + 2.5 + magnet_h / 2 + 0.05);
        if (with_ballast) translate([0, 0, lid[1] - 0.01])
            ring(ballast[0] + 4 * gap, ballast[1] - 4 * gap, ballast[2] + 0.06);
    }
}

// The lid of a flat piece; its boss holds the magnet with its centre 2.5 above the board.
module flat_lid(magnet_h) {
    cylinder(d = lid[0], h = lid[1]);
    translate([0, 0, lid[1] - 0.01]) cylinder(d = 5, h = 2.5 - magnet_h / 2 - lid[1] + 0.01);
}

// GLUX chip: two halves of 18 x 4, a rim 0.3 high, spots 0.5 deep below the face.
spot_places = [
    [[0, 0]],
    [[-1, -1], [1, 1]],
    [[-1, -1], [0, 0], [1, 1]],
    [[-1, -1], [1, 1], [-1, 1], [1, -1]],
    [[-1, -1], [1, 1], [-1, 1], [1, -1], [0, 0]],
    [[-1, -1], [1, 1], [-1, 1], [1, -1], [-1, 0], [1, 0]]];
module chip_half(spots) {
    difference() {
        disc(18, 4, 0.4);
        half_pockets(3, 1, spots <= 3);
        translate([0, 0, 3.7]) cylinder(d = 15.6, h = 1);
        for (place = spot_places[spots - 1])
            translate([4 * place[0], 4 * place[1], 3.2]) cylinder(d = 2.6, h = 2, $fn = 48);
    }
}

// The jig: a reference magnet is glued under each well, north up. A magnet dropped into the well
// turns itself north up and stays; lay the piece over it, or lift it out with the marked side up.
// Beside the wells a slot for the ring's discs: the wall of the slot is the outward side.
module jig() {
    difference() {
        translate([-25, -12, 0]) cube([50, 24, 9]);
        for (well = [[-15, 5], [0, 3]]) translate([well[0], 0, 0]) {
            translate([0, 0, 7.5]) cylinder(d = well[1] + 0.4, h = 2);
            translate([0, 0, -1]) cylinder(d = 5.2, h = 4);
        }
        translate([12, -2, 6]) cube([1.4, 4, 4]);
        translate([18, 0, 7.3]) rotate([0, 90, 0]) cylinder(d = 5.2, h = 8);
        translate([-16.5, -10, 8.4]) linear_extrude(1) text("N up", size = 4);
        translate([6, -10, 8.4]) linear_extrude(1) text("N out", size = 4);
    }
}

if (part == "marker_white") marker_half(true);
if (part == "marker_black") marker_half(false);
if (part == "ring_half") ring_half();
if (part == "piece_20") flat(20, 6, 1, true);
if (part == "piece_20_strong") flat(20, 6, 2, true);
if (part == "gipf_basic") flat(28, 6, 1, false);
if (part == "gipf_piece") flat(28, 11, 2, false);
if (part == "lid") flat_lid(1);
if (part == "lid_strong") flat_lid(2);
if (part == "chip_half") chip_half(spots);
if (part == "jig") jig();
