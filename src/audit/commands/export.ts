import { open, rename, rm, type FileHandle } from "node:fs/promises";
import { Command } from "commander";
import { keyFingerprint } from "../export/lines.js";
import { verifyExport, type Verdict, type VerifyProgress } from "../export/verifyExport.js";
import { CliFailure, usageFailure } from "../../cli/cliFailure.js";
import { ProgressLine, type Terminal } from "../../cli/terminal.js";
import { withAskOptions, type AskOptions } from "../../cli/question.js";
import { answersRestOn } from "../../readModels/answersRestOn.js";
import { addressOf, withAuditService } from "./askAudit.js";
import { counted } from "../../shared/texts.js";

interface ExportOptions extends AskOptions {
  readonly out: string;
  readonly from?: string;
  readonly to?: string;
}

/** `audit export`: the permission facts of the log as a file that proves itself. */
export function exportCommand(terminal: Terminal): Command {
  const command = new Command("export")
    .description("write the facts that decide who may see what, chained and signed")
    .requiredOption("--out <file>", "where to; replaced once the export is complete")
    .option("--from <moment>", "without what was so by then (default: from the first fact)")
    .option("--to <moment>", "what was so by then (default: now)")
    .action((options: ExportOptions) => writeExport(options, terminal));
  return withAskOptions(command, {
    keyOf: "an auditor",
    explanation,
    examples: ["audit export --out permissions.jsonl", "audit export --from 2026-01-01 --to 2026-04-01 --out q1.jsonl"],
  });
}

const explanation = `The file holds one JSON object a line: a header, the facts in the order of the
log, a signed head. Every fact carries a hash over itself and the one before,
back to the first of the log: an export from a moment on continues one up to it.
Registrations, groups, memberships and the access lists of documents are in it;
titles, texts, paths and secrets are not. \`audit verify\` checks it.`;

async function writeExport({ out, ...options }: ExportOptions, terminal: Terminal): Promise<void> {
  const { header, head, source } = await replaceWith(out, (file) => exportInto(file, options, terminal));
  if (header === null || head === null) throw new CliFailure("The export broke off. Run the command again.");
  const result = {
    file: out,
    facts: head.count,
    facts_before: header.before.facts,
    from: String(header.fromPosition),
    to: String(header.toPosition),
    last_hash: head.after.hash,
    key: keyFingerprint(head.publicKey),
    source,
  };
  terminal.printResult(options.json === true, result, () =>
    [
      `${out}: ${describeFacts(head.count, header.before.facts)}, up to position ${result.to}`,
      `last hash   ${result.last_hash}`,
      `signed with ${result.key}`,
    ].join("\n"),
  );
}

/** `5 facts`, `1 fact after the first 3`. */
export const describeFacts = (count: number, before: number): string =>
  `${counted(count, "fact")}${before === 0 ? "" : ` after the first ${before}`}`;

/** Read along as a verifier would: what is left behind is an export, or it fails. */
async function exportInto(
  file: FileHandle,
  { url, json, from, to }: Omit<ExportOptions, "out">,
  terminal: Terminal,
): Promise<Verdict & { readonly source: string }> {
  const progress = new ExportProgress(terminal);
  // Moments are told by the permission history's clock; everything else comes from the log.
  const projections = from === undefined && to === undefined ? [] : answersRestOn.past;
  try {
    return await withAuditService({ url, json }, terminal, projections, async (service) => {
      const chunks = await service.stream({ method: "GET", path: addressOf("export", { from, to }) });
      const verdict = await verifyExport(writtenTo(file, chunks), {
        ...{ publicKey: null, log: null },
        onProgress: (made) => progress.show(made),
      });
      return { ...verdict, source: service.source };
    });
  } finally {
    progress.stop();
  }
}

/** Hands on what it has written. */
async function* writtenTo(file: FileHandle, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of chunks) {
    await file.write(chunk);
    yield chunk;
  }
}

/** Writes beside the file, and takes its place when everything is on disk. */
async function replaceWith<Value extends Verdict>(
  path: string,
  write: (file: FileHandle) => Promise<Value>,
): Promise<Value> {
  const draft = `${path}.partial`;
  const file = await open(draft, "w", 0o600).catch((error: Error) => {
    throw usageFailure(`${path} cannot be written: ${error.message}`);
  });
  try {
    const value = await write(file);
    await file.sync();
    if (value.findings.length === 0) await rename(draft, path);
    return value.findings.length === 0 ? value : { ...value, header: null };
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
}

/** How far an export is, on a terminal. */
class ExportProgress {
  private readonly line: ProgressLine;
  private shown: number | null = null;

  constructor(terminal: Terminal) {
    this.line = new ProgressLine(terminal, "of the log");
  }

  show({ header, position }: VerifyProgress): void {
    if (header === null) return;
    if (this.shown === null) this.line.start(Number(header.toPosition - header.fromPosition));
    const reached = Math.max(0, Number(position - header.fromPosition));
    this.line.advance(reached - (this.shown ?? 0));
    this.shown = reached;
  }

  stop(): void {
    this.line.stop();
  }
}
