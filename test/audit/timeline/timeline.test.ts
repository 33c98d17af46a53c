import { expect } from "chai";
import * as fc from "fast-check";
import {
  documentTimeline,
  type DocumentTimeline,
  incarnationTimeline,
  StreamTimelines,
  type PersonTimeline,
  loadPerson,
  groupGraphTimeline,
  nameAt,
  type GroupGraphTimeline,
} from "../../../src/audit/timeline/streamTimelines.js";
import { openAt, type Interval, type Intervals } from "../../../src/audit/timeline/intervals.js";
import { permissionFactsOf } from "../../../src/audit/timeline/permissionFact.js";
import type { RecordedEvent } from "../../../src/events/domainEvent.js";
import { categoryOf, datasourceStream, documentStream, groupGraphStream } from "../../../src/events/streams.js";
import type { DatasourceId, DatasourceName, DocumentId, Email, GroupId } from "../../../src/shared/ids.js";
import type { Position } from "../../../src/shared/position.js";
import { NaiveReplay, type Pair } from "../../support/naiveReplay.js";
import { naiveTimeline } from "../../support/naiveTimelines.js";
import { datasources, permissionHistories, allPairs } from "../../support/permissionHistories.js";
import { propertyRuns } from "../../support/propertyRuns.js";
import { recordedLog } from "../../support/recordedLog.js";

const groupsAbove = (person: PersonTimeline, graph: GroupGraphTimeline, position: Position): ReadonlySet<GroupId> => {
  const open = (parents: ReadonlyMap<GroupId, Intervals> | null | undefined): readonly GroupId[] =>
    [...(parents ?? [])].flatMap(([group, intervals]) => (openAt(intervals, position) === null ? [] : [group]));
  const reached = new Set(open(person.groups));
  for (const group of reached) for (const parent of open(graph.groups.get(group)?.parents)) reached.add(parent);
  return reached;
};

/** The timelines of a log, read to its end whatever is asked of them. */
class Timelines {
  private readonly streams: StreamTimelines;
  private readonly end: Position;

  constructor(events: readonly RecordedEvent[]) {
    this.streams = new StreamTimelines(recordedLog(events));
    this.end = events.at(-1)?.position as Position;
  }

  incarnations(name: DatasourceName) {
    return this.streams.load(incarnationTimeline, datasourceStream(name), this.end);
  }

  document(id: DatasourceId, { documentId }: Pick<Pair, "documentId">): Promise<DocumentTimeline> {
    return this.streams.load(documentTimeline, documentStream(id, documentId), this.end);
  }

  person(id: DatasourceId, { email }: Pick<Pair, "email">): Promise<PersonTimeline> {
    return loadPerson(this.streams, { datasourceId: id, email }, this.end);
  }

  graph(id: DatasourceId): Promise<GroupGraphTimeline> {
    return this.streams.load(groupGraphTimeline, groupGraphStream(id), this.end);
  }

  /** The spec's visibility rules over what the timelines say of one moment. */
  async maySee(pair: Pair, position: Position): Promise<boolean> {
    const incarnation = openAt(await this.incarnations(pair.datasource), position);
    if (incarnation === null) return false;
    const { datasourceId } = incarnation;
    const [document, person] = [await this.document(datasourceId, pair), await this.person(datasourceId, pair)];
    const isRegistered = openAt(person.registrations, position) !== null;
    if (!isRegistered || openAt(document.existence, position) === null) return false;
    if (openAt(document.anonymous, position) ?? openAt(document.users.get(pair.email), position)) return true;
    const graph = await this.graph(datasourceId);
    const above = groupsAbove(person, graph, position);
    return [...document.groups].some(([name, grants]) => {
      const bearer = openAt(graph.names.get(name), position)?.groupId;
      return openAt(grants, position) !== null && bearer !== undefined && above.has(bearer);
    });
  }
}

/** `position sentence` for each beginning and end. */
const turns = (
  intervals: readonly Interval[],
  began: (at: Position) => string,
  ended: (at: Position) => string,
): readonly string[] =>
  intervals.flatMap(({ opened, closed }) => [
    `${opened.position} ${began(opened.position)}`,
    ...(closed === null ? [] : [`${closed.position} ${ended(closed.position)}`]),
  ]);

async function documentLines(timelines: Timelines, datasource: DatasourceName, documentId: DocumentId) {
  const name = `${datasource}/${documentId}`;
  const lines: string[] = [];
  for (const { datasourceId, closed } of await timelines.incarnations(datasource)) {
    const { existence, anonymous, users, groups } = await timelines.document(datasourceId, { documentId });
    const granted = (intervals: Intervals, target: string): readonly string[] =>
      turns(
        intervals,
        () => `${name} was granted to ${target}`,
        () => `the grant of ${name} to ${target} ended`,
      );
    const own = [
      ...turns(
        existence,
        () => `${name} was indexed`,
        () => `${name} was deleted`,
      ),
      ...granted(anonymous, "everybody registered"),
      ...[...users].flatMap(([email, intervals]) => granted(intervals, email)),
      ...[...groups].flatMap(([group, intervals]) => granted(intervals, `the group ${group}`)),
    ];
    const closing =
      closed === null || own.length === 0 ? [] : [`${closed.position} the datasource ${datasource} was deleted`];
    lines.push(...own, ...closing);
  }
  return lines.sort();
}

async function personLines(timelines: Timelines, email: Email) {
  const lines: string[] = [];
  for (const datasource of datasources) {
    for (const { datasourceId } of await timelines.incarnations(datasource)) {
      const [person, graph] = [await timelines.person(datasourceId, { email }), await timelines.graph(datasourceId)];
      lines.push(
        ...turns(
          person.registrations,
          () => `${email} was registered on ${datasource}`,
          () => `${email} was deleted from ${datasource}`,
        ),
      );
      for (const [group, intervals] of person.groups)
        lines.push(
          ...turns(
            intervals,
            (at) => `${email} joined the group ${nameAt(graph, group, at)}`,
            (at) => `${email} left the group ${nameAt(graph, group, at)}`,
          ),
        );
    }
  }
  return lines.sort();
}

describe("the timeline of permission facts", () => {
  it("says who may see what at any moment, as a naive replay of the log up to there does", async () => {
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(
        permissionHistories(),
        fc.array(fc.nat(10_000), { minLength: 1, maxLength: 4 }),
        async (events, moments) => {
          const timelines = new Timelines(events);
          for (const moment of moments) {
            const { position } = events[moment % events.length] as RecordedEvent;
            const naive = new NaiveReplay(events, position);
            for (const pair of allPairs) {
              const maySee = naive.maySee(pair);
              expect(await timelines.maySee(pair, position)).to.equal(maySee);
              if (maySee) seen++;
            }
          }
        },
      ),
      propertyRuns(1_000),
    );
    expect(seen).to.be.greaterThan(1_000);
  });

  it("says when everything began and ended, as a naive walk over the log does", async () => {
    let told = 0;
    await fc.assert(
      fc.asyncProperty(
        permissionHistories(),
        fc.constantFrom(...allPairs),
        async (events, { email, datasource, documentId }) => {
          const timelines = new Timelines(events);
          const end = events.at(-1)?.position as Position;
          const ofDocument = await documentLines(timelines, datasource, documentId);
          expect(ofDocument).to.deep.equal(naiveTimeline(events, end, { datasource, documentId }));
          const ofPerson = naiveTimeline(events, end, { user: email }).filter((line) =>
            / was (registered on|deleted from) | (joined|left) the group /.test(line),
          );
          expect(await personLines(timelines, email)).to.deep.equal(ofPerson);
          told += ofDocument.length + ofPerson.length;
        },
      ),
      propertyRuns(1_000),
    );
    expect(told).to.be.greaterThan(1_000);
  });

  it("is told in each stream of one kind of thing", () => {
    const abouts = {
      ...{ datasource: "incarnation", groupGraph: "group", document: "document" },
      ...{ user: "person", groupMembers: "person" },
    } as const;
    fc.assert(
      fc.property(permissionHistories(), (events) => {
        for (const { stream, event } of events) {
          const category = categoryOf(stream);
          const told = new Set(permissionFactsOf(event).map(({ about }) => about));
          expect([...told]).to.deep.equal(category in abouts ? [abouts[category as keyof typeof abouts]] : []);
        }
      }),
      propertyRuns(200),
    );
  });
});
