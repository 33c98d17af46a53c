import { expect } from "chai";
import * as fc from "fast-check";
import { createPastSearch } from "../../../src/audit/search/pastSearch.js";
import type { SearchAmong } from "../../../src/audit/ports/pastSearch.js";
import { HistoryPages } from "../../../src/audit/asOf/historyPages.js";
import type { AskPastSearch } from "../../../src/audit/auditQueries.js";
import type { RecordedEvent } from "../../../src/events/domainEvent.js";
import { ok } from "../../../src/shared/result.js";
import { toPosition, type Position } from "../../../src/shared/position.js";
import { NaiveReplay } from "../../support/naiveReplay.js";
import { people, permissionHistories, allPairs } from "../../support/permissionHistories.js";
import { ProjectedHistory } from "../../support/projectedHistory.js";
import { propertyRuns } from "../../support/propertyRuns.js";

const [ann] = people;
const everything = {
  query: "plan",
  count: 10,
  startPage: 0,
  atLeast: null,
  datasources: null,
  fileTypes: null,
  modifiedFrom: null,
  modifiedTo: null,
};

describe("a search as of a moment", () => {
  let projected: ProjectedHistory;
  beforeEach(() => (projected = new ProjectedHistory()));
  afterEach(() => projected.close());

  /** Which documents a search is among, by name and id of their datasource's registration. */
  async function searchedAmong(
    events: readonly RecordedEvent[],
    question: Pick<AskPastSearch, "person" | "at">,
  ): Promise<readonly string[]> {
    const asked: SearchAmong[] = [];
    const head = events.at(-1)?.position ?? toPosition(0);
    const reached = { position: async () => head, reached: async () => true };
    const pages = new HistoryPages(projected.history);
    const search = createPastSearch({
      log: { head: async () => head },
      clock: { positionAt: async () => head, timeAt: async () => null, newestTime: async () => null },
      now: () => new Date(),
      progress: reached,
      patienceMs: 0,
      page: async (request) => pages.page(request),
      served: {
        search: {
          ...reached,
          searchAmong: async (request) => (asked.push(request), { hits: [], total: 0, totalRelation: "eq" }),
        },
        catalogue: { ...reached, list: async () => [] },
      },
    });
    expect(await search({ ...everything, ...question })).to.have.property("ok", true);
    return asked.flatMap(({ among }) =>
      among.flatMap(({ datasourceId, documentIds }) =>
        documentIds.map((documentId) => `${datasourceId}/${documentId}`),
      ),
    );
  }

  /** The same, by the spec's rules alone. */
  function visibleTo(
    events: readonly RecordedEvent[],
    position: Position,
    email: AskPastSearch["person"],
  ): readonly string[] {
    const replay = new NaiveReplay(events, position);
    const live = new Map(
      events.flatMap(({ event, position: at }) =>
        event.type === "DatasourceRegistered" && at <= position
          ? [[event.data.name, event.data.datasourceId] as const]
          : [],
      ),
    );
    return allPairs
      .filter((pair) => pair.email === email && replay.maySee(pair))
      .map(({ datasource, documentId }) => `${live.get(datasource)}/${documentId}`);
  }

  it("is among what the person could see then, of the very registrations of then, and nothing else", () =>
    fc.assert(
      fc.asyncProperty(permissionHistories(), fc.nat(), fc.constantFrom(...people), async (events, cut, person) => {
        await projected.clear();
        await projected.project(events);
        const { position } = events[cut % events.length] as RecordedEvent;
        const found = await searchedAmong(events, { person, at: { kind: "position", position } });
        expect([...found].sort()).to.deep.equal([...visibleTo(events, position, person)].sort());
      }),
      propertyRuns(300),
    ));

  it("fails where the moment has not come, the history is behind, or an event is parked", async () => {
    const answerOf = async (services: Partial<Parameters<typeof createPastSearch>[0]>, at: AskPastSearch["at"]) => {
      const reached = { position: async () => toPosition(5), reached: async () => true };
      const search = createPastSearch({
        log: { head: async () => toPosition(5) },
        clock: { positionAt: async () => toPosition(5), timeAt: async () => null, newestTime: async () => null },
        now: () => new Date(1_000),
        progress: reached,
        patienceMs: 0,
        page: async () => ok({ items: [], hasMore: false }),
        served: {
          search: { ...reached, searchAmong: () => Promise.reject(new Error("Nobody is expected to search.")) },
          catalogue: { ...reached, list: async () => [] },
        },
        ...services,
      });
      const answer = await search({ ...everything, person: ann as never, at });
      return answer.ok ? "ok" : answer.error.type;
    };
    const then = { kind: "position", position: toPosition(5) } as const;
    expect(await answerOf({}, { kind: "time", time: 2_000 })).to.equal("MomentInFuture");
    expect(
      await answerOf({ progress: { position: async () => toPosition(0), reached: async () => false } }, then),
    ).to.equal("HistoryBehind");
    expect(
      await answerOf(
        { page: async () => ({ ok: false, error: { type: "AccessUnavailable", datasource: "wiki" } }) },
        then,
      ),
    ).to.equal("AccessUnavailable");
  });
});
