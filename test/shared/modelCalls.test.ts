import { expect } from "chai";
import { ModelCalls, ModelServerFailure } from "../../src/shared/modelCalls.js";

describe("calls to models", () => {
  let now: number;
  let failures: readonly string[];
  let calls: ModelCalls;
  beforeEach(() => {
    now = 0;
    failures = [];
    calls = new ModelCalls(
      ({ message }) => void (failures = [...failures, message]),
      () => now,
    );
  });

  const works = () => calls.make(() => Promise.resolve("value"));
  const fails = () => calls.make(() => Promise.reject(new ModelServerFailure("timeout", "It gave no answer in time.")));
  const failsThrice = async (): Promise<void> => {
    for (let each = 0; each < 3; each++) await fails();
  };

  it("answer, or are null where the server fails, which is told and counted", async () => {
    expect(await works()).to.equal("value");
    expect(await fails()).to.equal(null);
    expect(failures).to.deep.equal(["It gave no answer in time."]);
    expect(Object.fromEntries(calls.counted())).to.deep.equal({ answered: 1, timeout: 1 });
  });

  it("are not made for a while once three have failed in a row, longer each time", async () => {
    await failsThrice();
    expect(await works()).to.equal(null);
    now = 999;
    expect(await works()).to.equal(null);
    now = 1_000;
    expect(await fails()).to.equal(null);
    now = 2_999;
    expect(await works()).to.equal(null);
    now = 3_000;
    expect(await works()).to.equal("value");
    expect(await works()).to.equal("value");
    expect(Object.fromEntries(calls.counted())).to.deep.equal({ timeout: 4, skipped: 3, answered: 2 });
  });

  it("wait for the one that asks whether the server is back", async () => {
    await failsThrice();
    now = 1_000;
    const first = works();
    expect(await works()).to.equal(null);
    expect(await first).to.equal("value");
  });

  it("never rest for longer than half a minute", async () => {
    await failsThrice();
    for (let each = 0; each < 20; each++) {
      now += 30_000;
      await fails();
    }
    now += 30_000;
    expect(await works()).to.equal("value");
  });

  it("do not hide what is nobody's failure but ours", async () => {
    const wrong = calls.make(() => Promise.reject(new TypeError("wrong")));
    expect(await wrong.catch((error: unknown) => error)).to.be.instanceOf(TypeError);
  });
});
