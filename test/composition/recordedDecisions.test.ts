import { expect } from "chai";
import type { Queries } from "../../queries/queries.js";
import { openDecisionRecording, type DecisionRecording } from "../../src/composition/recordedDecisions.js";
import { createLogger } from "../../src/logging.js";
import type { SearchHit } from "../../src/readModels/search.js";
import { toDatasourceName, toDocumentId, toEmail } from "../../src/shared/ids.js";
import { ok } from "../../src/shared/result.js";
import { newNamespace } from "../support/newNamespace.js";
import { dropNamespace } from "../support/redisRows.js";
import { anyRedisUrl, describeOnAnyRedis } from "../support/redisServer.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

type Place = Parameters<typeof openDecisionRecording>[0];

const logger = createLogger({ logLevel: "silent", logTo: "stderr" });
const wiki = toDatasourceName("wiki");
const ada = toEmail("ada@example.org");
const answering = {
  search: async () =>
    ok({ hits: ["a", "b", "c", "d"].map((id) => ({ id: `wiki__${id}` }) as SearchHit), total: 4, totalRelation: "eq" }),
  checkAccess: async () => ok({ hasAccess: true }),
} as unknown as Queries;
const search = {
  person: ada,
  query: "the secret plan",
  count: 10,
  startPage: 0,
  atLeast: null,
  datasources: null,
  fileTypes: null,
  modifiedFrom: null,
  modifiedTo: null,
} as const;

function sharedDecisions(openPlace: () => Promise<{ readonly config: Place; remove(): unknown }>): void {
  let place: Awaited<ReturnType<typeof openPlace>>;
  let [asked, comparing]: DecisionRecording[] = [];
  beforeEach(async () => {
    place = await openPlace();
    [asked, comparing] = [
      await openDecisionRecording(place.config, logger),
      await openDecisionRecording(place.config, logger),
    ];
  });
  afterEach(async () => {
    await comparing?.close();
    await place.remove();
  });

  it("of one process are known to another, without what was asked", async () => {
    const queries = asked?.recorder.watch(answering);
    await queries?.search(search);
    await queries?.checkAccess({ datasource: wiki, documentId: toDocumentId("leave.md"), email: ada, atLeast: null });
    await asked?.close();
    const recorded = (await comparing?.list()) ?? [];
    expect(
      recorded.map((decision) => `${decision.email} ${decision.datasource}/${decision.documentId}`).sort(),
    ).to.deep.equal(["a", "b", "c", "leave.md"].map((id) => `${ada} wiki/${id}`));
    expect(JSON.stringify(recorded)).not.to.contain("plan");
  });

  it("are the last few hundred", async () => {
    const queries = asked?.recorder.watch(answering);
    for (let batch = 0; batch < 5; batch++) {
      for (let index = 0; index < 90; index++)
        await queries?.checkAccess({
          datasource: wiki,
          documentId: toDocumentId(`d${batch}-${index}`),
          email: ada,
          atLeast: null,
        });
      await asked?.list();
    }
    await asked?.close();
    const recorded = (await comparing?.list()) ?? [];
    expect(recorded.length).to.equal(300);
    expect(recorded.filter(({ documentId }) => documentId.startsWith("d4-")).length).to.equal(90);
  });
}

describe("decisions that people were given", () => {
  describe("in the data folder", () =>
    sharedDecisions(async () => {
      const folder = temporaryFolder("decisions");
      return { config: { dataDir: folder.path, namespace: "test", redisUrl: null }, remove: () => folder.remove() };
    }));

  describeOnAnyRedis("in Redis", () =>
    sharedDecisions(async () => {
      const place = { url: await anyRedisUrl(), namespace: newNamespace() };
      return {
        config: { dataDir: "/nonexistent", namespace: place.namespace, redisUrl: place.url },
        remove: () => dropNamespace(place),
      };
    }),
  );
});
