import { expect } from "chai";
import * as fc from "fast-check";
import type { ChangedItem } from "../../src/audit/historyQuestions.js";
import type { TriedRequest } from "../../src/audit/auditQueries.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import type { Position } from "../../src/shared/position.js";
import { NaiveReplay } from "../support/naiveReplay.js";
import {
  datasources,
  documents,
  groupNames,
  people,
  permissionHistories,
  allPairs,
} from "../support/permissionHistories.js";
import { ProjectedHistory } from "../support/projectedHistory.js";
import { propertyRuns } from "../support/propertyRuns.js";
import { trialOn } from "../support/trialOn.js";

const datasource = fc.constantFrom(...datasources);
const email = fc.constantFrom(...people);
const group = fc.constantFrom(...groupNames, "hypotheticalEntities");
const id = fc.constantFrom(...documents, "news");
const api = "/api/indexing";
const post = (path: string, body: unknown): TriedRequest => ({ method: "POST", path: `${api}/${path}`, body });
const permissions = fc.oneof(
  { weight: 1, arbitrary: fc.constant(undefined) },
  {
    weight: 4,
    arbitrary: fc.record({
      allow_anonymous_access: fc.boolean(),
      allowed_users: fc.uniqueArray(email, { maxLength: 2 }).map((users) => users.map((user) => ({ email: user }))),
      allowed_groups: fc.uniqueArray(group, { maxLength: 2 }),
    }),
  },
);

const pushed = fc.tuple(datasource, id, permissions).map(([name, indexed, access]) => ({
  datasource: name,
  id: indexed,
  title: "t",
  file_type: "page",
  ...(access === undefined ? {} : { permissions: access }),
}));
const definition = fc.constantFrom<object>(
  { display_name: "Another" },
  { object_definitions: [{ name: "page", property_definitions: [{ name: "owner", property_type: "TEXT" }] }] },
);

/** Requests of every kind that changes something; some are refused. */
const request: fc.Arbitrary<TriedRequest> = fc.oneof(
  { weight: 1, arbitrary: datasource.map((name) => ({ method: "DELETE", path: `${api}/datasources/${name}` })) },
  { weight: 1, arbitrary: datasource.map((name) => post("datasources", { name })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(datasource, definition)
      .map(([name, changed]) => ({ method: "PUT", path: `${api}/datasources/${name}`, body: changed })),
  },
  { weight: 1, arbitrary: datasource.map((name) => post(`datasources/${name}/subs`, { name: "News" })) },
  {
    weight: 1,
    arbitrary: datasource.map((name) => ({ method: "DELETE", path: `${api}/datasources/${name}/subs/news` })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(datasource, email)
      .map(([name, user]) => post("users", { datasource: name, user: { email: user } })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(datasource, email).map(([name, user]) => ({
      method: "PUT",
      path: `${api}/users/${name}/${encodeURIComponent(user)}`,
      body: { name: "Somebody" },
    })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(datasource, email).map(([name, user]) => ({
      method: "DELETE",
      path: `${api}/users/${name}/${encodeURIComponent(user)}`,
    })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(datasource, group)
      .map(([name, gone]) => ({ method: "DELETE", path: `${api}/groups/${name}/${gone}` })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(datasource, group)
      .map(([name, created]) => post("groups", { datasource: name, group: { name: created } })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(datasource, group, group)
      .map(([name, from, to]) => ({ method: "PUT", path: `${api}/groups/${name}/${from}`, body: { group_name: to } })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(datasource, group, email)
      .map(([name, joined, user]) =>
        post("memberships", { datasource: name, membership: { group_name: joined, member_email: user } }),
      ),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(datasource, group, group)
      .map(([name, joined, member]) =>
        post("memberships", { datasource: name, membership: { group_name: joined, member_group_name: member } }),
      ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(datasource, group, email).map(([name, left, user]) => ({
      method: "DELETE",
      path: `${api}/memberships/${name}/${left}/user/${encodeURIComponent(user)}`,
    })),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(datasource, group, group).map(([name, left, member]) => ({
      method: "DELETE",
      path: `${api}/memberships/${name}/${left}/group/${member}`,
    })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(datasource, id)
      .map(([name, gone]) => ({ method: "DELETE", path: `${api}/documents/${name}/${gone}` })),
  },
  { weight: 5, arbitrary: pushed.map((one) => post("documents", { documents: one })) },
  {
    weight: 2,
    arbitrary: fc.array(pushed, { maxLength: 4 }).map((several) => post("documents", { documents: several })),
  },
);

const everySight = [
  ...allPairs,
  ...people.flatMap((person) =>
    datasources.map((name) => ({ email: person, datasource: name, documentId: "news" as never })),
  ),
];
const lineOf = ({ user_email, document }: ChangedItem): string => `${user_email} ${document}`;
const last = (events: readonly RecordedEvent[]): Position => events.at(-1)?.position as Position;

describe("what would be if", () => {
  const projected = new ProjectedHistory();
  after(() => projected.close());

  it("is what then happens: who gains what, who loses what, and nobody else", async () => {
    const changed = { gains: 0, losses: 0 };
    await fc.assert(
      fc.asyncProperty(
        permissionHistories(),
        fc.nat(40),
        fc.array(request, { minLength: 1, maxLength: 6 }),
        async (history, later, requests) => {
          await projected.clear();
          await projected.project(history);
          // A page that comes later is about a moment that the log has left behind.
          const events = history.slice(0, Math.max(1, history.length - Math.max(0, later - 20)));
          const trial = trialOn(history, last(events));
          const outcomes = await trial.run(requests);
          expect(outcomes.length).to.equal(requests.length);
          for (const { status } of outcomes) expect(status).to.be.oneOf([200, 404, 409]);
          const then = [...events, ...trial.appended()];
          const [naiveBefore, naiveAfter] = [new NaiveReplay(events, last(events)), new NaiveReplay(then, last(then))];
          for (const change of ["gains", "losses"] as const) {
            const [without, withIt] = change === "gains" ? [naiveBefore, naiveAfter] : [naiveAfter, naiveBefore];
            const expected = everySight
              .filter((pair) => withIt.maySee(pair) && !without.maySee(pair))
              .map((pair) => `${pair.email} ${pair.datasource}/${pair.documentId}`);
            const { items, total } = projected.ask<ChangedItem>(
              { kind: "difference", change, events: trial.events() },
              Number(last(events)),
            );
            expect(items.map(lineOf).sort()).to.deep.equal(expected.sort());
            expect(total).to.equal(expected.length);
            for (const { via } of items) expect(via.grant === "group").to.equal(via.groups.length > 0);
            changed[change] += items.length;
          }
        },
      ),
      propertyRuns(500),
    );
    // Random stories: far fewer than any five hundred of them have had, and enough to be no accident.
    expect(changed.gains).to.be.greaterThan(100);
    expect(changed.losses).to.be.greaterThan(25);
  });
});
