// A box for the push buttons of one seat or of the judge, with its lid. All lengths in mm.
//
//   openscad -D 'part="box"' -D seat=3 -o box.stl button_box.scad
//
// Print the box top down and the lid flat, without supports. Everything below may be changed here or with -D.

part = "all";          // "box", "lid", or "all" for a look at both
seat = 1;              // so many raised dots tell the seat to fingers; 0 (the judge): a raised bar
buttons = 2;           // 2 for a seat, 3 for the judge
lamps = 1;             // 1 for a seat, 2 for the judge; 0 for none

button_hole = 30.0;    // arcade button of 30 mm; 24 for the small ones
button_rim = 34.0;     // what the button's rim covers
button_depth = 36.0;   // below the panel, with the contacts and their plugs
button_pitch = 48.0;   // from button to button: two fingers never meet
lamp_hole = 5.2;       // LED of 5 mm
cable_hole = 7.0;      // network cable
label = [44, 18];      // what `companion print labels` cuts to
label_sunk = 0.4;      // the label lies so deep that fingers do not lift its edge

wall = 2.4;            // six lines of a nozzle of 0.4 mm
panel = 3.0;           // the buttons' nuts hold 2 to 8 mm
corner = 6.0;          // radius of upright edges
gap = 0.3;             // between parts that fit into each other
screw = 3.0;           // M3, self-cutting into the posts
post = 8.0;
lid = 2.4;
dot = 3.0;             // across; as high as braille, 0.6
$fn = 48;

width = buttons * button_pitch + 16;
depth = button_rim + label[1] + 26;
height = button_depth + panel + 6;
button_y = depth - button_rim / 2 - 12;
label_y = 8;

module rounded(size, r) {
    hull() for (x = [r, size[0] - r], y = [r, size[1] - r]) translate([x, y, 0]) cylinder(r = r, h = size[2]);
}

function button_x(i) = width / 2 + (i - (buttons - 1) / 2) * button_pitch;
function post_at() = [for (x = [post / 2 + wall, width - post / 2 - wall], y = [post / 2 + wall, depth - post / 2 - wall]) [x, y]];

module shell() {
    difference() {
        rounded([width, depth, height], corner);
        translate([wall, wall, -1]) rounded([width - 2 * wall, depth - 2 * wall, height - panel + 1], corner - wall);
    }
    // posts for the lid's screws; they end where the lid begins
    for (at = post_at()) translate([at[0], at[1], lid + gap]) cylinder(d = post, h = height - panel - lid);
    // the ledge that the lid rests on
    difference() {
        translate([wall - 0.01, wall - 0.01, lid + gap]) rounded([width - 2 * wall + 0.02, depth - 2 * wall + 0.02, 2], corner - wall);
        translate([wall + 1.6, wall + 1.6, lid - 1]) rounded([width - 2 * wall - 3.2, depth - 2 * wall - 3.2, 6], max(0.5, corner - wall - 1.6));
    }
}

module marks() {
    // dots as on a die's long way round: in a row, so that a finger counts them
    translate([width / 2, label_y + label[1] + 4, height - 0.01])
        if (seat == 0) translate([-12, -1.2, 0]) cube([24, 2.4, 0.7]);
        else for (i = [0 : seat - 1]) translate([(i - (seat - 1) / 2) * 6, 0, 0]) scale([1, 1, 0.43]) intersection() {
            sphere(d = dot);
            translate([-dot, -dot, 0]) cube(2 * dot);
        }
}

module box() {
    difference() {
        union() { shell(); marks(); }
        for (i = [0 : buttons - 1]) translate([button_x(i), button_y, height - panel - 1]) cylinder(d = button_hole, h = panel + 2);
        if (lamps > 0) for (i = [0 : lamps - 1])
            translate([width / 2 + (i - (lamps - 1) / 2) * 14, depth - 7, height - panel - 1]) cylinder(d = lamp_hole, h = panel + 2);
        // a label before each button
        for (i = [0 : buttons - 1]) translate([button_x(i) - label[0] / 2 - 0.3, label_y - 0.3, height - label_sunk])
            cube([label[0] + 0.6, label[1] + 0.6, 2]);
        // the cable leaves at the back, above the lid
        translate([width / 2, depth + 1, lid + gap + 2 + cable_hole / 2 + 1]) rotate([90, 0, 0]) cylinder(d = cable_hole, h = wall + 4);
        for (at = post_at()) translate([at[0], at[1], -1]) cylinder(d = screw - 0.4, h = height - panel - 4);
    }
    // two eyelets inside for a cable tie: the cable is pulled, never its solder
    for (x = [-8, 8]) translate([width / 2 + x - 1.5, depth - wall - 8, height - panel - 9]) difference() {
        cube([3, 8.01, 9.01]);
        translate([-1, 2, 2]) cube([5, 3.5, 4]);
    }
}

module lid() {
    difference() {
        translate([wall + gap, wall + gap, 0]) rounded([width - 2 * (wall + gap), depth - 2 * (wall + gap), lid], corner - wall - gap);
        for (at = post_at()) translate([at[0], at[1], -1]) {
            cylinder(d = screw + 0.4, h = lid + 2);
            translate([0, 0, 0.99]) cylinder(d1 = 6.2, d2 = screw + 0.4, h = 1.6);
        }
    }
}

if (part == "box") translate([0, depth, height]) rotate([180, 0, 0]) box();
else if (part == "lid") lid();
else {
    box();
    translate([0, -depth - 12, 0]) lid();
}
