import { expect } from "chai";
import { groupClosure } from "../../../../projections/groupClosure/project.js";
import { eventsOn } from "../../../support/accessLanguage.js";
import { deliver } from "../../../support/givenProjection.js";
import { tokens } from "../../../support/readModelWriters.js";
import { holdProjecting, readRedis } from "../../../support/redisReadModels.js";
import { recordEvents } from "../../../support/recordEvents.js";
import { describeOnRedis, sharedRedis } from "../../../support/redisServer.js";
import { newNamespace } from "../../../support/newNamespace.js";

const wiki = eventsOn("wiki");
const { datasourceId } = wiki;
const ann = wiki.email("ann");
const tokenOf = (group: string) => tokens.group(datasourceId, group);
const commits = 150;

/**
 * At every moment Ann belongs, through x or through y, to "always", and never to "never"; x and y change places with
 * each commit, and so does Ann. "even" and "odd" tell which moment it is. Who took the groups of one moment and the
 * memberships of another would find her in "never".
 */
const toEven = [
  wiki.leaves("ann", "y"),
  wiki.joins("ann", "x"),
  wiki.leaves("ann", "odd"),
  wiki.joins("ann", "even"),
  ...swapped("y", "x"),
];
const toOdd = [
  wiki.leaves("ann", "x"),
  wiki.joins("ann", "y"),
  wiki.leaves("ann", "even"),
  wiki.joins("ann", "odd"),
  ...swapped("x", "y"),
];

function swapped(before: string, after: string) {
  return [
    wiki.unnests(before, "always"),
    wiki.nests(before, "never"),
    wiki.unnests(after, "never"),
    wiki.nests(after, "always"),
  ];
}

describeOnRedis("reading from Redis while it is written to", () => {
  it("answers of one moment alone, and never of one before the last commit that was acknowledged", async () => {
    const place = { url: (await sharedRedis()).url, namespace: newNamespace() };
    const held = await holdProjecting(place);
    const under = { projection: groupClosure, writer: held.writers.groupClosure };
    const groups = ["x", "y", "always", "never", "even", "odd", "other"];
    const opening = [
      wiki.nests("x", "always"),
      wiki.nests("y", "never"),
      wiki.joins("ann", "x"),
      wiki.joins("ann", "even"),
    ];
    await deliver(
      under,
      recordEvents([wiki.opened(), wiki.registered("ann"), ...groups.map((name) => wiki.created(name)), ...opening]),
    );
    const progress = { begun: 0, acknowledged: 0, verified: 0 };

    const read = async (readers: Awaited<ReturnType<typeof readRedis>>, question: number): Promise<void> => {
      const atLeast = progress.acknowledged;
      const isEven = await evenness(readers.access, question);
      if (atLeast !== progress.begun) return;
      expect(isEven).to.equal(atLeast % 2 === 0, `after commit ${atLeast}`);
      progress.verified++;
    };
    const readUntilEnd = async (offset: number): Promise<void> => {
      let readers = await readRedis(place);
      for (let question = offset; progress.acknowledged < commits; question++) {
        await Promise.all([read(readers, question), read(readers, question + 1)]);
        await new Promise(setImmediate);
        if (question % 90 !== 89) continue;
        readers.close();
        readers = await readRedis(place);
      }
      readers.close();
    };
    /** Two commits in a row, then some answers between commits. */
    const write = async (): Promise<void> => {
      while (progress.acknowledged < commits) {
        const commit = ++progress.begun;
        await deliver(
          under,
          recordEvents(
            [
              ...(commit % 2 === 0 ? toEven : toOdd),
              ...(commit % 7 === 0 ? [wiki.renamed("other", `other ${commit}`)] : []),
            ],
            1_000 * commit,
          ),
        );
        progress.acknowledged = commit;
        for (const enough = progress.verified + (commit % 3 === 0 ? 0 : 5); progress.verified < enough;)
          await new Promise(setImmediate);
      }
    };

    await Promise.all([write(), ...[0, 1, 2, 3].map(readUntilEnd)]);
    expect(progress.verified).to.be.greaterThan(commits);
    held.projecting.close();
  });
});

/** Asks in one of two ways whether it is an even moment. */
async function evenness(access: Awaited<ReturnType<typeof readRedis>>["access"], question: number): Promise<boolean> {
  if (question % 2 === 0) {
    const held = new Set((await access.heldTokens(ann)).tokens);
    expect([
      held.has(tokenOf("always")),
      held.has(tokenOf("never")),
      held.has(tokenOf("even")) !== held.has(tokenOf("odd")),
    ]).to.deep.equal([true, false, true]);
    return held.has(tokenOf("even"));
  }
  const [always, never] = await Promise.all([
    access.holdsAny(datasourceId, ann, [tokenOf("always")]),
    access.holdsAny(datasourceId, ann, [tokenOf("never")]),
  ]);
  expect([always, never]).to.deep.equal([true, false]);
  return access.holdsAny(datasourceId, ann, [tokenOf("even")]);
}
