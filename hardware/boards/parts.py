"""Every kind of part on the boards: symbol, footprint, order number, price, height.

One row per kind; a circuit names the kind and says which net each pin is on. Prices are rough,
in USD at the quantity one board set needs, and only good for an estimate. A kind without an order
number is copper or print on the board and does not stand in the list of parts to buy.
The height matters on the front of a playfield, where the plate lies 1.85 mm above the board.
"""

from collections import namedtuple

Kind = namedtuple("Kind", "value symbol footprint maker mpn price height")


def _r(value, code):
    return Kind(value, "Device:R", "Resistor_SMD:R_0603_1608Metric", "Yageo",
                f"RC0603FR-07{code}L", 0.005, 0.55)


def _c(value, mpn, price=0.01):
    return Kind(value, "Device:C", "Capacitor_SMD:C_0603_1608Metric", "Samsung", mpn, price, 0.9)


KINDS = {
    "SENSOR": Kind("DRV5055A1", "Sensor_Magnetic:DRV5055A1xDBZxQ1", "Package_TO_SOT_SMD:SOT-23",
                   "Texas Instruments", "DRV5055A1QDBZR", 0.45, 1.12),
    "LED": Kind("WS2812C-2020", "LED:WS2812B-2020", "LED_SMD:LED_WS2812B-2020_PLCC4_2.0x2.0mm",
                "Worldsemi", "WS2812C-2020-V1", 0.10, 0.90),
    "MUX": Kind("74HC4067", "74xx:CD74HC4067SM", "Package_SO:TSSOP-24_4.4x7.8mm_P0.65mm",
                "Nexperia", "74HC4067PW,118", 0.45, 1.10),
    "DECODER": Kind("74HC154", "74xx:74LS154", "Package_SO:TSSOP-24_4.4x7.8mm_P0.65mm",
                    "Nexperia", "74HC154PW,118", 0.60, 1.10),
    "PFET": Kind("AO3401A", "Transistor_FET:AO3401A", "Package_TO_SOT_SMD:SOT-23",
                 "Alpha & Omega", "AO3401A", 0.05, 1.25),
    "R_100": _r("100", "100R"), "R_220": _r("220", "220R"), "R_330": _r("330", "330R"),
    "R_470": _r("470", "470R"), "R_2K2": _r("2.2k", "2K2"), "R_4K7": _r("4.7k", "4K7"),
    "R_10K": _r("10k", "10K"), "R_100K": _r("100k", "100K"),
    "C_220P": _c("220p C0G", "CL10C221JB8NNNC"), "C_1N": _c("1n", "CL10B102KB8NNNC"),
    "C_10N": _c("10n", "CL10B103KB8NNNC"), "C_100N": _c("100n", "CL10B104KB8NNNC"),
    "C_10U": Kind("10u", "Device:C", "Capacitor_SMD:C_0805_2012Metric", "Samsung",
                  "CL21A106KAYNNNE", 0.04, 1.45),
    "HEADER": Kind("2x10", "Connector_Generic:Conn_02x10_Odd_Even",
                   "Connector_IDC:IDC-Header_2x10_P2.54mm_Vertical", "Wurth", "61202021621",
                   0.60, 9.1),
    "DEBUG": Kind("1x3", "Connector_Generic:Conn_01x03",
                  "Connector_PinHeader_2.54mm:PinHeader_1x03_P2.54mm_Vertical", "Wurth",
                  "61300311121", 0.10, 8.5),
    "PICO": Kind("Pico", "MCU_Module:RaspberryPi_Pico", "Module:RaspberryPi_Pico_Common_THT",
                 "Raspberry Pi", "SC0917", 5.00, 6.5),
    "FUSE": Kind("0.75A", "Device:Polyfuse", "Fuse:Fuse_1206_3216Metric", "Littelfuse",
                 "1206L075THYR", 0.15, 1.0),
    "LDO": Kind("AP2112K-3.3", "Regulator_Linear:AP2112K-3.3", "Package_TO_SOT_SMD:SOT-23-5",
                "Diodes", "AP2112K-3.3TRG1", 0.20, 1.3),
    "SWITCH": Kind("TPS22917", "Power_Management:TPS22917DBV", "Package_TO_SOT_SMD:SOT-23-6",
                   "Texas Instruments", "TPS22917DBVR", 0.45, 1.45),
    "SHIFTER": Kind("74AHCT1G125", "74xGxx:74AHCT1G125", "Package_TO_SOT_SMD:SOT-23-5",
                    "Texas Instruments", "SN74AHCT1G125DBVR", 0.10, 1.45),
    "KEY": Kind("key", "Switch:SW_Push", "Button_Switch_THT:SW_PUSH_6mm_H9.5mm", "Omron",
                "B3F-1070", 0.30, 9.5),
    "PIEZO": Kind("piezo", "Device:Buzzer",
                  "Buzzer_Beeper:Buzzer_TDK_PS1240P02BT_D12.2mm_H6.5mm", "TDK", "PS1240P02BT",
                  0.60, 6.5),
    "TIE": Kind("AGND-GND", "Device:NetTie_2", "NetTie:NetTie-2_SMD_Pad2.0mm", "", "", 0, 0),
    "TEST": Kind("pad", "Connector:TestPoint", "TestPoint:TestPoint_Pad_D1.5mm", "", "", 0, 0),
    "FIDUCIAL": Kind("fiducial", "Mechanical:Fiducial", "Fiducial:Fiducial_1mm_Mask2mm",
                     "", "", 0, 0),
    "HOLE": Kind("M3", "Mechanical:MountingHole", "MountingHole:MountingHole_3.2mm_M3",
                 "", "", 0, 0),
}
