import { createPublicKey, verify } from "node:crypto";
import { beginning, type Position } from "../../shared/position.js";
import { Findings, factsBetween, type Finding } from "./findings.js";
import { FactSequence } from "./factSequence.js";
import { LogComparison, type LogFacts } from "./logComparison.js";
import { keyFingerprint } from "./keyFingerprint.js";
import { parseLine, type IntactFact, type IntactHead, type IntactHeader, type IntactLine } from "./parseLine.js";
import { readLines, type FileLine } from "./readLines.js";
import { counted } from "../../shared/counted.js";

export interface VerifyOptions {
  /** SubjectPublicKeyInfo, DER, of the key that must have signed; null: any key, the one that the export names. */
  readonly publicKey: Buffer | null;
  /** The facts of the log between two positions, to hold the export against; null: the export by itself. */
  readonly log: ((range: Pick<IntactHeader, "fromPosition" | "toPosition">) => LogFacts) | null;
  /** Called now and then with how far it has come. */
  onProgress?(progress: VerifyProgress): void;
}

export interface VerifyProgress {
  /** Read so far. */
  readonly bytes: number;
  /** null where the first line is not intact. */
  readonly header: IntactHeader | null;
  /** The position of the newest intact fact; `beginning` before there is one. */
  readonly position: Position;
}

/** What has become of an export. */
export interface Verdict {
  /** In the order of the lines. Empty: the export is what was signed and, if that was asked for, what the log holds. */
  readonly findings: readonly Finding[];
  /** How many more there are than are listed. */
  readonly otherFindings: number;
  /** null where the first line is not intact. */
  readonly header: IntactHeader | null;
  /** null where there is no intact signed head. */
  readonly head: IntactHead | null;
}

/**
 * Reads an export from its first byte to its last and says what is wrong with it, line by line. Holds one line at a
 * time.
 */
export async function verifyExport(chunks: AsyncIterable<Uint8Array>, options: VerifyOptions): Promise<Verdict> {
  const check = new ExportCheck(options);
  let bytes = 0;
  for await (const line of readLines(chunks)) {
    await check.take(line);
    bytes += line.bytes.length + 1;
    if (line.number % linesPerProgress === 0)
      options.onProgress?.({ bytes, header: check.header, position: check.position });
  }
  return check.end();
}

const linesPerProgress = 1_000;

class ExportCheck {
  header: IntactHeader | null = null;
  position: Position = beginning;
  private readonly findings = new Findings();
  private readonly sequence = new FactSequence(this.findings);
  private comparison: LogComparison | null = null;
  private head: { readonly content: IntactHead; readonly line: number } | null = null;
  private lines = 0;
  /** The newest line; null where it is not intact. */
  private newest: IntactLine | null = null;

  constructor(private readonly options: VerifyOptions) {}

  async take({ number, bytes, isEnded }: FileLine): Promise<void> {
    const parsed = parseLine(bytes);
    this.lines = number;
    this.newest = parsed;
    if (!isEnded) this.findings.add(number, "cut off", "The file ends within this line.");
    if (parsed === null) this.takeBroken(number, isEnded);
    else if (parsed.kind === "header") this.takeHeader(parsed, number);
    else if (number === 1) this.findings.add(1, "missing", "The first line is not the header of an export.");
    if (parsed?.kind === "head") this.takeHead(parsed, number);
    if (parsed?.kind === "fact") await this.takeFact(parsed, number);
  }

  async end(): Promise<Verdict> {
    const { findings, header } = this;
    const chain = this.sequence.end();
    if (this.head !== null) this.checkHead(this.head.content, this.head.line, chain);
    else if (this.lines === 0 || this.newest !== null) {
      findings.add(
        this.lines + 1,
        "cut off",
        `The file ends without the signed head: what followed line ${this.lines} was cut off.`,
      );
    }
    await this.comparison?.end(this.head?.line ?? this.lines);
    return { findings: findings.list(), otherFindings: findings.others, header, head: this.head?.content ?? null };
  }

  private takeBroken(number: number, isEnded: boolean): void {
    if (this.head !== null) {
      this.findings.add(number, "added", `This line stands behind the signed head of line ${this.head.line}.`);
      return;
    }
    const what = number === 1 ? "This line, the header of the export," : "This line";
    if (isEnded)
      this.findings.add(number, "altered", `${what} was altered: its bytes are not those that its hash was made of.`);
    if (number > 1) this.sequence.skip();
  }

  private takeHeader(header: IntactHeader, number: number): void {
    if (number > 1)
      this.findings.add(
        number,
        this.header === null ? "moved" : "added",
        "The header of an export stands here, not in the first line.",
      );
    if (this.header !== null) return;
    this.header = header;
    if (number === 1) this.sequence.begin(header.before, header.fromPosition, number);
    if (this.options.log !== null) this.comparison = new LogComparison(this.options.log(header), this.findings);
  }

  private async takeFact(fact: IntactFact, number: number): Promise<void> {
    if (this.head !== null)
      this.findings.add(this.head.line, "moved", `The signed head stands here, but fact ${fact.n} comes behind it.`);
    this.position = fact.position;
    this.sequence.take(fact, number);
    await this.comparison?.take(fact, number);
  }

  private takeHead(head: IntactHead, number: number): void {
    if (this.head === null) this.head = { content: head, line: number };
    else this.findings.add(number, "added", `A signed head stands here, behind that of line ${this.head.line}.`);
  }

  private checkHead(head: IntactHead, line: number, chain: ReturnType<FactSequence["end"]>): void {
    const { findings, header } = this;
    const wrongSignature = signatureProblem(head, this.options.publicKey);
    if (wrongSignature !== null) findings.add(line, "signature", wrongSignature);
    if (header !== null && header.hash !== head.headerHash)
      findings.add(1, "replaced", "This is not the header that was signed.");
    if (header !== null && head.count !== head.after.facts - header.before.facts)
      findings.add(line, "replaced", "The signed head counts other facts than it names.");
    if (chain.facts === null) return;
    const seen = chain.facts + chain.broken;
    if (seen < head.after.facts)
      findings.add(
        line,
        "missing",
        `Before this line ${factsBetween(seen + 1, head.after.facts)} ${seen + 1 === head.after.facts ? "is" : "are"} missing.`,
      );
    else if (chain.facts > head.after.facts)
      findings.add(chain.line, "added", `The signed head knows no more than ${counted(head.after.facts, "fact")}.`);
    else if (chain.hash !== null && chain.hash !== head.after.hash)
      findings.add(chain.line, "replaced", "This is not the last fact that was signed.");
  }
}

/** null where the head was signed by the key that it names, and that is the one that was asked for. */
function signatureProblem({ signed, signature, publicKey }: IntactHead, pinned: Buffer | null): string | null {
  if (pinned !== null && !pinned.equals(publicKey)) {
    return `It was signed with the key ${keyFingerprint(publicKey)}, not with ${keyFingerprint(pinned)}. If that is an earlier key of the same service, give it with --public-key.`;
  }
  try {
    const key = createPublicKey({ key: publicKey, format: "der", type: "spki" });
    if (key.asymmetricKeyType === "ed25519" && verify(null, signed, key, signature)) return null;
  } catch {
    return "The key that this line names is none.";
  }
  return "The signature does not fit: this line, or its signature, was altered.";
}
