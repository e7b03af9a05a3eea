"""Height of tide from harmonic constants."""

from math import cos, radians

SPEEDS = {"M2": 28.9841042, "S2": 30.0}


def height(station, hours):
    """Metres above chart datum, hours after 2000-01-01T00:00Z."""
    h = station["z0"]
    for c in station["constituents"]:
        h += c["amplitude"] * cos(radians(SPEEDS[c["name"]] * hours - c["phase"]))
    return h
