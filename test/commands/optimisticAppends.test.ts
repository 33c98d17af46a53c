import { expect } from "chai";
import { OptimisticAppends } from "../../commands/handleCommand.js";
import { documentStream } from "../../src/events/streams.js";
import { toDatasourceId, toDocumentId } from "../../src/shared/ids.js";

describe("the forecast of new streams", () => {
  let now: number;
  let forecast: OptimisticAppends;
  beforeEach(() => {
    now = 1_000_000;
    forecast = new OptimisticAppends(() => now);
  });

  const stream = (datasource = "wiki") => documentStream(toDatasourceId(datasource), toDocumentId("x"));
  const learn = (times: number, wasNew = true): void => {
    for (let time = 0; time < times; time++) forecast.learn(stream(), wasNew);
  };
  /** How many guesses may be under way at once. */
  const room = (datasource?: string): number => {
    const guesses = [];
    for (let guess = forecast.guess(stream(datasource)); guess !== null; guess = forecast.guess(stream(datasource)))
      guesses.push(guess);
    for (const guess of guesses) guess.resolve(null);
    return guesses.length;
  };

  it("guesses after many new streams in a row, more the longer it goes on, and never beyond a limit", () => {
    learn(31);
    expect(room()).to.equal(0);
    learn(1);
    expect(room()).to.equal(32);
    forecast.guess(stream())?.resolve(true);
    expect(room()).to.equal(33);
    learn(5_000);
    expect(room()).to.equal(512);
  });

  it("ends with the first stream that was not new, read or guessed", () => {
    learn(100);
    forecast.guess(stream())?.resolve(false);
    expect(room()).to.equal(0);
    learn(100);
    learn(1, false);
    expect(room()).to.equal(0);
    learn(31);
    expect(room()).to.equal(0);
  });

  it("knows nothing of other datasources, and nothing after a pause", () => {
    learn(100);
    expect(room("mail")).to.equal(0);
    now += 4_999;
    expect(room()).to.equal(100);
    now += 1;
    expect(room()).to.equal(0);
  });
});
