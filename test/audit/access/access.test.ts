import { expect } from "chai";
import { createAccess, type ServedReaders } from "../../../src/audit/access/access.js";
import { StreamTimelines } from "../../../src/audit/timeline/streamTimelines.js";
import type { AccessAnswer, Moment } from "../../../src/audit/auditQueries.js";
import type { DocumentAccess, DocumentIndexed } from "../../../src/events/document.js";
import type { DomainEvent, RecordedEvent } from "../../../src/events/domainEvent.js";
import { toDatasourceName, toDocumentId, toEmail } from "../../../src/shared/ids.js";
import { toPosition } from "../../../src/shared/position.js";
import { UnreadableEvent } from "../../../src/shared/failures.js";
import { eventsOn } from "../../support/accessLanguage.js";
import { inStreams } from "../../support/inStreams.js";
import { recordedLog } from "../../support/recordedLog.js";

const wiki = eventsOn("wiki");
const { datasourceId } = wiki;
const plan = toDocumentId("plan");
const content = { sha256: "ab", bytes: 2 };

const indexed = (access: Partial<DocumentAccess>, fields: Partial<DocumentIndexed["data"]> = {}): DomainEvent => ({
  type: "DocumentIndexed",
  data: {
    ...{
      datasourceId,
      datasource: toDatasourceName("wiki"),
      documentId: plan,
      title: "The plan",
      content,
      mimeType: "text/plain",
      size: 2,
      fileType: "wiki",
    },
    ...{
      pathPreview: null,
      path: null,
      author: null,
      lastModified: "2026-01-01T00:00:00Z",
      sub: null,
      childSub: null,
      customProperties: [],
    },
    ...{
      supersededContent: null,
      widenedToAnonymous: false,
      access: { anonymous: false, users: [], groups: [], ...access },
    },
    ...fields,
  },
});
const deleted: DomainEvent = {
  type: "DocumentDeleted",
  data: { datasourceId, datasource: toDatasourceName("wiki"), documentId: plan, supersededContent: content },
};

const staff = ["all", "staff", "crew"].map((name) => wiki.created(name));
const people = [wiki.registered("ann"), wiki.registered("bob")];

async function ask(
  events: readonly DomainEvent[],
  { at, served }: { readonly at?: Moment; readonly served?: Partial<ServedReaders> } = {},
): Promise<AccessAnswer> {
  const log = recordedLog(inStreams(events));
  const access = createAccess({
    log,
    timelines: new StreamTimelines(log),
    clock: log,
    now: () => new Date("2026-06-01T00:00:00Z"),
    served: served as ServedReaders,
  });
  const end = await log.head();
  const answer = await access({
    user: toEmail("ann@example.org"),
    datasource: toDatasourceName("wiki"),
    documentId: plan,
    at: at ?? { kind: "position", position: end },
  });
  if (!answer.ok) throw new Error(answer.error.type);
  return answer.value;
}

const factsOf = ({ explanation }: AccessAnswer): readonly string[] => explanation.map(({ fact }) => fact);
const membership = (group: string) => ({
  method: "POST",
  path: "/api/indexing/memberships",
  body: { datasource: "wiki", membership: { group_name: group, member_email: "ann@example.org" } },
});
const registration = {
  method: "POST",
  path: "/api/indexing/users",
  body: { datasource: "wiki", user: { email: "ann@example.org" } },
};

describe("why somebody may see a document", () => {
  it("is the chain from the document down to the person, each link with its event", async () => {
    const answer = await ask([
      wiki.opened(),
      ...staff,
      wiki.registered("ann"),
      wiki.nests("crew", "staff"),
      wiki.joins("ann", "crew"),
      indexed({ groups: ["staff"] }),
    ]);
    expect(answer.has_access).to.equal(true);
    expect(factsOf(answer)).to.deep.equal([
      "wiki/plan grants the group staff",
      "there is a group named staff",
      "staff contains crew",
      "crew contains ann@example.org",
      "ann@example.org is registered on wiki",
      "the datasource wiki exists",
    ]);
    expect(answer.explanation[2]).to.deep.equal({
      fact: "staff contains crew",
      event: "MembershipAdded",
      stream: "groupGraph-wiki-1",
      revision: 3,
      position: "12",
      time: "2026-01-02T03:04:05.678Z",
      by: "operator",
    });
  });

  it("is the shortest chain, and of several as short the one that is there longest", async () => {
    const chains = [
      wiki.nests("crew", "staff"),
      wiki.joins("ann", "crew"),
      wiki.joins("ann", "staff"),
      wiki.joins("ann", "all"),
      indexed({ groups: ["staff"] }),
      indexed({ groups: ["all", "staff"] }),
    ];
    expect(factsOf(await ask([wiki.opened(), ...staff, ...people, ...chains]))[0]).to.equal(
      "wiki/plan grants the group staff",
    );
    expect(
      factsOf(
        await ask([
          wiki.opened(),
          ...staff,
          ...people,
          ...chains,
          indexed({ groups: ["staff"], users: [wiki.email("ann")] }),
        ]),
      )[0],
    ).to.equal("wiki/plan grants ann@example.org");
  });

  it("begins where the grant began, however often the document was indexed again", async () => {
    const answer = await ask([
      wiki.opened(),
      ...people,
      indexed({ users: [wiki.email("ann")] }),
      indexed({ users: [wiki.email("ann"), wiki.email("bob")] }),
      indexed({ users: [wiki.email("ann")], anonymous: true }),
    ]);
    expect(answer.explanation[0]).to.deep.include({ fact: "wiki/plan grants ann@example.org", revision: 0 });
  });
});

describe("why somebody may not see a document", () => {
  const cases: readonly (readonly [
    string,
    readonly DomainEvent[],
    string,
    string,
    string | undefined,
    object | undefined,
  ])[] = [
    ["no datasource", [], "datasource_absent", "There is no datasource named wiki.", undefined, undefined],
    [
      "a datasource that was deleted",
      [wiki.opened(), ...people, indexed({ anonymous: true }), wiki.deleted()],
      "datasource_absent",
      "The datasource wiki was deleted, with all its documents.",
      "DatasourceDeleted",
      undefined,
    ],
    [
      "no document",
      [wiki.opened(), ...people],
      "document_absent",
      "wiki/plan has never been indexed.",
      undefined,
      undefined,
    ],
    [
      "a document that was deleted",
      [wiki.opened(), ...people, indexed({ anonymous: true }), deleted],
      "document_absent",
      "wiki/plan was deleted.",
      "DocumentDeleted",
      undefined,
    ],
    [
      "no registration",
      [wiki.opened(), wiki.registered("bob"), indexed({ anonymous: true })],
      "not_registered",
      "ann@example.org is not registered on wiki, and sees none of its documents.",
      undefined,
      [registration],
    ],
    [
      "no registration where groups are granted",
      [wiki.opened(), ...staff, indexed({ groups: ["crew"] })],
      "not_registered",
      "ann@example.org is not registered on wiki, and sees none of its documents.",
      undefined,
      [registration, membership("crew")],
    ],
    [
      "an empty access list",
      [wiki.opened(), ...people, indexed({})],
      "no_grant",
      "wiki/plan grants nobody.",
      undefined,
      undefined,
    ],
    [
      "a list of others",
      [wiki.opened(), ...people, indexed({ users: [wiki.email("bob")] })],
      "no_grant",
      "wiki/plan grants other people, and no group.",
      undefined,
      undefined,
    ],
    [
      "a grant that ended",
      [wiki.opened(), ...people, indexed({ users: [wiki.email("ann")] }), indexed({})],
      "no_grant",
      "wiki/plan does not grant ann@example.org any more.",
      "DocumentIndexed",
      undefined,
    ],
    [
      "a group that is not there",
      [wiki.opened(), ...people, indexed({ groups: ["ghosts"] })],
      "group_absent",
      "wiki/plan grants only groups that do not exist: ghosts.",
      undefined,
      undefined,
    ],
    [
      "a group that was renamed",
      [
        wiki.opened(),
        ...people,
        ...staff,
        wiki.joins("ann", "crew"),
        indexed({ groups: ["crew"] }),
        wiki.renamed("crew", "team"),
      ],
      "group_absent",
      "wiki/plan grants the group crew, which was renamed to team: documents keep the old name until they are indexed again.",
      "GroupRenamed",
      undefined,
    ],
    [
      "no membership",
      [wiki.opened(), ...people, ...staff, wiki.nests("staff", "all"), indexed({ groups: ["all", "staff"] })],
      "not_a_member",
      "ann@example.org belongs to none of the groups that wiki/plan grants: all, staff.",
      undefined,
      [membership("all")],
    ],
    [
      "a membership that ended",
      [
        wiki.opened(),
        ...people,
        ...staff,
        wiki.nests("crew", "staff"),
        indexed({ groups: ["staff"] }),
        wiki.joins("ann", "crew"),
        wiki.leaves("ann", "crew"),
      ],
      "not_a_member",
      "ann@example.org is not a member of crew any more.",
      "MembershipRemoved",
      [membership("staff")],
    ],
    [
      "a nesting that ended",
      [
        wiki.opened(),
        ...people,
        ...staff,
        wiki.nests("crew", "staff"),
        indexed({ groups: ["staff"] }),
        wiki.joins("ann", "crew"),
        wiki.unnests("crew", "staff"),
      ],
      "not_a_member",
      "crew is not a member of staff any more.",
      "MembershipRemoved",
      [membership("staff")],
    ],
  ];
  for (const [what, events, kind, detail, ended, change] of cases) {
    it(`is ${what}`, async () => {
      const answer = await ask(events);
      expect(answer).to.deep.include({ has_access: false, explanation: [] });
      expect(answer.missing).to.deep.include({ kind, detail });
      expect(answer.missing?.ended?.event).to.equal(ended);
      if (change !== undefined) expect(answer.smallest_change).to.deep.equal(change);
    });
  }

  it("is mended, where no group helps, by a re-index with the person added and without a text", async () => {
    const fields = { sub: "hr", path: "a/b", customProperties: [{ name: "owner", value: "Bob" }] };
    const { smallest_change: change } = await ask([
      wiki.opened(),
      ...people,
      indexed({ users: [wiki.email("bob")], groups: ["ghosts"] }, fields),
    ]);
    expect(change).to.deep.equal([
      {
        method: "POST",
        path: "/api/indexing/documents",
        body: {
          documents: {
            ...{
              datasource: "wiki",
              id: "plan",
              title: "The plan",
              body: { mime_type: "text/plain" },
              file_type: "wiki",
              path: "a/b",
              last_modified: "2026-01-01T00:00:00Z",
            },
            permissions: {
              allow_anonymous_access: false,
              allowed_users: [{ email: "ann@example.org" }, { email: "bob@example.org" }],
              allowed_groups: ["ghosts"],
            },
          },
        },
      },
    ]);
  });
});

describe("what is granted now", () => {
  const granted = inStreams([wiki.opened(), wiki.registered("ann"), indexed({ anonymous: true })]).map(
    ({ event }) => event,
  );
  const here = { position: async () => toPosition(1_000) };
  const behind = { position: async () => toPosition(1) };
  const catalogue = { ...here, find: async () => wiki.datasource };
  const access = { ...here, isParked: async () => false, holdsAny: async () => true };
  const search = { ...here, find: async () => ({ details: undefined as never, tokens: [] }) };
  const now: Moment = { kind: "now" };

  const cases: readonly (readonly [string, Partial<ServedReaders>, string | undefined])[] = [
    ["is a yes where it is served", { catalogue, access, search }, undefined],
    [
      "is still being projected where the index has not come so far",
      { catalogue, access, search: { ...behind, find: async () => null } },
      "being_projected",
    ],
    [
      "is still being projected where the closure has not come so far",
      { catalogue, access: { ...access, ...behind, holdsAny: async () => false }, search },
      "being_projected",
    ],
    [
      "is still being projected where the catalogue has not come so far",
      { catalogue: { ...behind, find: async () => null }, access, search },
      "being_projected",
    ],
    [
      "is parked where the datasource is",
      { catalogue, access: { ...access, isParked: async () => true }, search },
      "parked",
    ],
    [
      "is parked where the index is past it and does not hold it",
      { catalogue, access, search: { ...here, find: async () => null } },
      "parked",
    ],
    [
      "is served differently where nothing explains it",
      { catalogue, access: { ...access, holdsAny: async () => false }, search },
      "served_differently",
    ],
  ];
  for (const [what, served, kind] of cases) {
    it(what, async () => {
      const answer = await ask(granted, { at: now, served });
      expect(answer.has_access).to.equal(kind === undefined);
      expect(answer.missing?.kind).to.equal(kind);
      expect(answer.at).to.equal("2026-06-01T00:00:00.000Z");
    });
  }
});

describe("what is refused now", () => {
  const revoked = inStreams([wiki.opened(), wiki.registered("ann"), indexed({ anonymous: true }), indexed({})]).map(
    ({ event }) => event,
  );
  const closed = inStreams([wiki.opened(), wiki.registered("ann"), indexed({ anonymous: true }), wiki.deleted()]).map(
    ({ event }) => event,
  );
  const here = { position: async () => toPosition(1_000) };
  const behind = { position: async () => toPosition(1) };
  const catalogue = { ...here, find: async () => wiki.datasource };
  const access = { ...here, isParked: async () => false, holdsAny: async () => true };
  const search = { ...here, find: async () => ({ details: undefined as never, tokens: [] }) };
  const now: Moment = { kind: "now" };

  const cases: readonly (readonly [string, readonly DomainEvent[], Partial<ServedReaders>, string | undefined])[] = [
    [
      "is no more than that where it is not served",
      revoked,
      { catalogue, search, access: { ...access, holdsAny: async () => false } },
      undefined,
    ],
    [
      "is no more than that where the index does not hold it",
      revoked,
      { catalogue, access, search: { ...here, find: async () => null } },
      undefined,
    ],
    [
      "is no more than that where nobody sees the datasource",
      revoked,
      { catalogue, search, access: { ...access, isParked: async () => true } },
      undefined,
    ],
    [
      "is served until the index has come so far",
      revoked,
      { catalogue, access, search: { ...search, ...behind } },
      "being_projected",
    ],
    [
      "is served until the closure has come so far",
      revoked,
      { catalogue, search, access: { ...access, ...behind } },
      "being_projected",
    ],
    [
      "is served until the catalogue knows that the datasource is gone",
      closed,
      { search, access, catalogue: { ...catalogue, ...behind } },
      "being_projected",
    ],
    ["is served where nothing explains it", revoked, { catalogue, access, search }, "served_differently"],
  ];
  for (const [what, events, served, kind] of cases) {
    it(what, async () => {
      const answer = await ask(events, { at: now, served });
      expect(answer.has_access).to.equal(false);
      expect(answer.missing?.kind).to.equal(events === closed ? "datasource_absent" : "no_grant");
      expect(answer.still_served?.kind).to.equal(kind);
    });
  }

  it("is not asked of what is served where it is about the past", async () => {
    expect(await ask(revoked, { served: { catalogue, access, search } })).not.to.have.property("still_served");
  });
});

describe("what rests on an event that cannot be read", () => {
  const events = inStreams([
    wiki.opened(),
    wiki.registered("ann"),
    indexed({ anonymous: true }),
    indexed({}),
    indexed({ anonymous: true }),
  ]);
  const [withdrawal] = events.slice(-2) as [RecordedEvent];
  const whole = recordedLog(events);
  const damaged: typeof whole = {
    ...whole,
    readStream: async (stream, from, count) => {
      const read = await whole.readStream(stream, from, count);
      if (read.some(({ position }) => position === withdrawal.position))
        throw new UnreadableEvent("It is damaged.", withdrawal);
      return read;
    },
  };
  const ofNewerProgram = recordedLog(
    events.map((event) =>
      event === withdrawal ? { ...event, event: { type: "DocumentHidden", data: {} } as never } : event,
    ),
  );

  for (const [what, log] of [
    ["damaged", damaged],
    ["written by a newer program", ofNewerProgram],
  ] as const) {
    it(`is refused, not guessed, from there on where it is ${what}`, async () => {
      const access = createAccess({
        log,
        timelines: new StreamTimelines(log),
        clock: log,
        now: () => new Date("2026-06-01T00:00:00Z"),
        served: undefined as never,
      });
      const at = async (position: bigint) => {
        const answer = await access({
          user: toEmail("ann@example.org"),
          datasource: toDatasourceName("wiki"),
          documentId: plan,
          at: { kind: "position", position: toPosition(position) },
        });
        return answer.ok ? answer.value.has_access : answer.error;
      };
      expect(await at(withdrawal.position - 1n)).to.equal(true);
      for (const position of [withdrawal.position, await log.head()])
        expect(await at(position)).to.deep.equal({ type: "HistoryParked", datasource: "wiki" });
      expect(await at(withdrawal.position - 1n)).to.equal(true);
    });
  }
});

describe("the moment of a question", () => {
  const events: readonly RecordedEvent[] = inStreams([wiki.opened()]);
  const log = recordedLog(events);
  const access = createAccess({
    log,
    timelines: new StreamTimelines(log),
    clock: log,
    now: () => new Date("2026-06-01T00:00:00Z"),
    served: undefined as never,
  });
  const asOf = async (at: Moment) => {
    const answer = await access({
      user: toEmail("ann@example.org"),
      datasource: toDatasourceName("wiki"),
      documentId: plan,
      at,
    });
    return answer.ok ? [answer.value.at, answer.value.position] : answer.error.type;
  };

  it("is a prefix of the log", async () => {
    expect(await asOf({ kind: "time", time: Date.parse("2026-02-01T00:00:00Z") })).to.deep.equal([
      "2026-02-01T00:00:00.000Z",
      "2",
    ]);
    expect(await asOf({ kind: "time", time: 0 })).to.deep.equal(["1970-01-01T00:00:00.000Z", "0"]);
    expect(await asOf({ kind: "position", position: toPosition(2) })).to.deep.equal(["2026-01-02T03:04:05.678Z", "2"]);
    expect(await asOf({ kind: "position", position: toPosition(0) })).to.deep.equal([null, "0"]);
  });

  it("must have come already", async () => {
    expect(await asOf({ kind: "time", time: Date.parse("2026-06-01T00:00:01Z") })).to.equal("MomentInFuture");
    expect(await asOf({ kind: "position", position: toPosition(3) })).to.equal("MomentInFuture");
  });
});
