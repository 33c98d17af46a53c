import { expect } from "chai";
import { LastUses, type RecordedUse } from "../../../src/http/signIn/lastUses.js";
import { toCredentialId } from "../../../src/shared/ids.js";

const minuteMs = 60_000;
const [one, other] = [toCredentialId("one"), toCredentialId("other")];

describe("last uses", () => {
  let now: number;
  let due: { at: number; callBack: () => void }[];
  let recorded: RecordedUse[];
  let uses: LastUses;

  beforeEach(() => {
    now = Date.parse("2026-01-12T09:00:00Z");
    due = [];
    recorded = [];
    uses = new LastUses({
      record: (use) => Promise.resolve(void recorded.push(use)),
      sessionIdleMs: 60 * minuteMs,
      now: () => now,
      schedule: (callBack, afterMs) => {
        const entry = { at: now + afterMs, callBack };
        due.push(entry);
        return () => (due = due.filter((left) => left !== entry));
      },
    });
  });

  const pass = (ms: number): void => {
    now += ms;
    const over = due.filter(({ at }) => at <= now);
    due = due.filter(({ at }) => at > now);
    for (const { callBack } of over) callBack();
  };
  /** Uses it every ten seconds for so long. */
  const useFor = (ms: number, use: () => void): void => {
    for (let passed = 0; passed < ms; passed += 10_000) {
      use();
      pass(10_000);
    }
  };

  it("are written down a minute after the first, with the time of the latest", () => {
    useFor(minuteMs - 10_000, () => uses.note("apiKey", one));
    expect(recorded).to.deep.equal([]);
    uses.note("apiKey", one);
    pass(10_000);
    expect(recorded).to.deep.equal([
      { kind: "apiKey", id: one, usedAt: "2026-01-12T09:00:50.000Z", everyMs: 60 * minuteMs },
    ]);
  });

  it("of keys and service accounts are written down once an hour, of sessions twelve times before they end idle", () => {
    useFor(60 * minuteMs, () => {
      uses.note("serviceAccount", one);
      uses.note("session", one);
    });
    expect(recorded.filter(({ kind }) => kind === "serviceAccount").length).to.equal(1);
    // Five minutes, and the minute that each waits.
    expect(recorded.filter(({ kind }) => kind === "session").length).to.be.within(10, 12);
    useFor(3 * minuteMs, () => uses.note("serviceAccount", one));
    expect(recorded.filter(({ kind }) => kind === "serviceAccount").length).to.equal(2);
  });

  it("are not written down again where nothing was used", () => {
    uses.note("apiKey", one);
    pass(minuteMs);
    pass(24 * 60 * minuteMs);
    expect(recorded.length).to.equal(1);
    expect(due).to.deep.equal([]);
  });

  it("are known at once, of each credential its own", () => {
    uses.note("session", one);
    expect(uses.of("session", one)).to.equal(Date.parse("2026-01-12T09:00:00Z"));
    expect(uses.of("session", other)).to.equal(undefined);
    expect(uses.of("apiKey", one)).to.equal(undefined);
  });

  it("are kept of so many credentials and no more", () => {
    for (let number = 0; number <= 50_000; number++) uses.note("apiKey", toCredentialId(String(number)));
    expect(uses.of("apiKey", toCredentialId("0"))).to.equal(undefined);
    expect(due.length).to.equal(50_000);
  });

  it("are written down no more once it has stopped", async () => {
    uses.note("apiKey", one);
    await uses.stop();
    expect(due).to.deep.equal([]);
    expect(recorded).to.deep.equal([]);
  });
});
