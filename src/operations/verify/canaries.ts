import type { SearchPage } from "../../readModels/search.js";
import type { CheckAccess, Queries, QueryResult, Search } from "../../../queries/queries.js";

type Canary =
  | { readonly kind: "search"; readonly question: Search }
  | { readonly kind: "decision"; readonly question: CheckAccess };

const defaultCapacity = 200;

/**
 * The last searches and decisions that people asked for, to be asked again of another version of the read models. They
 * are people's own: in memory only, out of reach of code that prints or stores this, and in no report.
 */
export class Canaries {
  /**
   * The oldest first; what is asked again counts once, so that nobody who asks the same all the time drives out the
   * rest.
   */
  readonly #asked = new Map<string, Canary>();

  constructor(private readonly capacity = defaultCapacity) {}

  /** The same questions; those that are worth it are remembered, the oldest forgotten. */
  watch(queries: Queries): Queries {
    return {
      ...queries,
      search: (question) => {
        this.remember({ kind: "search", question });
        return queries.search(question);
      },
      checkAccess: (question) => {
        this.remember({ kind: "decision", question });
        return queries.checkAccess(question);
      },
    };
  }

  /**
   * Asks both versions what was asked lately, and tells where they answer differently, however often they are asked
   * again: others write meanwhile. `waitUntilProjected` is waited for before that, so that both are as of one moment.
   */
  compare(served: Asked, against: Asked, waitUntilProjected?: Wait): Promise<CanaryReport> {
    return compareAll([...this.#asked.values()], served, against, waitUntilProjected);
  }

  private remember(canary: Canary): void {
    const key = keyOf(canary);
    this.#asked.delete(key);
    this.#asked.set(key, canary);
    if (this.#asked.size <= this.capacity) return;
    for (const oldest of this.#asked.keys()) {
      this.#asked.delete(oldest);
      return;
    }
  }
}

/** The same for the same question, whatever the asker has seen. Decisions are asked for by the thousand a second. */
function keyOf(canary: Canary): string {
  if (canary.kind === "search") return JSON.stringify({ ...canary.question, atLeast: null });
  const { datasource, documentId, email } = canary.question;
  return [datasource, documentId, email].join("\n");
}

interface CanaryReport {
  readonly asked: number;
  readonly differences: readonly CanaryDifference[];
}

/** A decision on which the versions differ, without the question and the person who asked. */
export type CanaryDifference =
  | {
      readonly kind: "search";
      readonly total: { readonly expected: number; readonly served: number };
      /** Search ids of hits that are on the one page and not on the other. */
      readonly missing: readonly string[];
      readonly extra: readonly string[];
    }
  /** Answers: `granted`, `refused`, or why there was none. */
  | { readonly kind: "decision"; readonly document: string; readonly expected: string; readonly served: string };

const attempts = 4;

type Wait = () => Promise<unknown>;

async function compareAll(
  asked: readonly Canary[],
  served: Asked,
  against: Asked,
  waitUntilProjected: Wait = () => Promise.resolve(),
): Promise<CanaryReport> {
  const differences: CanaryDifference[] = [];
  for (const canary of asked) {
    let difference: CanaryDifference | null = null;
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (attempt > 0) await waitUntilProjected();
      difference =
        canary.kind === "search"
          ? await compareSearch(canary.question, served, against)
          : await compareDecision(canary.question, served, against);
      if (difference === null) break;
    }
    if (difference !== null) differences.push(difference);
  }
  return { asked: asked.length, differences };
}
const noHits: SearchPage = { hits: [], total: 0, totalRelation: "eq" };

type Asked = Pick<Queries, "search" | "checkAccess">;

async function compareSearch(question: Search, served: Asked, against: Asked): Promise<CanaryDifference | null> {
  const now = { ...question, atLeast: null };
  const [does, should] = await Promise.all([pageOf(served.search(now)), pageOf(against.search(now))]);
  const [found, expected] = [does.hits.map(({ id }) => id), should.hits.map(({ id }) => id)];
  if (
    does.total === should.total &&
    found.every((id, place) => id === expected[place]) &&
    found.length === expected.length
  )
    return null;
  return {
    kind: "search",
    total: { expected: should.total, served: does.total },
    missing: expected.filter((id) => !found.includes(id)),
    extra: found.filter((id) => !expected.includes(id)),
  };
}

async function pageOf(answer: QueryResult<SearchPage>): Promise<SearchPage> {
  const page = await answer;
  return page.ok ? page.value : noHits;
}

async function compareDecision(question: CheckAccess, served: Asked, against: Asked): Promise<CanaryDifference | null> {
  const now = { ...question, atLeast: null };
  const [does, should] = await Promise.all([decisionOf(served.checkAccess(now)), decisionOf(against.checkAccess(now))]);
  if (does === should) return null;
  return {
    kind: "decision",
    document: `${question.datasource}/${question.documentId}`,
    expected: should,
    served: does,
  };
}

async function decisionOf(answer: ReturnType<Queries["checkAccess"]>): Promise<string> {
  const decision = await answer;
  if (!decision.ok) return decision.error.type;
  return decision.value.hasAccess ? "granted" : "refused";
}
