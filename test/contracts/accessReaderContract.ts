import { expect } from "chai";
import * as fc from "fast-check";
import { groupClosure } from "../../projections/groupClosure/project.js";
import type { GroupClosureChange } from "../../projections/groupClosure/ports.js";
import type { ProjectionWriter } from "../../projections/ports.js";
import type { AccessReader } from "../../queries/ports.js";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import { toEmail } from "../../src/shared/ids.js";
import { beginning, toPosition } from "../../src/shared/position.js";
import { accessHistories } from "../support/accessHistories.js";
import { eventsOn } from "../support/accessLanguage.js";
import { deliver } from "../support/givenProjection.js";
import { NaiveAccess } from "../support/naiveAccess.js";
import { propertyRuns } from "../support/propertyRuns.js";
import { recordEvents } from "../support/recordEvents.js";
import { tokens } from "../support/readModelWriters.js";

export interface AccessUnderTest {
  readonly access: AccessReader;
  readonly writer: ProjectionWriter<GroupClosureChange>;
  close(): void | Promise<void>;
}

const wiki = eventsOn("wiki");
const files = eventsOn("files");
const { datasourceId } = wiki;
const ann = wiki.email("ann");
const anonymous = tokens.anonymous(datasourceId);
const groupToken = (name: string) => tokens.group(datasourceId, name);

/** What every reader of the group closure promises. `open` gives a fresh one each time. */
export function accessReaderContract(open: () => AccessUnderTest | Promise<AccessUnderTest>): void {
  let under: AccessUnderTest;
  let last: number;
  beforeEach(async () => {
    under = await open();
    last = 0;
  });
  afterEach(() => under.close());

  const happen = async (events: readonly DomainEvent[], isParked = false): Promise<void> => {
    await deliver({ projection: groupClosure, writer: under.writer }, recordEvents(events, last), { isParked });
    last += 2 * events.length;
  };
  const heldBy = async (email = ann): Promise<readonly string[]> =>
    [...(await under.access.heldTokens(email)).tokens].sort();

  it("knows nobody at first", async () => {
    expect(await heldBy()).to.deep.equal([]);
    expect(await under.access.holdsAny(datasourceId, ann, [anonymous])).to.equal(false);
    expect(await under.access.isParked(datasourceId)).to.equal(false);
    expect(await under.access.position()).to.equal(beginning);
  });

  it("gives a registered person the datasource's anonymous token and the person's own, on that datasource alone", async () => {
    await happen([wiki.opened(), files.opened(), wiki.registered("ann")]);
    expect(await heldBy()).to.deep.equal([anonymous, tokens.user(datasourceId, ann)].sort());
    expect(await under.access.holdsAny(datasourceId, ann, [anonymous])).to.equal(true);
    expect(await under.access.holdsAny(datasourceId, ann, [tokens.user(datasourceId, ann)])).to.equal(true);
    expect(
      await under.access.holdsAny(files.datasourceId, ann, [anonymous, tokens.anonymous(files.datasourceId)]),
    ).to.equal(false);
    expect(await under.access.holdsAny(datasourceId, wiki.email("bob"), [anonymous])).to.equal(false);
  });

  it("gives nothing to who is in groups but not registered", async () => {
    await happen([wiki.opened(), wiki.created("all"), wiki.joins("ann", "all")]);
    expect(await heldBy()).to.deep.equal([]);
    expect(await under.access.holdsAny(datasourceId, ann, [groupToken("all"), anonymous])).to.equal(false);
  });

  it("follows groups through groups, and a rename to the new name alone", async () => {
    await happen([
      wiki.opened(),
      wiki.created("all"),
      wiki.created("staff"),
      wiki.nests("staff", "all"),
      wiki.registered("ann"),
      wiki.joins("ann", "staff"),
    ]);
    expect(await under.access.holdsAny(datasourceId, ann, [groupToken("all")])).to.equal(true);
    expect(await under.access.holdsAny(datasourceId, ann, [groupToken("everyone")])).to.equal(false);
    await happen([wiki.renamed("all", "everyone")]);
    expect(await under.access.holdsAny(datasourceId, ann, [groupToken("all")])).to.equal(false);
    expect(await under.access.holdsAny(datasourceId, ann, [groupToken("everyone")])).to.equal(true);
    await happen([wiki.unnests("staff", "all")]);
    expect(await under.access.holdsAny(datasourceId, ann, [groupToken("everyone")])).to.equal(false);
    expect(await under.access.holdsAny(datasourceId, ann, [])).to.equal(false);
  });

  it("gives no token of a datasource that is parked, and says that it is", async () => {
    await happen([wiki.opened(), files.opened(), wiki.registered("ann"), files.registered("ann")]);
    expect(await under.access.isParked(datasourceId)).to.equal(false);
    await happen([wiki.created("all")], true);
    expect(await under.access.isParked(datasourceId)).to.equal(true);
    expect(await under.access.isParked(files.datasourceId)).to.equal(false);
    expect(await under.access.holdsAny(datasourceId, ann, [anonymous])).to.equal(false);
    expect(await heldBy()).to.deep.equal(
      [tokens.anonymous(files.datasourceId), tokens.user(files.datasourceId, ann)].sort(),
    );
  });

  it("gives no token of a deleted datasource, and none of its to the next of that name", async () => {
    const again = eventsOn("wiki", 2);
    await happen([wiki.opened(), wiki.created("all"), wiki.registered("ann"), wiki.joins("ann", "all")]);
    await heldBy();
    await happen([wiki.deleted()]);
    expect(await heldBy()).to.deep.equal([]);
    await happen([again.opened(), again.created("all"), again.registered("ann")]);
    expect(await heldBy()).to.deep.equal(
      [tokens.anonymous(again.datasourceId), tokens.user(again.datasourceId, ann)].sort(),
    );
  });

  it("keeps the key while the tokens are the same, and changes it when they are not", async () => {
    await happen([
      wiki.opened(),
      wiki.created("all"),
      wiki.created("staff"),
      wiki.registered("ann"),
      wiki.joins("ann", "all"),
    ]);
    const first = await under.access.heldTokens(ann);
    await happen([
      wiki.registered("bob"),
      wiki.joins("bob", "staff"),
      wiki.renamed("staff", "crew"),
      wiki.personRenamed("ann"),
    ]);
    expect(await under.access.heldTokens(ann)).to.deep.equal(first);
    const keys = new Set([first.key, (await under.access.heldTokens(wiki.email("bob"))).key]);
    for (const event of [
      wiki.renamed("all", "everyone"),
      wiki.nests("all", "staff"),
      wiki.joins("ann", "staff"),
      wiki.leaves("ann", "all"),
      wiki.leaves("ann", "staff"),
    ]) {
      await happen([event]);
      keys.add((await under.access.heldTokens(ann)).key);
    }
    expect(keys.size).to.equal(2 + 4, "the direct membership brought nothing that the nesting had not");
  });

  it("answers for a person in 5,000 groups, and notices when one is left", async () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `g${index}`);
    await happen([
      wiki.opened(),
      wiki.registered("ann"),
      ...names.map((name) => wiki.created(name)),
      ...names.map((name) => wiki.joins("ann", name)),
    ]);
    expect((await heldBy()).length).to.equal(5_002);
    expect(await under.access.holdsAny(datasourceId, ann, [groupToken("g4321")])).to.equal(true);
    await happen([wiki.leaves("ann", "g4321")]);
    expect(await under.access.holdsAny(datasourceId, ann, [groupToken("g4321")])).to.equal(false);
    expect((await heldBy()).length).to.equal(5_001);
  });

  it("serves positions as they are projected, and tells who waits for one in vain", async () => {
    await happen([wiki.opened()]);
    expect(await under.access.position()).to.equal(toPosition(2));
    expect(await under.access.reached(toPosition(2), 0)).to.equal(true);
    expect(await under.access.reached(toPosition(3), 1)).to.equal(false);
    const waiting = under.access.reached(toPosition(4), 10_000);
    await happen([wiki.registered("ann")]);
    expect(await waiting).to.equal(true);
  });

  it("agrees with the rules, word for word, at every moment of any history", async () => {
    const universe = ["ann", "bob", "cid"].map((name) => toEmail(`${name}@example.org`));
    const property = fc.asyncProperty(
      accessHistories,
      fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 6 }),
      async (events, sizes) => {
        const fresh = await open();
        const naive = new NaiveAccess();
        try {
          for (let from = 0, batch = 0; from < events.length; batch++) {
            const stretch = events.slice(from, from + (sizes[batch % sizes.length] as number));
            await deliver({ projection: groupClosure, writer: fresh.writer }, recordEvents(stretch, 2 * from));
            for (const event of stretch) naive.follow(event);
            for (const email of universe) await expectAgreement(fresh.access, naive, email);
            from += stretch.length;
          }
        } finally {
          await fresh.close();
        }
      },
    );
    await fc.assert(property, propertyRuns(40));
  });
}

const incarnations = ["wiki", "files"].flatMap((name) =>
  [1, 2, 3].map((incarnation) => eventsOn(name, incarnation).datasourceId),
);
const groupNames = Array.from({ length: 9 }, (_, index) => [`g${index}`, `g${index} as 1`]).flat();

async function expectAgreement(
  access: AccessReader,
  naive: NaiveAccess,
  email: ReturnType<typeof toEmail>,
): Promise<void> {
  const expected = naive.heldTokens(email, tokens);
  expect([...(await access.heldTokens(email)).tokens].sort()).to.deep.equal(expected);
  for (const incarnation of incarnations) {
    const all = [tokens.anonymous(incarnation), ...groupNames.map((name) => tokens.group(incarnation, name))];
    const held = all.filter((token) => expected.includes(token));
    // One by one where each has to be found; together where none may be.
    const holds = await Promise.all(held.map((token) => access.holdsAny(incarnation, email, [token])));
    expect(holds).to.deep.equal(held.map(() => true));
    const others = all.filter((token) => !held.includes(token));
    expect(await access.holdsAny(incarnation, email, others)).to.equal(false);
  }
}
