import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { Command, Option } from "commander";
import { createPublicKey } from "node:crypto";
import type { LogFact } from "../export/logComparison.js";
import { type ChainState, parseLine, readLines, keyFingerprint } from "../export/lines.js";
import { verifyExport, type Verdict, type VerifyOptions } from "../export/verifyExport.js";
import { usageFailure } from "../../cli/cliFailure.js";
import { ProgressLine, type Terminal } from "../../cli/terminal.js";
import type { Service } from "../../cli/service.js";
import { withAskOptions, type AskOptions } from "../../cli/question.js";
import { withAuditService } from "./askAudit.js";
import { renderTable } from "../../cli/listing.js";
import { describeFacts } from "./export.js";
import type { PublicKeyAnswer } from "../export/auditExport.js";

interface CommandOptions extends AskOptions {
  readonly publicKey?: string;
  readonly fileOnly?: boolean;
}

/** `audit verify`: whether exports are what was signed, and what the log holds. */
export function verifyCommand(terminal: Terminal): Command {
  const command = new Command("verify")
    .description("prove that nothing in an export was dropped, altered or reordered")
    .argument("<files...>", "exports; several have to continue each other in this order")
    .option("--public-key <file>", "the key that must have signed, in PEM (default: that of the service)")
    .addOption(new Option("--file-only", "hold it against no log").conflicts("url"))
    .action((files: readonly string[], options: CommandOptions) => verify(files, options, terminal));
  return withAskOptions(command, {
    keyOf: "an auditor",
    explanation,
    examples: [
      "audit verify permissions.jsonl",
      "audit verify --file-only --public-key audit-key.pem q1.jsonl q2.jsonl",
    ],
  });
}

const explanation = `It checks every line, the chain of hashes, the order and the signature, and
holds the facts against the log of the data folder or, with --url, of a service.
What is wrong is named by its line, and the exit code is 1.

With --file-only and no --public-key it takes the key that the file names: that
proves that the file is whole, not who made it.`;

async function verify(files: readonly string[], options: CommandOptions, terminal: Terminal): Promise<void> {
  const given = options.publicKey === undefined ? null : await readKeyFile(options.publicKey);
  const { checked, source } = await checkAll(files, options, given, terminal);
  const isValid = checked.every(({ findings }) => findings.length === 0);
  const context = {
    isPinned: given !== null || options.fileOnly !== true,
    log: source,
  };
  const result = { valid: isValid, exports: checked.map((each) => toJson(each, context)) };
  terminal.printResult(options.json === true, result, () => checked.map((each) => toText(each, context)).join("\n\n"));
  if (!isValid) terminal.exitCode = 1;
}

/** Without a key that was given, against that of the service; by itself, against the one that the file names. */
async function checkAll(
  files: readonly string[],
  { url, json, fileOnly }: CommandOptions,
  given: Buffer | null,
  terminal: Terminal,
): Promise<{ readonly checked: readonly CheckedExport[]; readonly source: string | null }> {
  const check = async (publicKey: Buffer | null, log: VerifyOptions["log"]): Promise<readonly CheckedExport[]> => {
    const checked: CheckedExport[] = [];
    for (const file of files)
      checked.push(continuing(checked.at(-1), { file, ...(await verifyFile(file, { publicKey, log }, terminal)) }));
    return checked;
  };
  if (fileOnly === true) return { checked: await check(given, null), source: null };
  return withAuditService({ url, json }, terminal, [], async (service) => ({
    checked: await check(given ?? publicKeyIn((await publicKeyOf(service)).public_key), factsOf(service)),
    source: service.source,
  }));
}

async function readKeyFile(file: string): Promise<Buffer> {
  try {
    return publicKeyIn(await readFile(file));
  } catch (error) {
    throw usageFailure(`${file} holds no public key in PEM: ${(error as Error).message}`);
  }
}

async function verifyFile(file: string, options: VerifyOptions, terminal: Terminal): Promise<Verdict> {
  const { size } = await stat(file).catch((error: Error) => {
    throw usageFailure(`${file} cannot be read: ${error.message}`);
  });
  const progress = new ProgressLine(terminal, "bytes");
  progress.start(size);
  let shown = 0;
  try {
    return await verifyExport(createReadStream(file), {
      ...options,
      onProgress: ({ bytes }) => {
        progress.advance(bytes - shown);
        shown = bytes;
      },
    });
  } finally {
    progress.stop();
  }
}

/**
 * What a service holds: an export of its own, of which the facts of the range are read. It is not asked
 * for the range's end, which a log that was restored from an older backup may not have.
 */
const factsOf = (service: Service): NonNullable<VerifyOptions["log"]> =>
  async function* ({ fromPosition, toPosition }) {
    const body = await service.stream({
      method: "GET",
      path: `/api/audit/export?${new URLSearchParams({ from: String(fromPosition) })}`,
    });
    for await (const { bytes } of readLines(body)) {
      const line = parseLine(bytes);
      if (line?.kind === "fact" && line.position > toPosition) return;
      if (line?.kind === "fact") yield [{ n: line.n, hash: line.hash } satisfies LogFact];
    }
  };

/** Adds what is wrong where an export does not begin where the one before it ends. */
function continuing(before: CheckedExport | undefined, next: CheckedExport): CheckedExport {
  if (
    before === undefined ||
    before.head === null ||
    next.header === null ||
    isSame(before.head.after, next.header.before)
  )
    return next;
  const message = `It does not continue ${before.file}, which ends with fact ${before.head.after.facts}: it begins behind fact ${next.header.before.facts}.`;
  return { ...next, findings: [{ line: 1, kind: "missing", message }, ...next.findings] };
}

const isSame = (a: ChainState, b: ChainState): boolean => a.facts === b.facts && a.hash === b.hash;

/** The verdict on one file. */
interface CheckedExport extends Verdict {
  readonly file: string;
}

/** What it was held against. */
interface CheckContext {
  /** False where the file itself named the key. */
  readonly isPinned: boolean;
  /** Where the log is: the address of a service, or the data folder; null: no log. */
  readonly log: string | null;
}

/** A verdict as a program reads it. */
const toJson = (
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
function toText(
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

/** `audit public-key`: what exports are verified with. */
export function publicKeyCommand(terminal: Terminal): Command {
  const command = new Command("public-key")
    .description("print the public key of the signatures of exports, in PEM")
    .action(async (options: AskOptions) => {
      const { source, ...key } = await withAuditService(options, terminal, [], async (service) => ({
        ...(await publicKeyOf(service)),
        source: service.source,
      }));
      terminal.printResult(options.json === true, { ...key, source }, () => key.public_key.trimEnd());
    });
  return withAskOptions(command, {
    keyOf: "an auditor",
    json: "print one JSON object, with the key's fingerprint",
    explanation: "Keep it apart from the exports: `audit verify --public-key FILE` takes no other.",
    examples: ["audit public-key > audit-key.pem"],
  });
}

/** The key that a service signs with. */
const publicKeyOf = (service: Service): Promise<PublicKeyAnswer> =>
  service.ask({ method: "GET", path: "/api/audit/public-key" });

/** The DER form of a key in PEM. Throws where it is none. */
const publicKeyIn = (pem: string | Buffer): Buffer => createPublicKey(pem).export({ type: "spki", format: "der" });
