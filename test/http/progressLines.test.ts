import { once } from "node:events";
import { request as open, type IncomingMessage } from "node:http";
import { expect } from "chai";
import type { Verification, VerificationAnswer, VerificationWatch } from "../../src/operations/verify/verification.js";
import { failed, ok } from "../../src/shared/result.js";
import { startAppWithFakes, type AppUnderTest } from "./appWithFakes.js";

const found: VerificationAnswer = {
  projection: "search",
  version: 1,
  position: "7",
  sample: 1,
  seed: "",
  compared: 4,
  drift: [],
  unsettled: [],
  suspended: [],
  complete: true,
  remaining: null,
};
const asked = {
  method: "POST",
  headers: { authorization: "Bearer operatorKey", "content-type": "application/json" },
  body: "{}",
};
const inLines = { ...asked, headers: { ...asked.headers, accept: "application/x-ndjson, application/json;q=0.5" } };

describe("work that may take minutes", () => {
  let app: AppUnderTest | null = null;
  const serve = async (verify: (watch: VerificationWatch) => ReturnType<Verification["verify"]>): Promise<string> => {
    const verification = {
      verify: (_question, _repair, watch = {}) => verify(watch),
    } as Partial<Verification> as Verification;
    app = await startAppWithFakes({ dependencies: { verification } });
    return `${app.url}/api/admin/projections/search/verify`;
  };
  afterEach(async () => {
    await app?.stop();
    app = null;
  });

  it("is answered in one chunk to whoever asks for nothing else", async () => {
    const response = await fetch(await serve(() => Promise.resolve(ok(found))), asked);
    expect(response.headers.get("content-type")).to.match(/^application\/json/);
    expect(await response.json()).to.deep.equal(found);
  });

  it("says how far it is until the last line is the answer", async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const url = await serve(async ({ onProgress }) => {
      onProgress?.({ compared: 2, done: 0.5 });
      await finished;
      return ok(found);
    });
    const response = await fetch(url, inLines);
    expect([response.status, response.headers.get("content-type")]).to.deep.equal([200, "application/x-ndjson"]);
    const lines: string[] = [];
    for await (const chunk of response.body ?? []) {
      lines.push(...Buffer.from(chunk).toString().trim().split("\n"));
      finish();
    }
    expect(JSON.parse(lines[0] ?? "")).to.deep.equal({ progress: { compared: 2, done: 0.5 } });
    expect(JSON.parse(lines.at(-1) ?? "")).to.deep.equal({ answer: found });
  });

  it("has a status of its own where it fails soon, and a last line that says so where it fails later", async () => {
    const url = await serve(() =>
      Promise.resolve(failed({ type: "VersionNotFound", projection: "search", version: 9 })),
    );
    expect((await fetch(url, inLines)).status).to.equal(404);
    await app?.stop();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const later = await fetch(
      await serve(() => ended.then(() => failed({ type: "ReadModelBehind", projection: "search" }))),
      inLines,
    );
    expect(later.status).to.equal(200);
    end();
    const last = JSON.parse((await later.text()).trim().split("\n").at(-1) ?? "") as {
      failure: { status: number; detail: string };
    };
    expect(last.failure.status).to.equal(503);
    expect(last.failure.detail).to.contain("does not come as far as the log");
  });

  for (const [form, { method, headers, body }] of [
    ["in lines", inLines],
    ["in one chunk", asked],
  ] as const) {
    it(`ends where the client goes away that asked for it ${form}`, async () => {
      let begun = (): void => undefined;
      const beginning = new Promise<void>((resolve) => (begun = resolve));
      let ended = (): void => undefined;
      const ending = new Promise<void>((resolve) => (ended = resolve));
      const url = await serve(({ signal }) => {
        begun();
        return new Promise((_resolve, reject) =>
          signal?.addEventListener("abort", () => {
            ended();
            reject(signal.reason as Error);
          }),
        );
      });
      const request = open(url, { method, headers });
      request.on("error", () => undefined);
      request.end(body);
      await beginning;
      if (form === "in lines") await (once(request, "response") as Promise<[IncomingMessage]>);
      request.destroy();
      await ending;
      expect(app?.logLines.filter(({ level }) => Number(level) >= 50)).to.deep.equal([]);
    });
  }
});
