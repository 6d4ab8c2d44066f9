"""What boards, checks and case share about sizes: widths of tracks, outline, holes. mm.

Plain numbers, so that checks can read them without KiCad.
"""

SIGNAL = 0.25       # every signal
RAIL = 0.5          # switched supply of a bank of sensors
TRUNK = 0.7         # +5 V of a column of LEDs; as wide as the gap between an LED's pads allows
GROUND = 1.0        # ground of a column of LEDs
BAR = 2.0           # +5 V and ground of all LEDs, along the strip
VA_BAR = 1.5        # analog supply along the strip
CONTROLLER = {"VBUS": 0.8, "+5V": 0.6, "+5V_LED": 0.6, "VA": 0.4, "AGND": 0.6}

# Both playfields have one outline and one set of holes: one frame, one set of spacers.
OUTLINE = (-182.5, -166.0, 182.5, 209.0)    # from the centre of the field, y down
HOLES = [(-177.5, -161), (0, -161), (177.5, -161), (-177.5, 20), (177.5, 20),
         (-177.5, 204), (177.5, 204)]
FIDUCIALS = [(-170, -161), (170, -161), (170, 204)]
