"""What the weather station's oracle says, against another way of counting."""

from __future__ import annotations

import socket
from itertools import islice
from zlib import crc32

import pytest
from support.weather import cases

from ffibench.catalog import find_experiment
from ffibench.errors import FfibenchError
from ffibench.paths import asset
from ffibench.plan.parameters import read_parameters
from ffibench.worker.load import import_file

EXPERIMENT = find_experiment("weather").experiment


class Schrage:
    """Park and Miller's generator in 32 bits, by Schrage's method: https://doi.org/10.1145/63039.63042"""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def draw(self) -> int:
        high, low = divmod(self.state, 127_773)
        self.state = 16_807 * low - 2_836 * high
        if self.state <= 0:
            self.state += 2_147_483_647
        return self.state


def written(matches: int, zipcodes: int, seed: int) -> list[str]:
    """All updates of a slice, one after the other, as text."""
    generator, updates, found = Schrage(seed), [], 0
    while found < matches:
        zipcode = (10_001 + generator.draw() % zipcodes) % 100_000
        temperature = generator.draw() % 215 - 80
        updates.append(f"{zipcode:05d} {temperature} {generator.draw() % 50 + 10}")
        found += updates[-1].startswith("10001 ")
    return updates


def test_the_generator_is_park_and_miller_s() -> None:
    draws = import_file(str(asset("experiments") / "weather" / "experiment.py")).draws
    assert list(islice(draws(1), 3)) == [16_807, 282_475_249, 1_622_650_073]
    assert next(islice(draws(1), 9_999, None)) == 1_043_618_065


@pytest.mark.parametrize("zipcodes", [1, 2, 5, 99, 100_000])
@pytest.mark.parametrize(("matches", "seed"), [(1, 1), (3, 2_147_483_646), (40, 1_969)])
def test_every_number_is_that_of_the_written_weather(matches: int, zipcodes: int, seed: int) -> None:
    if matches * zipcodes > 100_000:
        matches = 1
    updates = written(matches, zipcodes, seed)
    publish, receive = cases(matches=matches, zipcodes=zipcodes, seed=seed)
    size = sum(map(len, updates))
    found = [int(update.split()[1]) for update in updates if update.startswith("10001 ")]
    assert publish.iterations == len(updates)
    assert publish.receipt(publish.iterations) == {"updates": len(updates), "bytes": size}
    assert {way.total for way in publish.accepts} == {size}
    assert receive.iterations == matches
    assert receive.receipt(matches) == {"matches": matches, "temperature": sum(found)}
    assert publish.delivery is not None
    assert publish.delivery.operations == len(updates)
    values = {"matches": matches, "zipcodes": zipcodes, "seed": seed}
    assert publish.delivery.receipt(values, len(updates)) == {
        "updates": len(updates),
        "bytes": size,
        "crc32": crc32("".join(updates).encode()),
    }


def test_a_part_of_the_weather_is_known_too() -> None:
    updates = written(10, 5, 1969)[:7]
    publish, _ = cases()
    assert publish.receipt(7) == {"updates": 7, "bytes": sum(map(len, updates))}


def test_temperatures_and_humidities_have_all_their_lengths() -> None:
    parts = [update.split() for update in written(2_000, 1, 1969)]
    assert {len(zipcode) for zipcode, _, _ in parts} == {5}
    temperatures = {int(temperature) for _, temperature, _ in parts}
    assert (min(temperatures), max(temperatures)) == (-80, 134)
    humidities = {int(humidity) for _, _, humidity in parts}
    assert (min(humidities), max(humidities)) == (10, 59)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("matches", "0", "it takes 1 to 10,000,000; leave it out to use the default, 100"),
        ("zipcodes", "100001", "it takes 1 to 100,000; leave it out to use the default, 100"),
        ("seed", "0", "it takes 1 to 2,147,483,646; leave it out to use the default, 1969"),
        ("port", "65536", "it takes 0 to 65,535; leave it out to use the default, 0"),
        ("patience", "0", "it takes 0.001 to 86,400 seconds; leave it out to use the default, 10.0"),
    ],
)
def test_a_setting_that_does_not_serve(name: str, value: str, told: str) -> None:
    with pytest.raises(FfibenchError) as error:
        read_parameters(EXPERIMENT, "weather", {name: value})
    assert str(error.value) == f"--set {name}: {told}"


def test_a_port_that_is_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(FfibenchError) as error:
            read_parameters(EXPERIMENT, "weather", {"port": str(port)})
        assert (
            str(error.value)
            == f"--set port: port {port} is in use; 0 takes a free one; leave it out to use the default, 0"
        )
    assert read_parameters(EXPERIMENT, "weather", {"port": str(port)}).values["port"] == port
