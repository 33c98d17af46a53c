import type { CanaryDifference } from "./canaries.js";
import type { Difference, Drift } from "./answers.js";
import type { HistoryDrift } from "./history/comparison.js";
import type { HistorySubjectKind } from "./history/historySubjects.js";
import { keyOf, type ExpectedSubject, type SubjectKind } from "./expectedSubjects.js";
import type { ComparedAspect, ComparedDifference, ComparisonSummary } from "../../events/projection.js";

/** What stands in an event, and in every status, is bounded: in number, in what is said of each, and in names. */
const mostExamples = 20;
const mostAspects = 5;
const mostNames = 5;
const longestText = 200;

/** Aspects whose values say nothing of what documents hold: the others are named alone. */
const tellable = /^(presence|found in searches|decision on )/;
const hashDigits = 16;

const plurals: { readonly [Kind in SubjectKind]: string } = {
  document: "documents",
  person: "people",
  group: "groups",
  datasource: "datasources",
  credential: "credentials",
};

/** What operators are told that was compared. */
export const kindOf = (kind: SubjectKind): string => plurals[kind];

const historyPlurals: { readonly [Kind in HistorySubjectKind]: string } = {
  document: "documents",
  person: "people",
  group: "groups",
  datasource: "datasources",
  event: "events",
};

/** The same of the permission history. */
export const historyKindOf = (kind: HistorySubjectKind): string => historyPlurals[kind];

/** Some of every kind, spread evenly. */
function someOf(differences: readonly ComparedDifference[]): readonly ComparedDifference[] {
  const taken = new Map<string, number>();
  const inTurns = differences.map((difference) => {
    const turn = taken.get(difference.kind) ?? 0;
    taken.set(difference.kind, turn + 1);
    return { turn, difference };
  });
  const chosen = inTurns.sort((a, b) => a.turn - b.turn).slice(0, mostExamples);
  return chosen.map(({ difference }) => difference).sort((a, b) => (a.kind < b.kind ? -1 : Number(a.kind > b.kind)));
}

/** With the sums over all kinds, and with some of the differences. */
export const totalOf = (
  parts: Pick<ComparisonSummary, "depth" | "position" | "kinds">,
  differences: readonly ComparedDifference[],
): ComparisonSummary => ({
  ...parts,
  compared: parts.kinds.reduce((sum, { compared: count }) => sum + count, 0),
  differences: parts.kinds.reduce((sum, { differences: count }) => sum + count, 0),
  examples: someOf(differences),
});

export const differencesOfDrift = ({ subject, differences }: Drift): ComparedDifference =>
  differing(kindOf(subject.kind), keyOf(subject), differences.map(aspectOf));

/** From when to when something was so says nothing of what documents hold. */
export const ofHistoryDrift = ({ subject, name, differences }: HistoryDrift): ComparedDifference =>
  differing(
    historyKindOf(subject.kind),
    name,
    differences.map((difference) =>
      "missing" in difference
        ? difference
        : { aspect: difference.aspect, live: difference.expected, next: difference.served },
    ),
  );

export const differencesInMotion = (subject: ExpectedSubject): ComparedDifference =>
  differing(kindOf(subject.kind), keyOf(subject), [{ aspect: "changed whenever it was looked at" }]);

/** Without who asked, and for what. */
export function ofCanary(kind: string, canary: CanaryDifference): ComparedDifference {
  if (canary.kind === "decision")
    return differing(kind, canary.document, [
      { aspect: "a decision that somebody asked for", live: canary.expected, next: canary.served },
    ]);
  const { total, missing, extra } = canary;
  const inOrder = missing.length === 0 && extra.length === 0 && total.expected === total.served;
  const aspects: readonly ComparedAspect[] = [
    ...(total.expected === total.served
      ? []
      : [{ aspect: "total", live: String(total.expected), next: String(total.served) }]),
    ...(missing.length + extra.length === 0 ? [] : [{ aspect: "results", missing, extra }]),
    ...(inOrder ? [{ aspect: "order of the results" }] : []),
  ];
  return differing(kind, "a search that somebody made", aspects);
}

/** A difference, cut to the length that an event may hold. */
export const differing = (kind: string, subject: string, differs: readonly ComparedAspect[]): ComparedDifference => ({
  kind,
  subject: short(subject),
  differs: differs.slice(0, mostAspects).map(({ aspect, live, next, missing, extra }) => ({
    aspect: short(aspect),
    ...(live !== undefined && { live: live === null ? null : short(live) }),
    ...(next !== undefined && { next: next === null ? null : short(next) }),
    ...(missing !== undefined && { missing: some(missing) }),
    ...(extra !== undefined && { extra: some(extra) }),
  })),
});

function aspectOf(difference: Difference): ComparedAspect {
  if ("missing" in difference) return difference;
  const { aspect, expected: live, served: next } = difference;
  if (aspect === "text") return { aspect, live: hashIn(live), next: hashIn(next) };
  return tellable.test(aspect) ? { aspect, live, next } : { aspect };
}

/** Answers hold it as JSON. */
const hashIn = (text: string | null): string | null =>
  text === null || text === "null" ? null : text.replaceAll('"', "").slice(0, hashDigits);

const some = (names: readonly string[]): readonly string[] =>
  names.length <= mostNames
    ? names.map(short)
    : [...names.slice(0, mostNames).map(short), `${names.length - mostNames} more`];

const short = (text: string): string => (text.length <= longestText ? text : `${text.slice(0, longestText)}…`);

/** Datasources for which a version answers nobody. */
export const suspendedKind = "suspended datasources";
