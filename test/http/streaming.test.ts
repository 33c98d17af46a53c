import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { expect } from "chai";
import type { AuditExport } from "../../src/audit/export/auditExport.js";
import { beginning } from "../../src/shared/position.js";
import { ok } from "../../src/shared/result.js";
import { startAppWithFakes, type AppUnderTest } from "./appWithFakes.js";

const authorization = { authorization: "Bearer auditorKey" };
const mebibyte = "x".repeat(1_048_576);

/** An export that a test makes up. */
class MadeUp {
  made = 0;
  hasEnded = false;
  signal: AbortSignal | undefined;

  constructor(
    private readonly chunks: number,
    private readonly failAfter = Number.POSITIVE_INFINITY,
  ) {}

  readonly auditExport: Partial<AuditExport> = {
    open: async (_request, signal) => {
      this.signal = signal;
      return ok({ fromPosition: beginning, toPosition: beginning, chunks: this.make() });
    },
  };

  private async *make() {
    try {
      for (; this.made < this.chunks; this.made++) {
        if (this.made === this.failAfter) throw new Error("The log cannot be read.");
        yield { text: mebibyte, facts: 0, position: beginning };
      }
    } finally {
      this.hasEnded = true;
    }
  }
}

describe("an answer without bounds", () => {
  let app: AppUnderTest | null = null;
  const serve = async (madeUp: MadeUp): Promise<AppUnderTest> =>
    (app = await startAppWithFakes({
      commands: { recordAuditQuestion: () => Promise.resolve(ok({ value: null, position: null })) },
      dependencies: { auditExport: madeUp.auditExport as AuditExport },
    }));
  const ask = async ({ url }: AppUnderTest, method = "GET"): Promise<IncomingMessage> => {
    const request = get(`${url}/api/audit/export`, { method, headers: authorization });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return response;
  };
  /** The event loop has turned often enough to have made much more, had anybody let it. */
  const live = async ({ url }: AppUnderTest): Promise<void> => {
    for (let turn = 0; turn < 100; turn++) await fetch(`${url}/health/live`);
  };
  afterEach(async () => {
    await app?.stop();
    app = null;
  });

  it("leaves as it is made, and is whole", async () => {
    const served = await serve(new MadeUp(12));
    const response = await fetch(`${served.url}/api/audit/export`, { headers: authorization });
    expect(response.status).to.equal(200);
    expect(response.headers.get("content-type")).to.equal("application/x-ndjson");
    expect(response.headers.get("content-length")).to.equal(null);
    expect((await response.text()).length).to.equal(12 * mebibyte.length);
  });

  it("is made no faster than the client takes it", async () => {
    const madeUp = new MadeUp(1_000);
    const served = await serve(madeUp);
    const response = await ask(served);
    response.pause();
    await live(served);
    expect(madeUp.made).to.be.lessThan(50);
    response.destroy();
  });

  it("is not made any more once the client is gone", async () => {
    const madeUp = new MadeUp(1_000);
    const served = await serve(madeUp);
    const response = await ask(served);
    response.destroy();
    while (!madeUp.hasEnded) await live(served);
    expect(madeUp.signal?.aborted).to.equal(true);
    expect(served.logLines.filter(({ level }) => Number(level) > 30)).to.deep.equal([]);
  });

  it("is cut where making it fails, so that nobody takes a part for the whole, and the log tells why", async () => {
    const served = await serve(new MadeUp(12, 6));
    const response = await fetch(`${served.url}/api/audit/export`, { headers: authorization });
    const outcome = await response.text().then(
      () => "whole",
      () => "cut",
    );
    expect(outcome).to.equal("cut");
    expect(JSON.stringify(served.logLines)).to.include("The log cannot be read.").and.to.include("An answer broke off");
  });

  it("has a head of its own", async () => {
    const madeUp = new MadeUp(12);
    const response = await ask(await serve(madeUp), "HEAD");
    response.resume();
    expect(response.statusCode).to.equal(200);
    expect(madeUp.made).to.equal(0);
  });
});
