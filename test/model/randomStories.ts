import fc from "fast-check";
import { runSeed } from "../support/propertyRuns.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { people, story, type Person, type Step } from "./actions.js";
import { ModelRun, type Lane } from "./modelRun.js";

/** Who tells stories to a service, and who asks it about them. */
export type StoryClients = Pick<ServiceUnderTest, "indexing" | "person">;

/** Stories that are told at the same time, each with people of its own: writes share commits, as they do in life. */
const lanesAtOnce = 8;

/** Tells so many random stories to a service with these settings, and to the model; to be called within a suite. */
export function tellRandomStories(runs: number, settings: () => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>): void {
  let service: ServiceUnderTest;
  before(async () => {
    service = await startServiceUnderTest(await settings());
  });
  after(() => service?.stop());

  it(`never leaks and never misses a document, in ${runs} stories (replay one: FC_SEED and FC_PATH)`, async function () {
    this.timeout(15 * 60_000);
    await tellStoriesTo(service, runs);
  });
}

/** Tells so many random stories to this service, and to the model. Rejects with the seed of one that went otherwise. */
export async function tellStoriesTo(service: StoryClients, runs: number): Promise<void> {
  const numRuns = Math.ceil(runs / lanesAtOnce);
  const { FC_PATH: path } = process.env;
  if (path !== undefined) return runLane(service, 0, { numRuns, seed: runSeed, path, endOnFailure: false });
  const lanes = Array.from({ length: lanesAtOnce }, (_, lane) =>
    runLane(service, lane, { numRuns, seed: runSeed + lane }),
  );
  for (const outcome of await Promise.allSettled(lanes)) if (outcome.status === "rejected") throw outcome.reason;
}

async function runLane(
  service: StoryClients,
  number: number,
  parameters: fc.Parameters<[readonly Step[]]>,
): Promise<void> {
  const lane = await openLane(service, number);
  let told = 0;
  const property = fc.asyncProperty(story, async (steps) => {
    const run = new ModelRun(lane, `model_l${number}_r${told++}`);
    try {
      await run.tell(steps);
    } finally {
      await run.cleanUp();
    }
  });
  await fc.assert(property, parameters);
}

async function openLane(service: StoryClients, number: number): Promise<Lane> {
  const emailOf = (person: Person): string => `${person}.${number}@model.example.org`;
  const clients: Partial<Record<Person, Lane["indexing"]>> = {};
  for (const person of people) clients[person] = await service.person(emailOf(person));
  return { indexing: service.indexing, clients: clients as Lane["clients"], emailOf };
}
