import { expect } from "chai";
import * as fc from "fast-check";
import type { FoundSyncRun } from "../../../commands/commands.js";
import { toDocumentId, toSyncRunId, type DocumentId } from "../../../src/shared/ids.js";
import { commands as examples, operator, wiki } from "../../support/examples.js";
import { propertyRuns } from "../../support/propertyRuns.js";
import { accepted, openTemporaryCommands, type CommandsUnderTest } from "../temporaryCommands.js";

const names = ["a", "b", "c", "d"] as const;
const often = ["see", "see", "see", "commit", "delete", "delete", "delete"] as const;
const kinds = ["push", "start", "pushWith", "abort", ...often] as const;

interface Step {
  readonly kind: (typeof kinds)[number];
  /** Which of two runs. */
  readonly run: number;
  readonly names: readonly string[];
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kinds),
  run: fc.integer({ min: 0, max: 1 }),
  names: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }),
});

/** Takes the steps of a story on documents of its own. */
class Story {
  private readonly runs: FoundSyncRun["syncRunId"][] = [];
  private taken = 0;

  constructor(
    private readonly under: CommandsUnderTest,
    private readonly prefix: string,
  ) {}

  async take({ kind, run, names: chosen }: Step): Promise<void> {
    const { commands } = this.under;
    const documentIds = chosen.map((name) => this.idOf(name));
    const syncRunId = this.runs[run] ?? toSyncRunId("none");
    this.taken++;
    const see = () => commands.seeDocuments({ syncRunId, documentIds }, operator);
    const steps: { readonly [Kind in Step["kind"]]: () => Promise<unknown> } = {
      start: async () => (this.runs[run] = await this.start()),
      push: () => this.push(documentIds),
      pushWith: async () => ((await see()).ok ? this.push(documentIds) : null),
      see,
      commit: () =>
        commands.commitSyncRun({ syncRunId, candidates: documentIds, documents: 4, isConfirmed: true }, operator),
      delete: () => commands.deleteUnseen({ syncRunId, candidates: documentIds }, operator),
      abort: () => commands.abortSyncRun({ syncRunId }, operator),
    };
    await steps[kind]();
  }

  async there(): Promise<readonly string[]> {
    const there = new Set<string>();
    for (const { event } of await this.under.recorded()) {
      if (event.type === "DocumentIndexed") there.add(event.data.documentId);
      if (event.type === "DocumentDeleted") there.delete(event.data.documentId);
    }
    return names.filter((name) => there.has(this.idOf(name)));
  }

  private idOf(name: string): DocumentId {
    return toDocumentId(`${this.prefix}-${name}`);
  }

  private async start(): Promise<FoundSyncRun["syncRunId"]> {
    const asked = { datasource: wiki, maxDeletedShare: 1, expiresInHours: 24 };
    return (await accepted(this.under.commands.startSyncRun(asked, operator))).value.syncRunId;
  }

  private push(ids: readonly DocumentId[]): Promise<unknown> {
    const lastModified = new Date(this.taken * 1_000).toISOString();
    const documents = ids.map((documentId) => ({
      ...{ ...examples.indexDocument, documentId, lastModified },
      ...{ sub: null, childSub: null },
    }));
    return this.under.commands.indexDocuments(documents, operator);
  }
}

describe("stories of sync runs", () => {
  let under: CommandsUnderTest;
  before(async () => {
    under = await openTemporaryCommands();
    await accepted(under.commands.registerDatasource(examples.registerDatasource, operator));
  });
  after(() => under.close());

  it("leave what a naive model leaves, whatever deletions are asked for and whenever", async () => {
    let told = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
        const story = new Story(under, `story${told++}`);
        const model = new NaiveRuns();
        for (const each of steps) {
          await story.take(each);
          model.follow(each);
        }
        expect(await story.there()).to.deep.equal(model.there());
      }),
      propertyRuns(30),
    );
  });
});

interface NaiveRun {
  readonly from: number;
  readonly seen: Set<string>;
  state: "open" | "committed" | "aborted";
}

/** What runs delete, said as plainly as can be: in steps, with a set for everything. */
class NaiveRuns {
  private readonly writtenAt = new Map<string, number>();
  private readonly runs = new Map<number, NaiveRun>();
  private step = 0;

  follow({ kind, run: number, names: chosen }: Step): void {
    this.step++;
    if (kind === "start") this.runs.set(number, { from: this.step, seen: new Set(), state: "open" });
    const run = this.runs.get(number);
    if (kind === "push" || (kind === "pushWith" && run?.state === "open")) this.write(chosen);
    if (run?.state === "open") this.followOpen(run, kind, chosen);
    if (run?.state === "committed" && kind === "delete") this.delete(run, chosen);
  }

  there(): readonly string[] {
    return [...this.writtenAt.keys()].sort();
  }

  private followOpen(run: NaiveRun, kind: Step["kind"], chosen: readonly string[]): void {
    if (kind === "see" || kind === "pushWith") for (const name of chosen) run.seen.add(name);
    if (kind === "commit") run.state = "committed";
    if (kind === "abort") run.state = "aborted";
  }

  private write(chosen: readonly string[]): void {
    for (const name of chosen) this.writtenAt.set(name, this.step);
  }

  private delete({ seen, from }: NaiveRun, chosen: readonly string[]): void {
    for (const name of chosen)
      if (!seen.has(name) && (this.writtenAt.get(name) ?? 0) < from) this.writtenAt.delete(name);
  }
}
