import { join } from "node:path";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import { seededRandom } from "../corpus.js";
import { atMost, median, percentile, timed, type Measurement } from "../measure.js";
import { foundation, nested, type Nesting, type Organisation } from "./organisation.js";
import { Projecting } from "./projecting.js";

/** In each round, each as a change out and a change back in. */
const edgesPerRound = 100;

/**
 * One nesting that comes or goes, from the event to the commit of the rows that it changes, against a rebuild of the
 * closure from the events of the groups alone (without people, without reading the log). p99 against the median.
 */
export async function measureOneEdge(folder: string, organisation: Organisation, rounds: number): Promise<Measurement> {
  const events = foundation(organisation);
  const random = seededRandom(5);
  const live = new Projecting(join(folder, "live"));
  await live.project(events);
  const [edges, rebuilds]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const chosen = Array.from(
      { length: edgesPerRound },
      () => organisation.nestings[Math.floor(random() * organisation.nestings.length)] as Nesting,
    );
    for (const nesting of chosen) edges.push(...(await outAndIn(live, organisation, nesting)));
    rebuilds.push(await rebuild(join(folder, `rebuild${round}`), events));
  }
  live.close();
  const [edge, whole] = [percentile(edges, 99), median(rebuilds)];
  return {
    name: "one group edge changed (p99) ÷ a full closure rebuild, 20,000 groups",
    ...atMost(1 / 200, edge / whole),
    ours: `${edge.toFixed(2)} ms (median ${median(edges).toFixed(2)} ms)`,
    peer: `${whole.toFixed(0)} ms`,
    rounds,
  };
}

async function outAndIn(live: Projecting, organisation: Organisation, nesting: Nesting): Promise<readonly number[]> {
  const out = await timed(() => live.project([nested("MembershipRemoved", organisation, nesting)]));
  return [out, await timed(() => live.project([nested("MembershipAdded", organisation, nesting)]))];
}

async function rebuild(folder: string, events: readonly DomainEvent[]): Promise<number> {
  const projecting = new Projecting(folder);
  const took = await timed(() => projecting.project(events));
  projecting.close();
  return took;
}
