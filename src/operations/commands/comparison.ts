import type { ComparedAspect, ComparedDifference, ComparisonSummary } from "../../events/projection.js";
import { renderTable } from "../../cli/output.js";

/** What two versions were compared in, each kind with its counts, and some of what differs. */
export function renderComparison(comparison: ComparisonSummary | null, live: number, next: number): string {
  if (comparison === null) return "";
  const rows = comparison.kinds.map(({ kind, compared, differences }) => [kind, String(compared), String(differences)]);
  const differences = renderDifferences(comparison, live, next);
  return [renderTable(["WHAT", "COMPARED", "DIFFERENT"], rows), ...(differences === "" ? [] : ["", differences])].join(
    "\n",
  );
}

/**
 * Some of what differs, of each kind; empty where nothing does, and of comparisons that were made before it was written
 * down.
 */
export function renderDifferences(
  { differences: total, examples = [] }: ComparisonSummary,
  live: number,
  next: number,
): string {
  if (examples.length === 0) return "";
  const table = renderTable(
    ["KIND", "WHAT", "DIFFERENCE"],
    examples.flatMap((example) => rowsOf(example, live, next)),
  );
  return examples.length === total ? table : `${table}\n… and ${total - examples.length} more.`;
}

const rowsOf = ({ kind, subject, differs }: ComparedDifference, live: number, next: number): string[][] =>
  differs.map((aspect) => [kind, subject, sentenceOf(aspect, live, next)]);

function sentenceOf(
  { aspect, live: before, next: after, missing = [], extra = [] }: ComparedAspect,
  live: number,
  next: number,
): string {
  const values = [
    ...(before === undefined ? [] : [`${before ?? "nothing"} in version ${live}`]),
    ...(after === undefined ? [] : [`${after ?? "nothing"} in version ${next}`]),
    ...(missing.length === 0 ? [] : [`only in version ${live}: ${missing.join(", ")}`]),
    ...(extra.length === 0 ? [] : [`only in version ${next}: ${extra.join(", ")}`]),
  ];
  return values.length === 0 ? aspect : `${aspect}: ${values.join("; ")}`;
}
