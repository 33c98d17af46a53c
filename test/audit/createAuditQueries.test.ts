import { expect } from "chai";
import { pino } from "pino";
import { initialState, type ProjectionState } from "../../commands/projection/versions.js";
import { createAuditQueries } from "../../src/audit/createAuditQueries.js";
import { StreamTimelines } from "../../src/audit/timeline/streamTimelines.js";
import type { ProjectionFeed } from "../../src/daemon/projectionFeed.js";
import { Versioned, type ReadModelsOf } from "../../src/daemon/versioned.js";
import type { ProjectionName } from "../../src/events/projection.js";
import { toDatasourceName, toDocumentId, toEmail } from "../../src/shared/ids.js";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import { eventsOn } from "../support/accessLanguage.js";
import { inStreams } from "../support/inStreams.js";
import { recordedLog } from "../support/recordedLog.js";

const wiki = eventsOn("wiki");
const plan: DomainEvent = {
  type: "DocumentIndexed",
  data: {
    ...{ datasourceId: wiki.datasourceId, datasource: toDatasourceName("wiki"), documentId: toDocumentId("plan") },
    ...{ title: "The plan", content: { sha256: "ab", bytes: 2 }, mimeType: "text/plain", size: 2, fileType: "file" },
    ...{ pathPreview: null, path: null, author: null, lastModified: null, sub: null, childSub: null },
    access: { anonymous: true, users: [], groups: [] },
    ...{ customProperties: [], supersededContent: null, widenedToAnonymous: false },
  },
};

/** Which versions are live, and who waits for a change. */
class LiveVersions implements ProjectionFeed {
  private readonly live = new Map<ProjectionName, number>();
  private readonly listeners = new Set<(name: ProjectionName) => void>();

  of(name: ProjectionName): ProjectionState {
    return { ...initialState(), live: this.live.get(name) ?? 1 };
  }

  onChange(listener: (name: ProjectionName) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  activate(name: ProjectionName, version: number): void {
    this.live.set(name, version);
    for (const listener of this.listeners) listener(name);
  }
}

describe("a question about now, in the middle of which other versions are served", () => {
  it("is answered from the set with which it began", async () => {
    const log = recordedLog(inStreams([wiki.opened(), wiki.registered("ann"), plan]));
    const feed = new LiveVersions();
    const head = await log.head();
    const here = { position: async () => head, reached: async () => true };
    const switched = async (): Promise<void> => {
      feed.activate("groupClosure", 2);
      while (versioned.version("access") === 1) await new Promise((resolve) => setImmediate(resolve));
    };
    const readers = (version: number) => ({
      catalogue: { ...here, find: async () => (await switched(), wiki.datasource), list: async () => [] },
      access: { ...here, isParked: async () => false, holdsAny: async () => version === 1 },
      search: {
        ...here,
        find: async () => ({ details: undefined as never, tokens: [] }),
        searchAmong: () => Promise.reject(new Error("Nobody is expected to search.")),
      },
    });
    type Served = ReturnType<typeof readers>;
    const readModel = <Name extends keyof Served>(name: ProjectionName, reader: Name) => ({
      ...{ name, placement: "shared", categories: [], probe: async () => null, identity: () => null },
      checkpoint: async () => ({ position: await log.head(), landmark: null }),
      openReader: async (version: number) => ({ reader: readers(version)[reader], close: () => undefined }),
    });
    const readModels = {
      catalogue: readModel("catalogue", "catalogue"),
      access: readModel("groupClosure", "access"),
      search: readModel("search", "search"),
    } as unknown as ReadModelsOf<Served>;
    const versioned = await Versioned.open<Served, Served>({
      ...{ readModels, feed, logger: pino({ level: "silent" }), mayBeBehind: false },
      log: { head: () => log.head(), holds: async () => true },
      viewOf: (set) => set,
    });
    const now = new Date("2026-06-01T00:00:00Z");
    const audit = createAuditQueries({
      ...{ log, timelines: new StreamTimelines(log), now: () => now, served: versioned, patienceMs: 0 },
      history: { use: (ask) => ask({ clock: log } as never) },
    });

    const answer = await audit.access({
      ...{ user: toEmail("ann@example.org"), datasource: toDatasourceName("wiki"), documentId: toDocumentId("plan") },
      at: { kind: "now" },
    });
    await versioned.close();

    expect(answer).to.have.nested.property("value.has_access", true);
  });
});
