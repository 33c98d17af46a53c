import type { Answered } from "./askEach.js";
import { fittingSentences } from "./fittingText.js";
import { mergeHits, type FoundHit } from "./mergeHits.js";
import type { Grounding, Summarize } from "./ports.js";
import type { WebResult } from "./webSearch.js";

export interface GroundingTerms {
  /** As people call the engine. */
  readonly engine: string;
  readonly sites: readonly string[] | null;
  readonly count: number;
  readonly summarize: Summarize;
  readonly signal: AbortSignal;
}

/**
 * Summary first, then the sources that it rests on, `count` in all. Nothing without sources: what nobody can look up is
 * no grounding.
 */
export async function groundedResults(
  answered: readonly Answered<Grounding>[],
  terms: GroundingTerms,
): Promise<readonly WebResult[]> {
  const sources = merged(answered, terms);
  const [first] = sources;
  if (first === undefined) return [];
  const grounded = answered.filter(({ answer }) => answer.sources.length > 0);
  const summaries = await Promise.all(grounded.map((one) => summaryOf(one, terms)));
  const summary: WebResult = {
    url: first.url,
    metadata: { title: grounded.map(({ query }) => query).join("; "), description: howTheyWereMade(summaries) },
    content: summaries.map(({ query, text }) => (grounded.length > 1 ? `${query}\n${text}` : text)).join("\n\n"),
  };
  const shown = sources.slice(0, terms.count - 1).map(({ url, title, description, content }) => ({
    ...{ url, metadata: { title, description } },
    content,
  }));
  return [summary, ...shown];
}

const merged = (
  answered: readonly Answered<Grounding>[],
  { sites, count }: Pick<GroundingTerms, "sites" | "count">,
): readonly FoundHit[] =>
  mergeHits(
    answered.map(({ query, answer: { sources } }) => ({ query, hits: sources })),
    { sites, count },
  );

interface Summary {
  readonly query: string;
  readonly text: string;
  readonly by: string;
}

/** The engine's, else a model's, else sentences of the sources. */
async function summaryOf(one: Answered<Grounding>, terms: GroundingTerms): Promise<Summary> {
  const { query, answer } = one;
  if (answer.summary !== null) return { query, text: answer.summary, by: `${terms.engine} has written` };
  const sources = merged([one], terms);
  const written = await terms.summarize(query, sources, terms.signal);
  if (written !== null) return { query, text: written, by: "the service's model has written" };
  const contents = sources.map(({ content }) => content);
  return { query, text: await fittingSentences(query, contents), by: put };
}

const put = "put";

/** One sentence for each way in which they were made. */
const howTheyWereMade = (summaries: readonly Summary[]): string =>
  [...new Set(summaries.map(({ by }) => by))]
    .map((by) =>
      by === put
        ? "A summary put together from sentences of the sources that fit the query best; no model has written it."
        : `A summary that ${by} from its sources.`,
    )
    .join(" ");
