"""The circuit of a playfield: decoder, banks of sensors with their multiplexers, LED chain.

The same for both fields; only columns, rows and the strap differ.
"""

from circuit import Circuit
from playfields import CONNECTOR
from sizes import FIDUCIALS, HOLES


def bank(column):
    return f"BANK_{chr(97 + column)}"


def point_number(point):
    """Number in references: a1 = 101, b1 = 201 ..."""
    return 100 * (point.column + 1) + point.row


def channel_pin(channel):
    return 9 - channel if channel < 8 else 23 - (channel - 8)


def circuit(field, title):
    """The table of parts of a playfield."""
    c = Circuit(field.name, title)
    c.powered = ["+5V_LED", "GND", "VA", "AGND"] + [bank(n) for n in range(field.columns)]
    _common_parts(c, field)
    for column in range(field.columns):
        _bank_parts(c, field, column)
    return c


def _common_parts(c, field):
    c.page("Connector and decoder")
    c.block("Cable from the controller")
    c.add("J1", "HEADER", *CONNECTOR.values())
    c.block("Bank decoder")
    outputs = {f"p{pin}": f"SEL_{chr(97 + field.columns - 1 - number)}"
               for number, pin in enumerate([*range(1, 12), *range(13, 18)])
               if number < field.columns}
    c.add("U1", "DECODER", p12="AGND", p24="VA", p18="/BANK_EN", p19="AGND", p23="BANK0",
          p22="BANK1", p21="BANK2", p20="BANK3", **outputs)
    c.add("C1", "C_100N", "VA", "AGND")
    c.block("Bulk capacitors and field strap")
    for number in (2, 3):
        c.add(f"C{number}", "C_10U", "+5V_LED", "GND")
    c.add("C4", "C_10U", "VA", "AGND")
    c.add("R1", field.strap, "FIELD_ID", "AGND")
    c.block("Test pads")
    last = max(point.led for point in field.points)
    for number, net in enumerate(["+5V_LED", "GND", "VA", "AGND", "SENSE_LINE", f"LED{last + 1}"]):
        c.add(f"TP{number + 1}", "TEST", net)
    c.block("Holes and fiducials")
    for number in range(len(HOLES)):
        c.add(f"H{number + 1}", "HOLE")
    for number in range(len(FIDUCIALS)):
        c.add(f"FID{number + 1}", "FIDUCIAL")


def chain_net(led):
    """The net that leads into an LED of the chain; the first of a field comes by the cable."""
    return "LED_CHAIN" if led == 6 else f"LED{led}"


def _bank_parts(c, field, column):
    letter, rail = chr(97 + column), bank(column)
    c.page(f"Bank {letter}")
    for point in field.column(column):
        number = point_number(point)
        c.block(f"{point.name}: channel {point.channel}, LED {point.led}")
        c.add(f"U{number}", "SENSOR", rail, f"S_{point.name}", "AGND")
        c.add(f"C{number}", "C_10N", rail, "AGND")
        c.add(f"D{number}", "LED", chain_net(point.led + 1), "GND", chain_net(point.led), "+5V_LED")
        c.add(f"C{2000 + number}", "C_100N", "+5V_LED", "GND")
    c.block(f"Bank {letter}: multiplexer")
    used = {point.channel: f"S_{point.name}" for point in field.column(column)}
    channels = {f"p{channel_pin(n)}": used.get(n, "AGND") for n in range(16)}
    number = column + 1
    c.add(f"U{number * 100}", "MUX", p1=f"COM_{letter}", p10="CH0", p11="CH1", p12="AGND",
          p13="CH3", p14="CH2", p15=f"SEL_{letter}", p24="VA", **channels)
    c.add(f"C{number * 100}", "C_100N", "VA", "AGND")
    c.add(f"R{number * 10 + 1}", "R_470", f"COM_{letter}", "SENSE_LINE")
    c.block(f"Bank {letter}: power switch")
    c.add(f"Q{number}", "PFET", f"GATE_{letter}", "VA", rail)
    c.add(f"R{number * 10 + 2}", "R_10K", f"GATE_{letter}", f"SEL_{letter}")
    c.add(f"R{number * 10 + 3}", "R_100K", "VA", f"GATE_{letter}")
    c.add(f"C{2000 + number * 100}", "C_100N", rail, "AGND")
