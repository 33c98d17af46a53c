import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import { BulkRemovals } from "../../../src/audit/removals/bulkRemovals.js";
import { openSqliteRemovals } from "../../../src/adapters/permissionHistory/sqlite/openSqliteRemovals.js";
import type { DocumentAccess } from "../../../src/events/document.js";
import type { DomainEvent } from "../../../src/events/domainEvent.js";
import { toCredentialId } from "../../../src/shared/ids.js";
import { eventsOn } from "../../support/accessLanguage.js";
import { documentsIn } from "../../support/documentLanguage.js";
import { ProjectedHistory } from "../../support/projectedHistory.js";
import { recordEvents } from "../../support/recordEvents.js";
import { RememberedTexts } from "../../support/servedReadModels.js";

const wiki = eventsOn("wiki");
const { indexed, deleted } = documentsIn(new RememberedTexts());
const start = Date.parse("2026-03-01T10:00:00.000Z");
const minute = 60_000;
const staff: Partial<DocumentAccess> = { groups: ["staff"] };
const ids = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `document-${String(index).padStart(2, "0")}`);

describe("removals in bulk", () => {
  let projected: ProjectedHistory;
  let removals: ReturnType<typeof openSqliteRemovals>;
  let now: number;
  let bulk: BulkRemovals;
  let end: number;
  beforeEach(async () => {
    projected = new ProjectedHistory();
    removals = openSqliteRemovals({ file: projected.file });
    now = start;
    end = 0;
    bulk = new BulkRemovals(
      removals,
      () => now,
      () => nextTurn(),
    );
    await write("setup", 0, wiki.opened(), ...ids(30).map((id) => indexed(wiki.datasource, id, { access: staff })));
  });
  afterEach(() => {
    removals.close();
    projected.close();
  });

  /** One event after the other, a second apart. */
  async function write(by: string, afterMs: number, ...events: readonly DomainEvent[]): Promise<void> {
    const recorded = recordEvents(events, end).map((event, index) => {
      const at = new Date(start + afterMs + index * 1_000).toISOString();
      return { ...event, metadata: { ...event.metadata, by: toCredentialId(by), at } };
    });
    end = Number(recorded.at(-1)?.position ?? end);
    expect(await projected.project(recorded)).to.equal("applied");
  }
  const gone = (from: number, to: number): DomainEvent[] =>
    ids(30)
      .slice(from, to)
      .map((id) => deleted(wiki.datasource, id));

  it("are told with the credential and the positions that an undo takes", async () => {
    const first = end + 2;
    await write("sync", minute, ...gone(0, 7));
    expect(await bulk.list()).to.deep.equal([
      {
        datasource: "wiki",
        credential: "sync",
        from: String(first),
        to: String(end),
        at: new Date(start + minute + 6_000).toISOString(),
        documents: { removed: 7, of: 30 },
        grants: { removed: 7, of: 30 },
      },
    ]);
  });

  it("are none up to a fifth of what there was", async () => {
    await write("sync", minute, ...gone(0, 6));
    expect(await bulk.list()).to.deep.equal([]);
    await write("sync", 2 * minute, ...gone(6, 7));
    expect((await bulk.list()).map(({ documents }) => documents)).to.deep.equal([{ removed: 7, of: 30 }]);
  });

  it("count for each credential, and for each push: a pause of ten minutes ends one", async () => {
    await write("sync", minute, ...gone(0, 5));
    await write("other", 2 * minute, ...gone(5, 10));
    await write("sync", 13 * minute, ...gone(10, 14));
    expect(await bulk.list()).to.deep.equal([]);
  });

  it("are told of grants that go while their documents stay", async () => {
    await write("sync", minute, ...ids(8).map((id) => indexed(wiki.datasource, id, { access: {} })));
    expect((await bulk.list()).map(({ documents, grants }) => [documents, grants])).to.deep.equal([
      [
        { removed: 0, of: 30 },
        { removed: 8, of: 30 },
      ],
    ]);
  });

  it("are told for seven days, however often somebody looks", async () => {
    await write("sync", minute, ...gone(0, 7));
    await Promise.all([bulk.list(), bulk.list()]);
    now = start + 7 * 24 * 60 * minute;
    expect((await bulk.list()).length).to.equal(1);
    now += 2 * minute;
    expect(await bulk.list()).to.deep.equal([]);
    expect(
      await new BulkRemovals(
        removals,
        () => now,
        () => nextTurn(),
      ).list(),
    ).to.deep.equal([]);
  });

  it("are none where a whole datasource was deleted, which is said by its name", async () => {
    await write("sync", minute, wiki.deleted());
    expect(await bulk.list()).to.deep.equal([]);
  });
});
