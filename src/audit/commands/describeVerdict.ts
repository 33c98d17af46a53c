import { keyFingerprint } from "../export/keyFingerprint.js";
import type { Verdict } from "../export/verifyExport.js";
import { renderTable } from "../../cli/output.js";
import { describeFacts } from "./export.js";

/** The verdict on one file. */
export interface CheckedExport extends Verdict {
  readonly file: string;
}

/** What it was held against. */
export interface CheckContext {
  /** False where the file itself named the key. */
  readonly isPinned: boolean;
  /** Where the log is: the address of a service, or the data folder; null: no log. */
  readonly log: string | null;
}

/** A verdict as a program reads it. */
export const toJson = (
  { file, findings, otherFindings, header, head }: CheckedExport,
  { isPinned, log }: CheckContext,
): object => ({
  file,
  valid: findings.length === 0,
  facts: head?.count ?? null,
  facts_before: header?.before.facts ?? null,
  last_hash: head?.after.hash ?? null,
  key: keyOf(head),
  key_pinned: isPinned,
  log,
  findings,
  other_findings: otherFindings,
});

/** A verdict as a person reads it. */
export function toText(
  { file, findings, otherFindings, header, head }: CheckedExport,
  { isPinned, log }: CheckContext,
): string {
  if (findings.length > 0 || header === null || head === null) return describeFindings(file, findings, otherFindings);
  return [
    `${file} is whole: ${describeFacts(head.count, header.before.facts)}.`,
    `last hash   ${head.after.hash}`,
    `signed with ${keyOf(head)}${isPinned ? "" : ", which the file itself names: see --public-key"}`,
    `the log     ${log === null ? "was not asked" : "holds the same"}`,
  ].join("\n");
}

const keyOf = (head: Verdict["head"]): string | null => head && keyFingerprint(head.publicKey);

function describeFindings(file: string, findings: Verdict["findings"], others: number): string {
  const table = renderTable(
    ["LINE", "FOUND", ""],
    findings.map(({ line, kind, message }) => [String(line), kind, message]),
  );
  return [`${file} is not what was exported.`, "", table, ...(others === 0 ? [] : [`and ${others} more`])].join("\n");
}
