import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import { readModelNames } from "../../src/events/projection.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { Operator } from "./operator.js";

/** The texts of the log, each with its chunks. */
function texts(dataDir: string): readonly unknown[] {
  const database = new Database(join(dataDir, "log.sqlite"), { readonly: true });
  const rows = database.prepare("SELECT id, stream, text FROM contents ORDER BY id").all();
  database.close();
  return rows;
}

describe("what is done once", () => {
  let service: ServiceUnderTest;
  let operator: Operator;
  before(async () => {
    service = await startServiceUnderTest();
    operator = await Operator.of({ DATA_DIR: service.dataDir });
  });
  after(async () => {
    await operator.leave();
    await service.stop();
  });

  const index = (text: string, lastModified: string) =>
    service.indexing.post("/api/indexing/documents", {
      documents: {
        datasource: "wiki",
        id: "plan",
        title: "Plan",
        file_type: "page",
        last_modified: lastModified,
        body: { mime_type: "text/plain", text_content: text },
      },
    });

  it("is not done again by rebuilding, going back to, or repairing any read model", async () => {
    await service.indexing.post("/api/indexing/datasources", { name: "wiki" });
    await index("the first text", "2026-01-01T00:00:00Z");
    const [first] = texts(service.dataDir) as [{ stream: number; text: string }];
    await index("the second text", "2026-01-02T00:00:00Z");
    while ((texts(service.dataDir) as { text: string }[]).some(({ text }) => text === first.text))
      await new Promise((resolve) => setTimeout(resolve, 5));
    // Whatever erased the first text again would find it: it is back, as no command could bring it.
    const database = new Database(join(service.dataDir, "log.sqlite"));
    database
      .prepare("INSERT INTO contents (stream, sha256, chunk, chunks, position, text) VALUES (?, ?, 0, 1, 1, ?)")
      .run(first.stream, Buffer.from(await sha256(first.text)), first.text);
    database.close();
    const before = texts(service.dataDir);
    expect(before.length).to.equal(2);
    for (const name of readModelNames) {
      await operator.rebuild(name);
      await operator.rollBack(name);
    }
    const person = await service.person("olga@example.org", "operator");
    for (const name of readModelNames) {
      const { status } = await person.post(`/api/admin/projections/${name}/verify`, { repair: true });
      expect(status, name).to.equal(200);
    }
    expect(texts(service.dataDir)).to.deep.equal(before);
    expect((await person.post("/api/admin/projections/contentErasure/rebuild", {})).status).to.equal(409);
  });
});

async function sha256(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
}
