import type { Answered } from "./askEach.js";
import { fittingSentences } from "./fittingText.js";
import { mergeHits } from "./mergeHits.js";
import type { Grounding } from "./ports.js";
import type { WebResult } from "./webSearch.js";

/**
 * Summary first, then the sources that it rests on, `count` in all. Nothing without sources: what nobody can look up is
 * no grounding.
 */
export function groundedResults(
  answered: readonly Answered<Grounding>[],
  {
    engine,
    sites,
    count,
  }: { readonly engine: string; readonly sites: readonly string[] | null; readonly count: number },
): readonly WebResult[] {
  const lists = answered.map(({ query, answer: { sources } }) => ({ query, hits: sources }));
  const sources = mergeHits(lists, { sites, count });
  const [first] = sources;
  if (first === undefined) return [];
  const grounded = answered.filter(({ answer }) => answer.sources.length > 0);
  const summary: WebResult = {
    url: first.url,
    metadata: {
      title: grounded.map(({ query }) => query).join("; "),
      description: howItWasMade(grounded, engine),
    },
    content: grounded.map((one) => (grounded.length > 1 ? `${one.query}\n` : "") + summaryOf(one, sites)).join("\n\n"),
  };
  const shown = sources.slice(0, count - 1).map(({ url, title, description, content }) => ({
    ...{ url, metadata: { title, description } },
    content,
  }));
  return [summary, ...shown];
}

const summaryOf = ({ query, answer }: Answered<Grounding>, sites: readonly string[] | null): string => {
  if (answer.summary !== null) return answer.summary;
  const counted = mergeHits([{ query, hits: answer.sources }], { sites, count: answer.sources.length });
  return fittingSentences(
    query,
    counted.map(({ content }) => content),
  );
};

const howItWasMade = (grounded: readonly Answered<Grounding>[], engine: string): string =>
  grounded.every(({ answer }) => answer.summary !== null)
    ? `A summary that ${engine} has written from its sources.`
    : "A summary put together from sentences of the sources that fit the query best; no model has written it.";
