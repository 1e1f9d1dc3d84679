// A mast for the camera: a clamp for the table's edge, an elbow between two tubes, a head that tilts. Lengths in mm.
//
//   openscad -D 'part="clamp"' -o clamp.stl camera_mast.scad
//
// The tubes are bought: aluminium or a broom handle, `tube` across; the upright one as long as the lens stands high
// (62 cm for a table of 66 x 38 cm) less 2 cm, the arm from the table's edge to the middle of the playing area less 9 cm.
// Print as laid out, without supports but for the clamp's jaw; four walls, a quarter filled: it must not sway.

part = "all";            // "clamp", "pad", "elbow", "head", "plate", or "all" for a look at them together

tube = 25.0;             // outer diameter
tube_gap = 0.4;
socket = 45.0;           // how deep a tube sits
wall = 6.0;
table_thick = 45.0;      // the thickest table top that fits
jaw = 60.0;              // how far the clamp reaches under the table
wide = 50.0;
knob_screw = 8.0;        // M8 with a knob presses the pad against the table from below; its nut sits in the jaw
tube_screw = 5.0;        // M5 with a nut pinches each tube
pcb = [25.0, 24.0];      // Camera Module 3 (and 1, 2)
pcb_holes = [21.0, 12.5];
pcb_screw = 2.0;         // M2 x 6, self-cutting: beside the tongue there is no room for nuts
hinge_screw = 5.0;
cable = 17.0;            // ribbon cable of 15 contacts
$fn = 64;

nut5 = [8.2, 4.2];       // across the flats, height
nut8 = [13.3, 6.7];

module nut(size, h) { cylinder(d = size[0] / cos(30), h = h, $fn = 6); }

// A socket for a tube along z, open at the top, split and pinched by a screw.
module tube_socket() {
    d = tube + tube_gap;
    difference() {
        union() {
            cylinder(d = d + 2 * wall, h = socket + wall);
            translate([0, -9, 0]) cube([d / 2 + wall + 13, 18, socket + wall]);
        }
        translate([0, 0, wall]) cylinder(d = d, h = socket + 1);
        translate([0, -1.5, wall]) cube([d + 2 * wall + 20, 3, socket + 1]);
        for (z = [wall + socket / 3, wall + socket * 4 / 5]) translate([d / 2 + wall + 5, 0, z]) rotate([90, 0, 0]) {
            translate([0, 0, -20]) cylinder(d = tube_screw + 0.4, h = 40);
            translate([0, 0, 6]) nut(nut5, 10);
        }
    }
}

module clamp() {
    reach = table_thick + 18;
    back = wall * 2;
    // the arm above the table, the back, and the jaw below
    translate([-back, -wide / 2, 0]) cube([jaw + back, wide, wall * 2]);
    translate([-back, -wide / 2, -reach]) cube([back, wide, reach + 1]);
    difference() {
        translate([-back, -wide / 2, -reach - 16]) cube([jaw + back, wide, 16.01]);
        translate([jaw * 0.6, 0, -reach - 17]) cylinder(d = knob_screw + 0.6, h = 20);
        translate([jaw * 0.6, 0, -reach - nut8[1]]) nut(nut8, nut8[1] + 1);
    }
    // ribs
    for (y = [-wide / 2, wide / 2 - wall]) translate([0, y + wall, 0]) rotate([90, 0, 0]) linear_extrude(wall)
        polygon([[0, -reach], [0, -reach + 14], [14, -reach]]);
    translate([jaw / 2, 0, wall * 2 - 0.01]) rotate([0, 0, 180]) tube_socket();
}

// What presses against the table: a cup over the screw's end; glue felt on it.
module pad() {
    difference() {
        cylinder(d = 34, h = 9);
        translate([0, 0, 3]) cylinder(d = knob_screw + 0.8, h = 10);
    }
}

module elbow() {
    d = tube + tube_gap + 2 * wall;
    translate([0, 0, -socket - wall]) mirror([0, 0, 1]) translate([0, 0, -socket - wall]) tube_socket();
    translate([0, 0, -0.01]) cylinder(d = d, h = d / 2 + 0.02);
    translate([0, 0, d / 2]) rotate([0, 90, 0]) {
        cylinder(d = d, h = d / 2);
        translate([0, 0, d / 2 - 0.01]) rotate([0, 0, 180]) tube_socket();
    }
    translate([0, 0, d / 2]) sphere(d = d);
}

// On the far end of the arm: a fork for the plate's hinge.
module head() {
    d = tube + tube_gap + 2 * wall;
    tube_socket();
    translate([0, 0, -10]) cylinder(d = d, h = 10.01);
    difference() {
        for (y = [-10, 4]) translate([-9, y, -34]) cube([18, 6, 25]);
        translate([0, 20, -25]) rotate([90, 0, 0]) cylinder(d = hinge_screw + 0.4, h = 40);
        translate([0, -7.9, -25]) rotate([90, 0, 0]) nut(nut5, 4);
    }
}

// Carries the camera; its tongue goes between the fork. The lens looks away from the tongue.
module plate() {
    size = [pcb[0] + 14, pcb[1] + 10, 4];
    difference() {
        translate([-size[0] / 2, -size[1] / 2, 0]) cube(size);
        // behind the board there are parts 2 mm high, and the plug of the cable
        translate([-pcb[0] / 2 + 2.2, -pcb[1] / 2 + 4, 1.8]) cube([pcb[0] - 4.4, pcb[1] - 2, 4]);
        translate([-cable / 2, -size[1] / 2 - 1, -1]) cube([cable, 6, 8]);
        for (x = [-1, 1], y = [0, 1]) translate([x * pcb_holes[0] / 2, pcb[1] / 2 - 2 - y * pcb_holes[1], -1])
            cylinder(d = pcb_screw - 0.3, h = 8);
    }
    for (x = [-1, 1], y = [0, 1]) translate([x * pcb_holes[0] / 2, pcb[1] / 2 - 2 - y * pcb_holes[1], 0]) difference() {
        cylinder(d = 4.4, h = 5);
        translate([0, 0, -1]) cylinder(d = pcb_screw - 0.3, h = 8);
    }
    difference() {
        translate([-9, -3.8, -22]) cube([18, 7.6, 22.01]);
        translate([0, 20, -14]) rotate([90, 0, 0]) cylinder(d = hinge_screw + 0.4, h = 40);
    }
}

if (part == "clamp") rotate([90, 0, 0]) clamp();
else if (part == "pad") pad();
else if (part == "elbow") rotate([90, 0, 0]) elbow();
else if (part == "head") rotate([180, 0, 0]) head();
else if (part == "plate") rotate([90, 0, 0]) plate();
else {
    up = 260;
    across = 230;
    elbow_middle = up + (tube + tube_gap + 2 * wall) / 2;
    hinge = [jaw / 2 + across + 25, 0, elbow_middle];
    color("SteelBlue") clamp();
    color("BurlyWood") translate([0, -120, -22.5]) cube([220, 240, 22]);
    color("SteelBlue") translate([jaw * 0.6, 0, -23]) rotate([180, 0, 0]) pad();
    color("Silver") translate([jaw * 0.6, 0, -115]) cylinder(d = knob_screw, h = 88);
    color("LightGrey") translate([jaw / 2, 0, 20]) cylinder(d = tube, h = up - 60);
    color("SteelBlue") translate([jaw / 2, 0, up]) elbow();
    color("LightGrey") translate([jaw / 2 + 40, 0, elbow_middle]) rotate([0, 90, 0]) cylinder(d = tube, h = across - 60);
    color("SteelBlue") translate([jaw / 2 + across, 0, elbow_middle]) rotate([0, -90, 0]) head();
    color("DarkOrange") translate(hinge) rotate([180, 0, 0]) translate([0, 0, 14]) plate();
}
