import { expect } from "chai";
import { eventually } from "../support/pauses.js";
import type { ApiClient } from "../support/apiClient.js";
import { startScriptedJson, type ScriptedJson } from "../support/models/scriptedJson.js";
import { meantBy } from "../support/models/synonyms.js";
import { newNamespace } from "../support/newNamespace.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { TypesenseDouble } from "../support/typesense/typesenseDouble.js";
import { Operator } from "./operator.js";

interface Asked {
  readonly input: readonly string[];
}

interface Engine {
  readonly settings: NodeJS.ProcessEnv;
  readonly stop?: () => Promise<void>;
}

describe("vectors of a search index that is rebuilt", () => rebuildsVectors(async () => ({ settings: {} })));

describe("vectors of a search index in Typesense that is rebuilt", () =>
  rebuildsVectors(async () => {
    const double = await TypesenseDouble.start();
    const engine = { TYPESENSE_URL: double.url, TYPESENSE_API_KEY: double.apiKey, NAMESPACE: newNamespace() };
    return { settings: engine, stop: () => double.stop() };
  }));

/** As the service names the model of these tests. */
const model = JSON.stringify([null, null, "passage:"]);

function rebuildsVectors(open: () => Promise<Engine>): void {
  let engine: Engine;
  let upstream: ScriptedJson<Asked>;
  let service: ServiceUnderTest;
  let operator: Operator;
  let ada: ApiClient;

  before(async () => {
    upstream = await startScriptedJson<Asked>(({ input }) => ({
      data: input.map((text, index) => ({ index, embedding: meantBy(text) })),
    }));
    engine = await open();
    const settings = {
      ...{ EMBEDDINGS_URL: upstream.url, EMBEDDINGS_TIMEOUT_MS: "60000", EMBEDDINGS_PASSAGE_PREFIX: "passage:" },
      ...engine.settings,
    };
    service = await startServiceUnderTest(settings);
    operator = await Operator.of({ ...settings, DATA_DIR: service.dataDir });
    await write("datasources", { name: "wiki", display_name: "Wiki" });
    await write("users", { datasource: "wiki", user: { email: "ada@example.org" } });
    for (let n = 0; n < 40; n++) await index(`document-${n}`, n % 2 === 0 ? "An automobile." : "A vacation.");
    ada = await service.person("ada@example.org");
    await hasVectors();
  });
  after(async () => {
    await operator.leave();
    await service.stop();
    await upstream.stop();
    await engine.stop?.();
  });
  beforeEach(() => void upstream.take());

  const write = async (path: string, body: object): Promise<void> => {
    expect((await service.indexing.post(`/api/indexing/${path}`, body)).status).to.equal(200);
  };
  const index = (id: string, text: string): Promise<void> =>
    write("documents", {
      documents: [
        {
          ...{ datasource: "wiki", id, title: id, file_type: "page" },
          body: { mime_type: "text/plain", text_content: text },
        },
      ],
    });
  /** Resolves once the version that is served has all vectors of all that was written. */
  const hasVectors = async (): Promise<void> => {
    const { live } = operator.stateOf("search");
    const head = await operator.log.head();
    const { reader, close } = await operator.readModels.search.openReader(live);
    try {
      while (!(await reader.reached(head, 1_000)));
      await eventually(
        () => reader.withoutVectors(model),
        (left) => left === 0,
      );
    } finally {
      await close();
    }
  };
  const sent = (): readonly string[] =>
    upstream
      .take()
      .flatMap(({ body }) => body.input)
      .filter((text) => text.startsWith("passage:"));
  const titles = async (query: string): Promise<readonly string[]> => {
    const { body } = await ada.get<{ results: { title: string }[] }>(`/api/beta/search?query=${query}&count=50`);
    return body.results.map(({ title }) => title);
  };

  it("are taken over where nothing has changed, and no text is sent", async () => {
    const before = await titles("car");
    expect(before).to.have.length(20);
    await operator.rebuild("search");
    await hasVectors();
    expect(sent()).to.deep.equal([]);
    expect(await titles("car")).to.deep.equal(before);
  });

  it("are made once of what changes", async () => {
    await index("document-7", "A vacation, and wages.");
    await hasVectors();
    await operator.rebuild("search");
    await hasVectors();
    await index("document-8", "An automobile, and wages.");
    await hasVectors();
    expect([...sent()].sort()).to.deep.equal([
      "passage: document-7\nA vacation, and wages.",
      "passage: document-8\nAn automobile, and wages.",
    ]);
    expect([...(await titles("salary"))].sort()).to.deep.equal(["document-7", "document-8"]);
  });

  it("come back from the version that is left where the one before is served again", async () => {
    await operator.rebuild("search");
    await hasVectors();
    await index("document-9", "A blaze.");
    await hasVectors();
    await operator.rollBack("search");
    await hasVectors();
    expect(sent()).to.deep.equal(["passage: document-9\nA blaze."]);
    expect(await titles("fire")).to.deep.equal(["document-9"]);
  });

  it("are not of documents that are gone", async () => {
    const { status } = await service.indexing.delete("/api/indexing/documents/wiki/document-9");
    expect(status).to.equal(200);
    await operator.rebuild("search");
    await hasVectors();
    expect(sent()).to.deep.equal([]);
    expect(await titles("fire")).to.deep.equal([]);
  });

  it("are all there where no version is kept, whether they could be taken over in time or not", async () => {
    const before = await titles("car");
    await operator.rebuild("search", { keep: 0 });
    await hasVectors();
    expect(await titles("car")).to.deep.equal(before);
  });
}
