import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { Command, Option } from "commander";
import type { LogFact } from "../export/logComparison.js";
import type { ChainState } from "../export/lines.js";
import { parseLine } from "../export/parseLine.js";
import { readLines } from "../export/readLines.js";
import { verifyExport, type Verdict, type VerifyOptions } from "../export/verifyExport.js";
import { usageFailure } from "../../cli/cliFailure.js";
import { ProgressLine } from "../../cli/progressLine.js";
import type { Service } from "../../cli/service.js";
import { withUrlOption } from "../../cli/urlOption.js";
import type { Terminal } from "../../cli/terminal.js";
import { withAuditService } from "./askAudit.js";
import { toJson, toText, type CheckedExport } from "./describeVerdict.js";
import { publicKeyIn, publicKeyOf } from "./publicKey.js";

interface CommandOptions {
  readonly publicKey?: string;
  readonly url?: string;
  readonly fileOnly?: boolean;
  readonly json?: boolean;
}

/** `audit verify`: whether exports are what was signed, and what the log holds. */
export function verifyCommand(terminal: Terminal): Command {
  const command = new Command("verify")
    .description("prove that nothing in an export was dropped, altered or reordered")
    .argument("<files...>", "exports; several have to continue each other in this order")
    .option("--public-key <file>", "the key that must have signed, in PEM (default: that of the service)")
    .addOption(new Option("--file-only", "hold it against no log").conflicts("url"));
  return withUrlOption(command, "an auditor")
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      `
It checks every line, the chain of hashes, the order and the signature, and
holds the facts against the log of the data folder or, with --url, of a service.
What is wrong is named by its line, and the exit code is 1.

With --file-only and no --public-key it takes the key that the file names: that
proves that the file is whole, not who made it.

Examples:
  enterprise-search audit verify permissions.jsonl
  enterprise-search audit verify --file-only --public-key audit-key.pem q1.jsonl q2.jsonl`,
    )
    .action((files: readonly string[], options: CommandOptions) => verify(files, options, terminal));
}

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
