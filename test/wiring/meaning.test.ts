import { Writable } from "node:stream";
import { expect } from "chai";
import { pino } from "pino";
import type { Readers } from "../../queries/ports.js";
import { openMeaning, type Meaning } from "../../src/wiring/readSide.js";
import { startScriptedJson, type ScriptedJson } from "../support/models/scriptedJson.js";
import { testConfig } from "../support/testConfig.js";

describe("the models of searches", () => {
  let upstream: ScriptedJson<object>;
  let meaning: Meaning;
  let lines: string;

  beforeEach(async () => {
    lines = "";
    upstream = await startScriptedJson<object>(() => 401);
    const log = new Writable({
      write: (line: Buffer, _encoding, done) => {
        lines += line.toString();
        done();
      },
    });
    meaning = openMeaning(testConfig({ RERANK_URL: upstream.url, RERANK_API_KEY: "the-key" }), pino(log));
  });
  afterEach(async () => {
    await meaning.close();
    await upstream.stop();
  });

  it("are told of once in a while where they fail, without what was asked, and without the key", async () => {
    const { reranker } = meaning.added({} as Readers);
    for (let each = 0; each < 3; each++) await reranker?.order(`private question ${each}`, ["private text", "other"]);
    expect(lines.trim().split("\n")).to.have.length(1);
    expect(lines)
      .to.match(/RERANK_URL/)
      .and.match(/status 401/);
    expect(lines).not.to.match(/private|the-key/);
  });
});
