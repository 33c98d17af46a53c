import { rm } from "node:fs/promises";
import { expect } from "chai";
import type { ApiClient } from "../support/apiClient.js";
import { EventStoreDouble } from "../support/eventStoreDb/eventStoreDouble.js";
import { newNamespace } from "../support/newNamespace.js";
import { ServerProcess } from "../support/serverProcess.js";
import { newDataDir, startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { TypesenseDouble } from "../support/typesense/typesenseDouble.js";

const ada = "ada@example.org";

interface Run {
  readonly id: string;
  readonly state: string;
  readonly deleted: number;
}

describe("a sync run on EventStoreDB and Typesense", () => {
  const folder = newDataDir();
  let eventStore: EventStoreDouble;
  let typesense: TypesenseDouble;
  let service: ServiceUnderTest;
  let other: ServerProcess;
  let person: ApiClient;
  before(async () => {
    [eventStore, typesense] = [await EventStoreDouble.start(), await TypesenseDouble.start()];
    const engines = { EVENTSTORE_URL: eventStore.url, TYPESENSE_URL: typesense.url };
    const settings = { ...engines, TYPESENSE_API_KEY: typesense.apiKey, NAMESPACE: newNamespace() };
    service = await startServiceUnderTest({ ...settings, DATA_DIR: folder });
    await service.indexing.post("/api/indexing/datasources", { name: "wiki" });
    await service.indexing.post("/api/indexing/users", { datasource: "wiki", user: { email: ada } });
    person = await service.person(ada);
    other = await ServerProcess.start(folder, { ...settings, ROLE: "api" });
  });
  after(async () => {
    await other?.kill();
    await service?.stop();
    for (const double of [eventStore, typesense]) await double?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const push = (ids: readonly string[], sync = ""): Promise<{ readonly status: number }> =>
    service.indexing.post(`/api/indexing/documents${sync && `?sync=${sync}`}`, {
      documents: ids.map((id) => ({
        ...{ datasource: "wiki", id, title: `Plan ${id}`, file_type: "page", last_modified: "2024-05-01T09:30:00Z" },
        body: { mime_type: "text/plain", text_content: "The plan." },
      })),
    });
  const post = async (path: string, body: object = {}, client = service.indexing): Promise<Run> =>
    (await client.post<Run>(`/api/indexing/syncs${path}`, body)).body;
  /** The ids of the documents that the log says were deleted. */
  const deletions = (): readonly string[] =>
    eventStore.log.entries
      .filter(({ type }) => type === "DocumentDeleted")
      .map(({ stream }) => stream.slice(stream.lastIndexOf(":") + 1))
      .toSorted();

  it("goes on in another process where one is killed in the middle of its commit", async () => {
    await push(["a", "b", "c", "d", "e"]);
    const { id } = await post("", { datasource: "wiki", max_deleted_share: 1 });
    await push(["a"], id);
    await post(`/${id}/seen`, { document_ids: ["b"] });
    // It never comes to this deletion; the others are written before the kill, or not.
    const { isHeld } = eventStore.faults.holdNextAppendTo(":d");
    const cutShort = post(`/${id}/commit`, {}, service.indexing.at(other.url)).catch(() => null);
    await isHeld;
    await other.kill();
    expect(await cutShort).to.equal(null);

    expect(deletions()).to.not.include("d");
    expect((await service.indexing.get<Run>(`/api/indexing/syncs/${id}`)).body.state).to.equal("committed");
    expect((await push(["new"], id)).status, "a push into a run that was committed").to.equal(409);
    const again = await post(`/${id}/commit`);
    expect(again.state).to.equal("committed");
    expect(again.deleted).to.be.at.least(1);
    expect(deletions()).to.deep.equal(["c", "d", "e"]);
    expect((await post(`/${id}/commit`)).deleted).to.equal(0);
    const { body } = await person.get<{ results: { id: string }[] }>("/api/beta/search?query=plan");
    expect(body.results.map((found) => found.id).toSorted()).to.deep.equal(["wiki__a", "wiki__b"]);
  });
});
