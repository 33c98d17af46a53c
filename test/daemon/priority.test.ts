import { readdirSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { mostInMemory } from "../../src/http/body/receivedBody.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

/** How far each thread of this process stands behind others: the nineteenth field of its `stat`. */
const nicenesses = (): readonly number[] =>
  readdirSync("/proc/self/task").map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  });

describe("the threads of a service where processors are short", () => {
  let service: ServiceUnderTest;

  before(async function () {
    if (process.platform !== "linux") return this.skip();
    service = await startServiceUnderTest();
  });
  after(() => service?.stop());

  it("let answers go first, then what reads large pushes, then what makes them searchable", async () => {
    const body = { mime_type: "text/plain", text_content: "Leave. ".repeat(mostInMemory / 4) };
    await service.indexing.post("/api/indexing/datasources", { name: "wiki" });
    const documents = [{ datasource: "wiki", id: "leave.md", title: "Leave", file_type: "file", body }];
    expect((await service.indexing.post("/api/indexing/documents", { documents })).status).to.equal(200);
    await service.served();
    expect([...new Set(nicenesses())].sort((one, other) => one - other)).to.deep.equal([0, 5, 10]);
  });
});
