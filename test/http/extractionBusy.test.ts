import { expect } from "chai";
import { ok } from "../../src/shared/result.js";
import { ExtractionBusy } from "../../src/shared/failures.js";
import { startAppWithFakes, type AppUnderTest } from "./appWithFakes.js";

describe("a document whose file cannot be read at the moment", () => {
  let app: AppUnderTest;
  beforeEach(async () => {
    const read = () => Promise.resolve(ok({ form: "array" as const, documents: [], refused: [] }));
    const indexDocuments = () => Promise.reject(new ExtractionBusy("Too many files wait. Send the request again.", 5));
    app = await startAppWithFakes({ commands: { indexDocuments }, intake: { read } });
  });
  afterEach(() => app.stop());

  it("is 503 with Retry-After, and logged without what was sent", async () => {
    const answer = await fetch(`${app.url}/api/indexing/documents`, {
      method: "POST",
      headers: { authorization: "Bearer account", "content-type": "application/json" },
      body: "{}",
    });
    expect(answer.status).to.equal(503);
    expect(answer.headers.get("retry-after")).to.equal("5");
    expect(await answer.json()).to.deep.equal({ detail: "Too many files wait. Send the request again." });
    const told = app.logLines.filter(({ level }) => level === 40).map(({ msg }) => msg);
    expect(told).to.deep.equal(["A request was refused: its file cannot be read at the moment."]);
  });
});
