import { groupedByReason } from "../groupedByReason.js";
import { renderTable } from "../output.js";
import type { ImportReport } from "./importFolder.js";
import type { DeletionReport } from "./missingDocuments.js";
import type { FileOutcome } from "./pushDocuments.js";
import { counted } from "../../shared/counted.js";

const maxListed = 40;
/** Files that are named for each reason. */
const maxOfReason = 10;

/** An import's report for people: counts, then what needs a look. */
export function describeReport(report: ImportReport): string {
  const { datasource, registered, counts, documents } = report;
  const sections = [
    renderTable(
      ["OUTCOME", "FILES"],
      [
        ["sent", String(counts.sent)],
        ["already indexed", String(counts.already_indexed)],
        ["skipped", String(counts.skipped)],
        ["failed", String(counts.failed)],
      ],
    ),
    grouped("Failed:", documents, "failed"),
    grouped("Skipped:", documents, "skipped"),
    list("Visible to nobody, because no access rule fits:", report.visible_to_nobody),
    list("Restricted, and would have been opened:", report.restricted),
    list("Restricted before, now visible to every registered user:", report.widened),
    ...(report.deletion === null ? [] : [describeDeletion(report.deletion)]),
    list("Access rules that decided for no file; mind the spelling:", report.unused_rules),
  ];
  if (registered)
    sections.push(
      `The datasource ${datasource} is new. People see its documents once they are registered on it: POST /api/indexing/users.`,
    );
  return sections.filter((section) => section !== "").join("\n\n");
}

function describeDeletion({ deleted, kept, missing, would_delete: count, documents }: DeletionReport): string {
  if (kept === null)
    return deleted === 0
      ? "Every document of the datasource belongs to a file of the folder: nothing was deleted."
      : `Deleted, because there is no such file any more: ${deleted} of ${counted(documents, "document")}.`;
  const more = count > missing.length && missing.length > 0 ? [`and ${count - missing.length} more`] : [];
  return list(kept, [...missing, ...more]) || kept;
}

function grouped(heading: string, documents: readonly FileOutcome[], wanted: "failed" | "skipped"): string {
  const entries = documents
    .filter(({ outcome }) => outcome === wanted)
    .map(({ path, message }) => ({ name: path, reason: message }));
  if (entries.length === 0) return "";
  return [heading, ...groupedByReason(entries, maxOfReason).map((text) => `  ${text}`)].join("\n");
}

function list(heading: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const more = lines.length > maxListed ? [`… and ${lines.length - maxListed} more (--json lists all).`] : [];
  return [heading, ...[...lines.slice(0, maxListed), ...more].map((text) => `  ${text}`)].join("\n");
}
