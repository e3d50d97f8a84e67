"""The map's shapes, drawn for Ludus: a simplified Europe in degrees of longitude and latitude.

A border that two provinces share is the same corners in both, so neighbours on the map are
neighbours in the game.
"""

from __future__ import annotations

from functools import cache

__all__ = ["ANCHORS", "LAKES", "NEUTRAL", "SEA_BORDERS", "SIZE", "outlines", "project"]

Point = tuple[float, float]

WEST, EAST, SOUTH, NORTH = -21.0, 46.0, 30.0, 72.6
SCALE, NARROWED, ARCTIC, SQUEEZED = 26.0, 0.67, 60.0, 0.6

# Corners that several provinces share, or where one coast ends and another begins.
CORNERS: dict[str, Point] = {
    # the British Isles
    "cly-edi": (-3.1, 58.6),
    "edi-yor": (-2.0, 55.8),
    "yor-lon": (0.3, 52.9),
    "lon-wal": (-1.9, 50.7),
    "wal-lvp": (-3.1, 53.3),
    "lvp-cly": (-4.9, 55.6),
    "cly-edi-lvp": (-4.0, 56.1),
    "edi-lvp-yor": (-2.5, 55.2),
    "lvp-yor-wal": (-2.3, 53.1),
    "yor-wal-lon": (-1.5, 52.1),
    # Iberia and France
    "por-spa-n": (-8.8, 41.9),
    "por-spa-s": (-7.4, 37.2),
    "spa-gas": (-1.8, 43.4),
    "spa-gas-mar": (0.8, 42.7),
    "spa-mar": (3.1, 42.4),
    "gas-bre": (-1.2, 46.1),
    "gas-bre-par": (0.5, 46.8),
    "gas-par-bur": (2.8, 46.5),
    "gas-bur-mar": (3.4, 45.2),
    "mar-bur-swi": (6.1, 46.2),
    "mar-swi-pie": (7.0, 45.9),
    "mar-pie": (7.5, 43.8),
    "bre-pic": (0.3, 49.6),
    "bre-pic-par": (1.0, 48.9),
    "pic-par-bur": (3.4, 48.8),
    "pic-bel-bur": (4.0, 49.8),
    "pic-bel": (2.5, 51.0),
    # the Low Countries and Germany
    "bel-hol": (3.7, 51.6),
    "bel-hol-ruh": (6.2, 51.3),
    "bel-ruh-bur": (6.2, 49.6),
    "bur-ruh-mun": (7.6, 49.2),
    "bur-mun-swi": (7.6, 47.6),
    "hol-kie": (7.1, 53.5),
    "hol-kie-ruh": (7.1, 52.4),
    "ruh-kie-mun": (9.6, 51.1),
    "kie-den-w": (8.6, 55.0),
    "kie-den-e": (9.7, 54.8),
    "kie-ber": (12.0, 54.2),
    "kie-ber-mun": (11.6, 51.6),
    "ber-mun-sil": (13.8, 51.2),
    "ber-pru": (15.2, 54.3),
    "ber-pru-sil": (15.8, 52.6),
    "mun-sil-boh": (14.4, 50.9),
    "mun-boh-tyr": (13.1, 48.7),
    "mun-tyr-swi": (9.7, 47.5),
    "pru-lvn": (21.2, 55.6),
    "pru-lvn-war": (22.8, 54.5),
    "pru-war-sil": (18.0, 52.4),
    # Austria
    "sil-war-gal": (19.2, 50.4),
    "sil-gal-boh": (18.4, 49.9),
    "boh-gal-vie": (17.8, 49.2),
    "boh-vie-tyr": (14.6, 48.5),
    "tyr-vie-tri": (14.8, 46.6),
    "tyr-tri-ven": (13.2, 46.4),
    "tyr-ven-pie": (9.9, 45.8),
    "tyr-pie-swi": (8.8, 46.1),
    "vie-gal-bud": (19.4, 49.2),
    "vie-bud-tri": (16.6, 46.8),
    "gal-bud-rum": (25.0, 47.9),
    "gal-rum-ukr": (26.8, 48.5),
    "gal-war-ukr": (24.3, 50.7),
    # Italy
    "pie-tus": (9.9, 44.1),
    "pie-tus-ven": (10.3, 44.6),
    "ven-tri": (13.5, 45.7),
    "ven-apu": (14.2, 42.6),
    "ven-apu-rom": (13.5, 42.3),
    "ven-rom-tus": (12.2, 43.2),
    "tus-rom": (11.7, 42.3),
    "rom-nap": (13.5, 41.2),
    "rom-nap-apu": (14.4, 41.5),
    "nap-apu": (16.8, 40.4),
    # the Balkans
    "tri-alb": (18.9, 42.2),
    "tri-alb-ser": (19.7, 42.9),
    "tri-ser-bud": (19.2, 44.9),
    "bud-ser-rum": (21.5, 44.8),
    "alb-ser-gre": (20.9, 41.0),
    "alb-gre": (20.1, 39.6),
    "ser-gre-bul": (22.9, 41.4),
    "ser-bul-rum": (22.7, 44.1),
    "gre-bul": (24.4, 40.8),
    "bul-con-s": (26.1, 40.7),
    "bul-con-e": (28.0, 41.9),
    "bul-rum": (28.6, 43.8),
    "rum-sev": (30.2, 45.7),
    "rum-sev-ukr": (29.0, 47.7),
    # Turkey
    "con-ank": (31.2, 41.1),
    "con-ank-smy": (30.4, 39.7),
    "con-smy": (26.7, 39.3),
    "ank-arm": (39.7, 41.0),
    "ank-arm-smy": (38.2, 39.3),
    "smy-arm-syr": (39.2, 37.7),
    "smy-syr": (36.1, 36.6),
    "arm-sev": (41.4, 42.3),
    # Russia and Scandinavia
    "war-ukr-mos": (27.0, 51.8),
    "war-mos-lvn": (26.6, 53.8),
    "ukr-mos-sev": (36.8, 50.2),
    "lvn-mos-stp": (28.8, 57.4),
    "lvn-stp": (28.0, 59.5),
    "fin-stp": (28.2, 60.6),
    "nwy-stp": (30.5, 69.9),
    "nwy-stp-fin": (29.0, 69.1),
    "nwy-fin-swe": (21.0, 69.0),
    "nwy-swe": (11.2, 59.0),
    "swe-fin": (24.1, 65.8),
    "den-swe-n": (12.5, 56.2),
    "den-swe-s": (12.8, 55.6),
    # Africa
    "naf-tun": (7.8, 37.0),
    # the frame
    "sev-arm-east": (EAST, 42.0),
    "arm-syr-east": (EAST, 37.2),
    "mos-sev-east": (EAST, 50.6),
    "stp-mos-east": (EAST, 59.4),
    "naf-tun-south": (8.2, SOUTH),
}  # fmt: skip

# Provinces as walks around them: names of corners, and points that nobody shares.
WALKS: dict[str, list[str | Point]] = {
    "CLY": ["cly-edi", "cly-edi-lvp", "lvp-cly", (-5.7, 55.4), (-5.5, 56.2), (-6.3, 56.7),
            (-5.6, 57.4), (-5.0, 58.6)],
    "EDI": ["cly-edi", (-4.1, 57.6), (-1.8, 57.6), (-2.9, 56.3), "edi-yor", "edi-lvp-yor",
            "cly-edi-lvp"],
    "YOR": ["edi-yor", (-1.2, 54.6), (0.1, 53.6), "yor-lon", "yor-wal-lon", "lvp-yor-wal",
            "edi-lvp-yor"],
    "LON": ["yor-lon", (1.8, 52.6), (0.8, 51.5), (1.4, 51.2), (0.0, 50.8), "lon-wal",
            "yor-wal-lon"],
    "WAL": ["lon-wal", (-3.5, 50.3), (-5.7, 50.0), (-4.3, 51.1), (-2.9, 51.4), (-5.2, 51.8),
            (-4.2, 52.4), (-4.5, 53.2), "wal-lvp", "lvp-yor-wal", "yor-wal-lon"],
    "LVP": ["wal-lvp", (-2.9, 54.1), (-3.5, 54.8), (-5.0, 54.8), "lvp-cly", "cly-edi-lvp",
            "edi-lvp-yor", "lvp-yor-wal"],
    "POR": ["por-spa-n", (-6.5, 41.8), (-7.0, 39.6), "por-spa-s", (-8.9, 37.0), (-9.4, 38.7)],
    "SPA": ["por-spa-n", (-9.2, 43.1), (-7.7, 43.8), (-3.8, 43.5), "spa-gas", "spa-gas-mar",
            "spa-mar", (2.2, 41.3), (0.7, 40.7), (-0.3, 39.5), (0.2, 38.8), (-0.7, 37.6),
            (-2.1, 36.7), (-4.5, 36.7), (-5.6, 36.0), (-6.4, 36.7), "por-spa-s", (-7.0, 39.6),
            (-6.5, 41.8)],
    "GAS": ["spa-gas", (-1.3, 44.7), "gas-bre", "gas-bre-par", "gas-par-bur", "gas-bur-mar",
            "spa-gas-mar"],
    "MAR": ["spa-mar", "spa-gas-mar", "gas-bur-mar", "mar-bur-swi", "mar-swi-pie", "mar-pie",
            (6.2, 43.0), (4.4, 43.4)],
    "BRE": ["gas-bre", (-2.2, 47.2), (-4.5, 47.8), (-4.8, 48.5), (-1.6, 48.6), (-1.8, 49.7),
            "bre-pic", "bre-pic-par", "gas-bre-par"],
    "PIC": ["bre-pic", (1.6, 50.2), (1.7, 50.9), "pic-bel", "pic-bel-bur", "pic-par-bur",
            "bre-pic-par"],
    "PAR": ["bre-pic-par", "pic-par-bur", "gas-par-bur", "gas-bre-par"],
    "BUR": ["gas-par-bur", "pic-par-bur", "pic-bel-bur", "bel-ruh-bur", "bur-ruh-mun",
            "bur-mun-swi", "mar-bur-swi", "gas-bur-mar"],
    "BEL": ["pic-bel", (3.1, 51.3), "bel-hol", "bel-hol-ruh", "bel-ruh-bur", "pic-bel-bur"],
    "HOL": ["bel-hol", (4.3, 52.2), (4.7, 53.0), (5.8, 53.5), "hol-kie", "hol-kie-ruh",
            "bel-hol-ruh"],
    "RUH": ["bel-hol-ruh", "hol-kie-ruh", "ruh-kie-mun", "bur-ruh-mun", "bel-ruh-bur"],
    "KIE": ["hol-kie", (8.3, 53.6), (8.9, 53.9), "kie-den-w", "kie-den-e", (11.0, 54.4),
            (10.9, 54.0), "kie-ber", "kie-ber-mun", "ruh-kie-mun", "hol-kie-ruh"],
    "BER": ["kie-ber", (13.6, 54.6), (13.9, 53.9), "ber-pru", "ber-pru-sil", "ber-mun-sil",
            "kie-ber-mun"],
    "MUN": ["bur-ruh-mun", "ruh-kie-mun", "kie-ber-mun", "ber-mun-sil", "mun-sil-boh",
            (12.2, 50.2), "mun-boh-tyr", (12.9, 47.7), "mun-tyr-swi", "bur-mun-swi"],
    "PRU": ["ber-pru", (17.6, 54.8), (18.8, 54.4), (19.9, 54.9), (21.0, 55.3), "pru-lvn",
            "pru-lvn-war", (20.8, 53.2), "pru-war-sil", "ber-pru-sil"],
    "SIL": ["ber-pru-sil", "pru-war-sil", "sil-war-gal", "sil-gal-boh", (16.3, 50.3),
            "mun-sil-boh", "ber-mun-sil"],
    "BOH": ["mun-sil-boh", (16.3, 50.3), "sil-gal-boh", "boh-gal-vie", (16.2, 48.9),
            "boh-vie-tyr", "mun-boh-tyr", (12.2, 50.2)],
    "TYR": ["mun-boh-tyr", "boh-vie-tyr", "tyr-vie-tri", "tyr-tri-ven", (11.2, 45.7),
            "tyr-ven-pie", "tyr-pie-swi", "mun-tyr-swi", (12.9, 47.7)],
    "VIE": ["boh-vie-tyr", (16.2, 48.9), "boh-gal-vie", "vie-gal-bud", (17.2, 47.9),
            "vie-bud-tri", "tyr-vie-tri"],
    "GAL": ["sil-war-gal", (22.0, 50.6), "gal-war-ukr", "gal-rum-ukr", "gal-bud-rum",
            (22.6, 49.0), "vie-gal-bud", "boh-gal-vie", "sil-gal-boh"],
    "BUD": ["vie-gal-bud", (22.6, 49.0), "gal-bud-rum", (26.2, 46.2), (25.0, 45.5),
            "bud-ser-rum", "tri-ser-bud", "vie-bud-tri", (17.2, 47.9)],
    "TRI": ["tyr-vie-tri", "vie-bud-tri", "tri-ser-bud", (19.4, 43.8), "tri-alb-ser", "tri-alb",
            (16.5, 43.4), (15.2, 44.3), (14.7, 45.2), (13.8, 44.8), "ven-tri", "tyr-tri-ven"],
    "PIE": ["mar-pie", "mar-swi-pie", "tyr-pie-swi", "tyr-ven-pie", "pie-tus-ven", "pie-tus",
            (8.9, 44.4)],
    "VEN": ["tyr-ven-pie", (11.2, 45.7), "tyr-tri-ven", "ven-tri", (12.4, 45.4), (12.4, 44.4),
            (13.6, 43.5), "ven-apu", "ven-apu-rom", "ven-rom-tus", "pie-tus-ven"],
    "TUS": ["pie-tus", "pie-tus-ven", "ven-rom-tus", "tus-rom", (10.8, 42.6), (10.4, 43.5)],
    "ROM": ["tus-rom", "ven-rom-tus", "ven-apu-rom", "rom-nap-apu", "rom-nap", (12.4, 41.6)],
    "APU": ["ven-apu", (15.2, 41.9), (16.2, 41.8), (16.0, 41.4), (18.0, 40.7), (18.4, 39.8),
            (17.3, 40.3), "nap-apu", "rom-nap-apu", "ven-apu-rom"],
    "NAP": ["rom-nap", "rom-nap-apu", "nap-apu", (16.6, 39.7), (17.2, 39.0), (16.2, 38.0),
            (15.2, 36.7), (12.6, 37.6), (12.6, 38.1), (15.4, 38.1), (15.9, 38.8), (15.4, 40.0),
            (14.4, 40.7)],
    "ALB": ["tri-alb", "tri-alb-ser", "alb-ser-gre", "alb-gre", (19.3, 40.4), (19.5, 41.5)],
    "SER": ["tri-ser-bud", "bud-ser-rum", "ser-bul-rum", (22.5, 42.6), "ser-gre-bul",
            "alb-ser-gre", "tri-alb-ser", (19.4, 43.8)],
    "GRE": ["alb-gre", "alb-ser-gre", "ser-gre-bul", "gre-bul", (24.1, 40.1), (22.8, 40.4),
            (22.9, 39.2), (24.1, 37.8), (23.0, 37.6), (22.6, 36.4), (21.6, 36.9), (21.2, 38.2)],
    "BUL": ["ser-gre-bul", (22.5, 42.6), "ser-bul-rum", (25.5, 43.6), "bul-rum", (27.7, 42.6),
            "bul-con-e", "bul-con-s", "gre-bul"],
    "RUM": ["bud-ser-rum", (25.0, 45.5), (26.2, 46.2), "gal-bud-rum", "gal-rum-ukr",
            "rum-sev-ukr", "rum-sev", (29.5, 44.9), "bul-rum", (25.5, 43.6), "ser-bul-rum"],
    "CON": ["bul-con-s", "bul-con-e", (29.1, 41.2), "con-ank", "con-ank-smy", "con-smy",
            (26.1, 39.6), (26.2, 40.1)],
    "ANK": ["con-ank", (33.3, 42.0), (35.1, 42.0), (36.4, 41.2), "ank-arm", "ank-arm-smy",
            "con-ank-smy"],
    "SMY": ["con-smy", "con-ank-smy", "ank-arm-smy", "smy-arm-syr", "smy-syr", (34.3, 36.5),
            (32.6, 36.1), (30.6, 36.7), (28.2, 36.7), (27.3, 37.5), (26.4, 38.3)],
    "ARM": ["ank-arm", (41.5, 41.5), "arm-sev", "sev-arm-east", "arm-syr-east", "smy-arm-syr",
            "ank-arm-smy"],
    "SYR": ["smy-syr", "smy-arm-syr", "arm-syr-east", (EAST, SOUTH), (34.4, SOUTH), (34.4, 31.4),
            (35.2, 33.2), (35.9, 35.2)],
    "SEV": ["rum-sev", "rum-sev-ukr", "ukr-mos-sev", "mos-sev-east", "sev-arm-east", "arm-sev",
            (39.8, 43.5), (37.4, 44.8), (38.0, 46.4), (39.2, 47.1), (37.0, 46.9), (35.0, 46.3),
            (36.0, 45.2), (33.7, 44.4), (32.6, 45.4), (33.5, 46.1), (31.6, 46.6)],
    "UKR": ["gal-war-ukr", "war-ukr-mos", "ukr-mos-sev", "rum-sev-ukr", "gal-rum-ukr"],
    "WAR": ["pru-war-sil", (20.8, 53.2), "pru-lvn-war", "war-mos-lvn", "war-ukr-mos",
            "gal-war-ukr", (22.0, 50.6), "sil-war-gal"],
    "MOS": ["war-ukr-mos", "war-mos-lvn", "lvn-mos-stp", "stp-mos-east", "mos-sev-east",
            "ukr-mos-sev"],
    "LVN": ["pru-lvn", (21.1, 57.0), (22.5, 57.7), (24.2, 57.0), (24.4, 58.3), (23.5, 59.1),
            (25.8, 59.6), "lvn-stp", "lvn-mos-stp", "war-mos-lvn", "pru-lvn-war"],
    "STP": ["lvn-stp", (30.2, 60.0), "fin-stp", (31.4, 62.8), (29.6, 66.0), "nwy-stp-fin",
            "nwy-stp", (33.0, 69.4), (41.0, 67.2), (39.5, 66.1), (33.0, 66.8), (34.8, 64.4),
            (38.0, 63.9), (40.5, 64.6), (40.0, 65.9), (44.0, 66.4), (44.0, 68.4), (EAST, 68.2),
            "stp-mos-east", "lvn-mos-stp"],
    "FIN": ["swe-fin", (25.3, 65.0), (21.4, 63.0), (21.4, 61.0), (22.9, 59.9), (25.0, 60.2),
            "fin-stp", (31.4, 62.8), (29.6, 66.0), "nwy-stp-fin", (25.5, 68.9), "nwy-fin-swe",
            (23.6, 67.9)],
    "SWE": ["nwy-swe", (12.3, 61.5), (14.2, 65.0), (17.0, 68.2), "nwy-fin-swe", (23.6, 67.9),
            "swe-fin", (22.2, 65.7), (21.4, 64.5), (18.2, 62.8), (17.2, 61.5), (18.9, 60.0),
            (17.0, 58.7), (16.5, 56.8), (14.3, 55.6), (13.2, 55.3), "den-swe-s", "den-swe-n",
            (11.9, 57.6)],
    "NWY": ["nwy-swe", (10.6, 59.3), (8.3, 58.2), (7.0, 58.0), (5.5, 58.8), (5.0, 60.8),
            (5.1, 62.1), (8.5, 63.5), (12.0, 65.5), (14.5, 68.0), (19.0, 70.0), (25.7, 71.1),
            "nwy-stp", "nwy-stp-fin", (25.5, 68.9), "nwy-fin-swe", (17.0, 68.2), (14.2, 65.0),
            (12.3, 61.5)],
    "DEN": ["kie-den-w", (8.1, 55.9), (8.3, 57.0), (10.6, 57.7), (10.4, 56.4), "den-swe-n",
            "den-swe-s", (12.0, 54.8), (10.8, 55.0), "kie-den-e"],
    "NAF": ["naf-tun", (3.0, 36.9), (0.0, 36.0), (-2.9, 35.2), (-5.8, 35.8), (-6.9, 34.0),
            (-9.7, 31.5), (-9.7, SOUTH), "naf-tun-south"],
    "TUN": ["naf-tun", "naf-tun-south", (11.4, SOUTH), (11.4, 33.1), (10.1, 34.1), (10.8, 35.6),
            (11.0, 37.0), (9.8, 37.3)],
}  # fmt: skip

NEUTRAL: dict[str, list[Point]] = {
    "Ireland": [(-6.2, 52.2), (-9.8, 51.5), (-10.0, 54.0), (-8.3, 55.2), (-6.0, 55.2),
                (-5.5, 54.3)],
    "Iceland": [(-21.0, 63.9), (-18.5, 63.4), (-14.0, 64.7), (-15.0, 66.3), (-21.0, 66.0)],
    "Switzerland": [CORNERS[name] for name in (
        "mar-bur-swi", "bur-mun-swi", "mun-tyr-swi", "tyr-pie-swi", "mar-swi-pie")],
    "Corsica": [(9.4, 43.0), (9.5, 41.5), (8.7, 41.8), (8.7, 42.5)],
    "Sardinia": [(9.3, 41.3), (9.6, 39.2), (8.5, 38.9), (8.3, 40.8)],
    "Crete": [(23.6, 35.6), (26.3, 35.3), (24.8, 34.9), (23.6, 35.2)],
    "Cyprus": [(32.4, 34.9), (34.5, 35.6), (33.8, 34.8), (32.9, 34.6)],
    "Libya and Egypt": [(11.4, 33.1), (15.2, 32.3), (18.0, 30.6), (20.0, 31.2), (20.6, 32.8),
                        (23.0, 32.6), (25.2, 31.6), (29.0, 30.9), (31.0, 31.5), (32.5, 31.2),
                        (34.4, 31.4), (34.4, SOUTH), (11.4, SOUTH)],
}  # fmt: skip
"""Land that nobody can enter."""

LAKES: list[list[Point]] = [[(27.2, 40.7), (28.9, 41.0), (29.3, 40.6), (27.9, 40.35)]]

SEA_BORDERS: list[list[Point]] = [
    [(-5.0, 58.6), (-9.0, 61.5), (-14.0, 64.7)],  # NAO, NWG
    [(-5.0, 54.8), (-6.0, 55.2)],  # NAO, IRI
    [(-9.8, 51.5), (-8.2, 49.2)],  # IRI, MAO
    [(-5.7, 50.0), (-8.2, 49.2), (-4.8, 48.5)],  # IRI, ENG, MAO
    [(-10.0, 53.0), (-21.0, 51.0)],  # NAO, MAO
    [(-1.8, 57.6), (0.5, 60.3), (5.1, 62.1)],  # NWG, NTH
    [(25.7, 71.1), (27.0, NORTH)],  # NWG, BAR
    [(7.0, 58.0), (8.3, 57.0)],  # NTH, SKA
    [(8.1, 55.9), (5.6, 54.8), (4.7, 53.0)],  # NTH, HEL
    [(1.4, 51.2), (3.1, 51.3)],  # NTH, ENG
    [(17.0, 58.7), (22.5, 57.7)],  # BAL, BOT
    [(-5.6, 36.0), (-5.8, 35.8)],  # MAO, WES
    [(0.2, 38.8), (4.5, 40.2), (8.3, 40.8)],  # LYO, WES
    [(9.4, 41.5), (9.3, 41.3)],  # LYO, TYS
    [(9.4, 43.0), (10.8, 42.6)],  # LYO, TYS
    [(9.1, 38.9), (9.8, 37.3)],  # WES, TYS
    [(11.0, 37.0), (12.6, 37.7)],  # TYS, ION
    [(18.4, 39.8), (19.3, 40.4)],  # ADR, ION
    [(22.6, 36.4), (23.6, 35.5)],  # ION, AEG
    [(24.2, 35.0), (23.0, 32.6)],  # ION, EAS
    [(26.3, 35.3), (28.2, 36.7)],  # AEG, EAS
]

ANCHORS: dict[str, Point] = {
    "ADR": (16.0, 42.7), "AEG": (25.2, 37.6), "ALB": (20.1, 41.3), "ANK": (34.6, 40.5),
    "APU": (16.9, 40.85), "ARM": (42.0, 39.7), "BAL": (18.2, 56.1), "BAR": (36.0, 71.5),
    "BEL": (4.6, 50.7), "BER": (13.6, 52.8), "BLA": (34.0, 43.4), "BOH": (14.8, 49.7),
    "BOT": (20.3, 60.0), "BRE": (-1.6, 48.0), "BUD": (21.0, 47.1), "BUL": (25.2, 42.4),
    "BUR": (5.2, 47.7), "CLY": (-4.9, 57.3), "CON": (28.6, 40.1), "DEN": (9.2, 56.3),
    "EAS": (29.5, 34.0), "EDI": (-2.7, 56.9), "ENG": (-3.2, 49.4), "FIN": (26.0, 63.0),
    "GAL": (22.6, 49.8), "GAS": (0.6, 44.8), "GRE": (22.1, 39.8), "HEL": (6.9, 54.4),
    "HOL": (5.6, 52.4), "ION": (18.5, 36.4), "IRI": (-7.2, 51.1), "KIE": (9.4, 52.8),
    "LON": (-0.1, 51.7), "LVN": (25.0, 56.2), "LVP": (-2.8, 54.5), "LYO": (5.6, 41.8),
    "MAO": (-13.5, 45.0), "MAR": (5.2, 44.5), "MOS": (37.0, 55.0), "MUN": (10.9, 49.3),
    "NAF": (0.5, 33.4), "NAO": (-15.0, 57.0), "NAP": (15.4, 40.2), "NTH": (3.0, 56.0),
    "NWG": (2.0, 66.5), "NWY": (8.6, 60.9), "PAR": (2.0, 47.9), "PIC": (2.2, 50.0),
    "PIE": (8.4, 45.2), "POR": (-8.3, 39.6), "PRU": (18.6, 53.6), "ROM": (12.7, 42.2),
    "RUH": (7.4, 50.9), "RUM": (26.6, 44.9), "SER": (21.0, 43.3), "SEV": (40.5, 48.6),
    "SIL": (16.6, 51.4), "SKA": (9.8, 58.3), "SMY": (30.8, 38.2), "SPA": (-3.5, 40.0),
    "STP": (37.0, 60.9), "SWE": (15.0, 60.3), "SYR": (39.5, 34.5), "TRI": (17.0, 44.9),
    "TUN": (9.4, 35.0), "TUS": (11.1, 43.5), "TYR": (11.5, 46.8), "TYS": (12.1, 39.8),
    "UKR": (30.5, 50.2), "VEN": (11.9, 45.1), "VIE": (16.3, 47.9), "WAL": (-3.8, 52.0),
    "WAR": (22.0, 52.3), "WES": (3.4, 38.2), "YOR": (-1.3, 53.7),
    "BUL/EC": (27.3, 42.9), "BUL/SC": (25.0, 41.3), "SPA/NC": (-5.0, 42.8),
    "SPA/SC": (-2.6, 37.9), "STP/NC": (35.5, 67.9), "STP/SC": (30.0, 59.9),
}  # fmt: skip
"""Where units stand; the name is written below."""


def project(point: Point) -> Point:
    """Return a point of the map in pixels, from the upper left corner."""
    longitude, latitude = point
    x = (longitude - WEST) * NARROWED * SCALE
    return x, (_height(NORTH) - _height(latitude)) * SCALE


def _height(latitude: float) -> float:
    """Return how far up a latitude is drawn; the far north is squeezed."""
    return latitude if latitude < ARCTIC else ARCTIC + (latitude - ARCTIC) * SQUEEZED


SIZE = (round((EAST - WEST) * NARROWED * SCALE), round((_height(NORTH) - SOUTH) * SCALE))
"""Width and height of the map in pixels."""


@cache
def outlines() -> dict[str, tuple[Point, ...]]:
    """Return the corners of every province on land, in degrees."""
    return {
        province: tuple(CORNERS[step] if isinstance(step, str) else step for step in walk)
        for province, walk in WALKS.items()
    }
