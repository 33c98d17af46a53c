import { expect } from "chai";
import * as fc from "fast-check";
import { epochMilliseconds, inUtc, isEpochSeconds, isSameInstant, parseInstant } from "../../src/shared/instant.js";
import { propertyRuns } from "../support/propertyRuns.js";

const isInstant = (text: string): boolean => parseInstant(text) !== null;

describe("an instant", () => {
  it("is the same however it is written", () => {
    const noon = [
      "2024-05-01T12:00:00Z",
      "2024-05-01T12:00Z",
      "2024-05-01 12:00",
      "2024-05-01t12:00:00.000z",
      "2024-05-01T14:00:00+02:00",
    ];
    noon.push("2024-05-01T14:00+02", "2024-05-01T06:30:00-0530", "2024-05-02T02:00:00.0+14:00");
    noon.push("2024-05-01T12", "2024-05-01T12:00:00,000Z", "20240501T120000Z", "20240501T1200", "20240501T14+0200");
    for (const text of noon) expect(isSameInstant(text, "2024-05-01T12:00:00Z"), text).to.equal(true);
    expect(isSameInstant("2024-05-01", "2024-05-01T00:00:00+00:00")).to.equal(true);
  });

  it("differs by as little as was written", () => {
    expect(isSameInstant("2024-05-01T12:00:00.000001Z", "2024-05-01T12:00:00.000002Z")).to.equal(false);
    expect(isSameInstant("2024-05-01T12:00:00.1Z", "2024-05-01T12:00:00.100000Z")).to.equal(true);
    expect(isSameInstant("2024-05-01T12:00:00Z", "2024-05-01T12:00:01Z")).to.equal(false);
  });

  it("exists", () => {
    for (const text of ["2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31T23:59:59.999999999Z"])
      expect(isInstant(text), text).to.equal(true);
    const nowhere = [
      "2024-02-30",
      "2023-02-29",
      "1900-02-29",
      "2024-04-31",
      "2024-13-01",
      "2024-00-01",
      "2024-01-00",
      "2024-01-32",
    ];
    nowhere.push("2024-01-01T25:00", "2024-01-01T24:00:01Z", "2024-01-01T24:00:00.1Z", "2024-01-01T24:01");
    nowhere.push("2024-01-01T12:60:00Z", "2024-01-01T12:00:60Z", "2016-12-31T23:59:60+01:00", "2024-01-01T12:00+24:00");
    for (const text of nowhere) expect(isInstant(text), text).to.equal(false);
  });

  it("may be the end of a day, or a leap second, which is the first second after it", () => {
    for (const text of ["2016-12-31T24:00:00Z", "2016-12-31T24", "2016-12-31T23:59:60Z", "2016-12-31T18:59:60-05:00"])
      expect(isSameInstant(text, "2017-01-01T00:00:00Z"), text).to.equal(true);
  });

  it("is a day in every way that the standard writes one, or the first moment of a month, a week or a year", () => {
    const same: readonly (readonly [string, string])[] = [
      ["20240501", "2024-05-01"],
      ["2024-W18-3", "2024-05-01"],
      ["2024W183", "2024-05-01"],
      ["2024-122", "2024-05-01"],
      ["2024122", "2024-05-01"],
      ["2024-05", "2024-05-01"],
      ["2024-W18", "2024-04-29"],
      ["2024", "2024-01-01"],
      ["2024-W01-1", "2024-01-01"],
      ["2020-W53-7", "2021-01-03"],
      ["2021-W01-1", "2021-01-04"],
      ["2024-366", "2024-12-31"],
      ["2024-W18-3T12:30", "2024-05-01T12:30:00Z"],
      ["2024122T1230Z", "2024-05-01T12:30:00Z"],
      ["2024-05-01T12.5", "2024-05-01T12:30:00Z"],
      ["2024-05-01T12:30,25Z", "2024-05-01T12:30:15Z"],
      ["2024-05-01T12:00\u221202:00", "2024-05-01T14:00:00Z"],
    ];
    for (const [text, known] of same) expect(isSameInstant(text, known), text).to.equal(true);
    for (const text of ["2023-366", "2024-000", "2024-W00-1", "2024-W53-1", "2024-W18-8", "2024-13", "2024-05T12:00"])
      expect(isInstant(text), text).to.equal(false);
  });

  it("is a date or a timestamp and nothing else", () => {
    for (const text of [
      "",
      "yesterday",
      "1714564800",
      "202405",
      "2024-W183",
      "2024W18-3",
      "2024-0501",
      "24-05-01",
      "2024-5-1",
      "2024-05-01T",
      "2024-05-01T1200:00",
      "2024-05-01T12:0000",
      " 2024-05-01",
      `2024-05-01T12:00:00.${"0".repeat(50)}Z`,
    ]) {
      expect(isInstant(text), text).to.equal(false);
    }
    expect(isSameInstant("yesterday", "yesterday")).to.equal(false);
  });

  it("is told in one form, however it was written", () => {
    for (const text of ["2024-05-01T14:00:00+02:00", "2024-05-01 12:00", "20240501T12Z", "2024-W18-3T12:00:00.0004Z"])
      expect(inUtc(text), text).to.equal("2024-05-01T12:00:00.000Z");
    expect(inUtc("2024")).to.equal("2024-01-01T00:00:00.000Z");
    expect(inUtc("yesterday")).to.equal("yesterday");
  });

  it("is a number of seconds too, as far as dates reach", () => {
    for (const seconds of [0, -0.5, 8.64e12, -8.64e12]) {
      expect(isEpochSeconds(seconds), String(seconds)).to.equal(true);
      expect(() => new Date(seconds * 1_000).toISOString()).not.to.throw();
    }
    for (const seconds of [8.64e12 + 1, -8.64e12 - 1, 1e300, Number.NaN, Number.POSITIVE_INFINITY])
      expect(isEpochSeconds(seconds), String(seconds)).to.equal(false);
  });

  it("is UTC without an offset, whatever the machine's time zone, and counts whole milliseconds", () => {
    expect(epochMilliseconds("1970-01-01 00:00")).to.equal(0);
    expect(epochMilliseconds("1970-01-01T00:00:01.0019999Z")).to.equal(1_001);
    expect(epochMilliseconds("1970-01-01T02:00+02")).to.equal(0);
    expect(epochMilliseconds("1970-01-32")).to.equal(null);
  });

  it("agrees with the clock of the platform", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
        (date) => {
          const { epochSeconds = Number.NaN, fraction = "" } = parseInstant(date.toISOString()) ?? {};
          expect(epochMilliseconds(date.toISOString())).to.equal(date.getTime());
          expect(Math.round(epochSeconds * 1_000 + Number(`0.${fraction}`) * 1_000)).to.equal(date.getTime());
        },
      ),
      propertyRuns(500),
    );
  });
});
