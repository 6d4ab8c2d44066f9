"""The controller: Pico, keys with their lights, piezo, LED supply, analog supply, cable.

The board lies in front of the playfield, keys towards the player, USB to the left. Its tracks
follow no pattern, so the maze router draws them; the back is ground. Analog ground and ground meet
only here, at the tie beside the Pico's own AGND pin.

    USB -> Pico VBUS -> fuse -> +5V -> load switch -> +5V_LED -> cable, key LEDs
                                   -> regulator   -> VA      -> cable, ADC reference
"""

from circuit import Circuit
from draw import BACK, EDGE, FRONT, Board
from maze import Maze
from playfields import CONNECTOR, KEY_LEDS, pins
from sizes import CONTROLLER, KEY_PITCH, KEY_X, KEY_Y, KEYS, LED_Y, PANEL, PANEL_HOLES

FIDUCIALS = [(56, 11), (157, 12), (11, 58)]
PICO_AT = (3.4, 25.5)           # pin 1; the USB socket reaches over the left edge

# Pin of the module for each GPIO; the rest is ground or supply.
GPIO_PIN = {0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16,
            13: 17, 14: 19, 15: 20, 16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29,
            26: 31, 27: 32}
PICO_GROUND = (3, 8, 13, 18, 23, 28, 38)
PULL = {"down": "GND", "up": "VA"}
PULL_REFS = ["R1", "R2", "R3", "R4", "R5", "R7", "R6", "R11"]   # in the order of pins.csv

# Where the other parts lie: x, y, turn.
PLACES = {
    "J1": (99.0, 10.5, 90), "J2": (66.0, 31.5, 90), "BZ1": (137.0, 22.0, 0),
    "F1": (63.0, 10.0, 0), "U2": (70.0, 13.5, 0), "C1": (66.0, 15.5, 90), "C2": (74.0, 14.0, 90),
    "C3": (77.0, 14.0, 90), "NT1": (72.0, 6.0, 0),
    "U3": (66.0, 21.5, 0), "C4": (62.0, 19.5, 90), "C5": (70.5, 23.5, 90), "R9": (70.5, 18.5, 90),
    "C6": (75.0, 20.5, 90), "C7": (78.0, 20.5, 90),
    "U4": (84.0, 21.0, 0), "C8": (84.0, 17.0, 0), "R8": (89.0, 22.0, 0), "R7": (84.0, 25.5, 0),
    "R10": (95.0, 17.0, 90), "C9": (98.0, 17.0, 90), "R11": (101.5, 17.0, 90),
    "R1": (104.5, 21.0, 90), "R2": (107.0, 21.0, 90), "R3": (109.5, 21.0, 90),
    "R4": (112.0, 21.0, 90), "R5": (114.5, 21.0, 90), "R6": (62.0, 25.5, 0),
    "R12": (131.0, 22.0, 0),
    "TP1": (127, 31, 0), "TP2": (131, 31, 0), "TP3": (135, 31, 0), "TP4": (139, 31, 0),
    "TP5": (143, 31, 0), "TP6": (147, 31, 0),
}
TEST_NETS = ["SYNC", "+5V", "+5V_LED", "VA", "AGND", "GND"]


def circuit():
    c = Circuit("controller", "lodestone controller")
    c.powered = ["+5V"]
    table = pins()
    c.page("Module and cable")
    c.block("Raspberry Pi Pico")
    nets = {f"p{GPIO_PIN[gpio]}": signal for signal, (gpio, _) in table.items() if gpio in GPIO_PIN}
    c.add("U1", "PICO", p1="UART_TX", p2="UART_RX", p33="AGND", p35="VA", p40="VBUS",
          **{f"p{pin}": "GND" for pin in PICO_GROUND}, **nets)
    c.add("J2", "DEBUG", "UART_TX", "UART_RX", "GND")
    c.block("Cable to the playfield")
    c.add("J1", "HEADER", *CONNECTOR.values())
    c.block("Sense line: filter at the ADC")
    c.add("R10", "R_100", "SENSE_LINE", "SENSE")
    c.add("C9", "C_220P", "SENSE", "AGND")
    c.block("Pulls: what lines do while nobody drives them")
    pulled = [(signal, PULL[pull]) for signal, (_, pull) in table.items() if pull in PULL]
    for ref, (signal, to) in zip(PULL_REFS, pulled, strict=True):
        c.add(ref, "R_10K", signal, to)
    _supply(c)
    _panel(c)
    return c


def _supply(c):
    c.page("Supplies")
    c.block("Fuse")
    c.add("F1", "FUSE", "VBUS", "+5V")
    c.block("Analog 3.3 V, the one reference of sensors and ADC")
    c.add("U2", "LDO", p1="+5V", p2="AGND", p3="+5V", p5="VA")
    c.add("C1", "C_10U", "+5V", "AGND")
    c.add("C2", "C_10U", "VA", "AGND")
    c.add("C3", "C_100N", "VA", "AGND")
    c.block("The only joint of analog ground and ground")
    c.add("NT1", "TIE", "AGND", "GND")
    c.block("LED supply, switched, slow start")
    c.add("U3", "SWITCH", p1="+5V", p2="GND", p3="LED_EN", p4="LED_SLOPE", p5="LED_DRAIN",
          p6="+5V_LED")
    c.add("C4", "C_10U", "+5V", "GND")
    c.add("C5", "C_1N", "LED_SLOPE", "GND")
    c.add("R9", "R_220", "LED_DRAIN", "+5V_LED")
    c.add("C6", "C_10U", "+5V_LED", "GND")
    c.add("C7", "C_10U", "+5V_LED", "GND")
    c.block("Level shifter of the LED chain")
    c.add("U4", "SHIFTER", p1="GND", p2="LED_DATA", p3="GND", p4="LED_OUT", p5="+5V_LED")
    c.add("C8", "C_100N", "+5V_LED", "GND")
    c.add("R8", "R_330", "LED_OUT", "LED0")
    c.block("Test pads")
    for number, net in enumerate(TEST_NETS, 1):
        c.add(f"TP{number}", "TEST", net)


def _panel(c):
    c.page("Keys, lights, piezo")
    for number, signal in enumerate(KEYS, 1):
        c.block(f"Key {signal}")
        c.add(f"SW{number}", "KEY", signal, "GND")
        if number <= KEY_LEDS:
            after = "LED_CHAIN" if number == KEY_LEDS else f"LED{number}"
            c.add(f"D{number}", "LED", after, "GND", f"LED{number - 1}", "+5V_LED")
            c.add(f"C{10 + number}", "C_100N", "+5V_LED", "GND")
    c.block("Piezo")
    c.add("R12", "R_220", "BUZZER", "PIEZO")
    c.add("BZ1", "PIEZO", "PIEZO", "GND")
    c.block("Holes and fiducials")
    for number in range(len(PANEL_HOLES)):
        c.add(f"H{number + 1}", "HOLE")
    for number in range(len(FIDUCIALS)):
        c.add(f"FID{number + 1}", "FIDUCIAL")


def board(parts, path, open_pins):
    b = Board(parts, path, open_pins)
    b.outline(0, 0, *PANEL)
    b.place("U1", *PICO_AT, 90)
    for ref, (x, y, turn) in PLACES.items():
        b.place(ref, x, y, turn)
    for number, signal in enumerate(KEYS, 1):
        x = KEY_X + KEY_PITCH * (number - 1)
        b.place(f"SW{number}", x - 3.25, KEY_Y - 2.25)
        b.text(signal, x, KEY_Y + 8.0, 2)
        if number <= KEY_LEDS:
            b.place(f"D{number}", x, LED_Y, 90)
            b.place(f"C{10 + number}", x + 4.0, LED_Y, 90)
    for number, at in enumerate(PANEL_HOLES, 1):
        b.place(f"H{number}", *at)
    for number, at in enumerate(FIDUCIALS, 1):
        b.place(f"FID{number}", *at)
    for number, net in enumerate(TEST_NETS, 1):
        x, y, _ = PLACES[f"TP{number}"]
        b.text(net, x, y + 2.2 + 1.6 * (number % 2), 1)
    b.text("lodestone controller, revision 1 (drawn, never built)", 132, 2.2, 1.2)
    maze = Maze(b, 0.75, 0.75, PANEL[0] - 0.75, PANEL[1] - 0.75,
                wide=CONTROLLER)
    maze.route_all(plane="GND", first=["VBUS", "+5V", "AGND", "VA", "+5V_LED", "SENSE"])
    maze.stitch("GND", 2.5)
    for side in (FRONT, BACK):
        b.zone("GND", side, EDGE, EDGE, PANEL[0] - EDGE, PANEL[1] - EDGE)
    return b
