import type { AccessReader } from "../../queries/ports.js";
import { openSqliteReadModels } from "../../src/adapters/store/sqlite/openSqliteReadModels.js";
import type { Email, GroupId, PrincipalToken } from "../../src/shared/ids.js";
import { seededRandom } from "../corpus.js";
import { atLeast, median, type Measurement } from "../measure.js";
import { emailOf, foundation, groupName, memberships, type Organisation } from "./organisation.js";
import { Projecting, readModelsIn, tokens } from "./projecting.js";

const checksPerRound = 2_000;
/** Groups on a document's access list. */
const groupsPerDocument = 3;

interface Check {
  readonly email: Email;
  readonly groups: readonly GroupId[];
  readonly tokens: readonly PrincipalToken[];
}

/**
 * May this person see this document? From the closure, against a breadth-first search from the person's groups upwards
 * over nestings that lie in memory as maps (no disk, no other process: the fastest that a search can be).
 */
export async function measureCheckAccess(
  folder: string,
  organisation: Organisation,
  rounds: number,
): Promise<readonly Measurement[]> {
  const projecting = new Projecting(folder);
  await projecting.project([...foundation(organisation), ...memberships(organisation)]);
  projecting.close();
  const readers = openSqliteReadModels({ file: readModelsIn(folder) });
  const peer = new BreadthFirst(organisation);
  const checks = makeChecks(organisation);
  const [known, unknown] = [checks.slice(0, checksPerRound), checks.slice(checksPerRound)];
  const perRound = Math.floor(unknown.length / rounds);
  await measure(readers.access, peer, organisation, [known]);
  const again = await measure(
    readers.access,
    peer,
    organisation,
    Array.from({ length: rounds }, () => known),
  );
  const hypotheticalEntities = Array.from({ length: rounds }, (_, round) =>
    unknown.slice(round * perRound, (round + 1) * perRound),
  );
  const first = await measure(readers.access, peer, organisation, hypotheticalEntities);
  readers.close();
  return [
    {
      name: "check-access in process ÷ breadth-first search, 30 deep (times faster)",
      ...atLeast(5, again.ratio),
      ...again,
    },
    { name: "the same, each person for the first time in this process", ...atLeast(1, first.ratio), ...first },
  ];
}

async function measure(
  access: AccessReader,
  peer: BreadthFirst,
  { datasourceId }: Organisation,
  rounds: readonly (readonly Check[])[],
): Promise<Omit<Measurement, "name" | "target" | "met">> {
  const figures = { ours: [] as number[], peer: [] as number[] };
  for (const checks of rounds) {
    const started = performance.now();
    const answers: boolean[] = [];
    for (const check of checks) answers.push(await access.holdsAny(datasourceId, check.email, check.tokens));
    const between = performance.now();
    const expected = checks.map((check) => peer.isMember(check.email, check.groups));
    figures.ours.push(((between - started) * 1_000) / checks.length);
    figures.peer.push(((performance.now() - between) * 1_000) / checks.length);
    if (answers.some((answer, index) => answer !== expected[index]))
      throw new Error("The closure and the search disagree.");
  }
  const [ours, theirs] = [median(figures.ours), median(figures.peer)];
  return {
    ratio: theirs / ours,
    ours: `${ours.toFixed(1)} µs`,
    peer: `${theirs.toFixed(1)} µs`,
    rounds: rounds.length,
  };
}

/** Half of the documents name a group of the person, at any height; the others name any. */
function makeChecks(organisation: Organisation): readonly Check[] {
  const random = seededRandom(11);
  const below = (limit: number): number => Math.floor(random() * limit);
  const peer = new BreadthFirst(organisation);
  return organisation.people.map((_, person) => {
    const groups = Array.from({ length: groupsPerDocument }, () => below(organisation.groupIds.length));
    const own = peer.groupsOf(emailOf(person));
    if (person % 2 === 0) groups[below(groupsPerDocument)] = own[below(own.length)] as number;
    return {
      email: emailOf(person),
      groups: groups.map((index) => organisation.groupIds[index] as GroupId),
      tokens: groups.map((index) => tokens.group(organisation.datasourceId, groupName(index))),
    };
  });
}

/** What a service without a closure does at each question. */
class BreadthFirst {
  private readonly direct = new Map<Email, readonly GroupId[]>();
  private readonly above = new Map<GroupId, GroupId[]>();
  private readonly indexes: ReadonlyMap<GroupId, number>;

  constructor({ groupIds, nestings, people }: Organisation) {
    this.indexes = new Map(groupIds.map((groupId, index) => [groupId, index]));
    for (const groupId of groupIds) this.above.set(groupId, []);
    for (const { member, group } of nestings)
      this.above.get(groupIds[member] as GroupId)?.push(groupIds[group] as GroupId);
    people.forEach((groups, person) =>
      this.direct.set(
        emailOf(person),
        groups.map((index) => groupIds[index] as GroupId),
      ),
    );
  }

  isMember(email: Email, wanted: readonly GroupId[]): boolean {
    const queue = [...(this.direct.get(email) ?? [])];
    const seen = new Set(queue);
    for (const group of queue) {
      if (wanted.includes(group)) return true;
      this.enqueue(group, queue, seen);
    }
    return false;
  }

  groupsOf(email: Email): readonly number[] {
    const queue = [...(this.direct.get(email) ?? [])];
    const seen = new Set(queue);
    for (const group of queue) this.enqueue(group, queue, seen);
    return queue.map((group) => this.indexes.get(group) ?? 0);
  }

  private enqueue(group: GroupId, queue: GroupId[], seen: Set<GroupId>): void {
    for (const next of this.above.get(group) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(next);
    }
  }
}
