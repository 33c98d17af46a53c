import { createPublicKey, verify } from "node:crypto";
import { beginning, type Position } from "../../shared/position.js";
import { Findings, factsBetween, type Finding, LogComparison, type LogFacts } from "./logComparison.js";
import {
  keyFingerprint,
  parseLine,
  type IntactFact,
  type IntactHead,
  type IntactHeader,
  type IntactLine,
  readLines,
  type FileLine,
  type ChainState,
} from "./lines.js";
import { counted } from "../../shared/texts.js";

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

/** The last fact that stood in its place. */
interface Place {
  readonly n: number;
  /** null: what stood in its place was something else. */
  readonly hash: string | null;
  readonly position: Position | null;
  readonly line: number;
}

/**
 * A fact that came before its turn: whether those in between are missing or it stands too early, the next one shows.
 */
interface Jump {
  readonly fact: IntactFact;
  readonly line: number;
  /** The first fact that is not accounted for. */
  readonly expected: number;
}

const mostEarly = 10_000;

/**
 * Follows the facts of a file by their numbers, which are theirs for sure where a line is intact, and finds what was
 * dropped, moved, added or replaced. A broken line stands for the fact that was to come.
 */
class FactSequence {
  private last: Place | null = null;
  private jump: Jump | null = null;
  /** Broken lines since the last intact one. */
  private broken = 0;
  private readonly absent = new AbsentFacts();
  private readonly early = new Set<number>();

  constructor(private readonly findings: Findings) {}

  /** The chain as the header tells of it. */
  begin({ facts, hash }: ChainState, position: Position, line: number): void {
    this.last = { n: facts, hash, position, line };
  }

  /** A line that is not intact. */
  skip(): void {
    this.broken += 1;
  }

  take(fact: IntactFact, line: number): void {
    this.resolveJump(fact.n);
    const { last } = this;
    const expected = last === null ? fact.n : last.n + 1;
    if (last !== null && fact.n <= last.n) this.late(fact, line);
    else if (last !== null && this.follows(fact.n, expected)) this.follow(fact, line, last);
    else this.jump = { fact, line, expected: expected + (last === null ? 0 : this.broken) };
    this.broken = 0;
  }

  /** The end of the chain, as far as the lines show; to be called once, after the last line. */
  end(): {
    readonly facts: number | null;
    readonly hash: string | null;
    readonly line: number;
    readonly broken: number;
  } {
    this.resolveJump(null);
    while (this.last !== null && this.early.has(this.last.n + 1))
      this.last = { ...this.last, n: this.last.n + 1, hash: null };
    for (const { from, to, line } of this.absent.list()) {
      this.findings.add(
        line,
        "missing",
        `Before this line ${factsBetween(from, to)} ${from === to ? "is" : "are"} missing.`,
      );
    }
    return {
      facts: this.last?.n ?? null,
      hash: this.broken === 0 ? (this.last?.hash ?? null) : null,
      line: this.last?.line ?? 1,
      broken: this.broken,
    };
  }

  /** Whether nothing is unaccounted for between the last fact and this one. */
  private follows(n: number, expected: number): boolean {
    for (let between = expected + this.broken; between < n; between++) if (!this.early.has(between)) return false;
    return true;
  }

  private follow(fact: IntactFact, line: number, last: Place): void {
    const isNext = fact.n === last.n + 1 && this.broken === 0 && last.hash !== null;
    if (isNext && fact.previous !== last.hash) {
      this.findings.add(
        line,
        "replaced",
        `This line does not continue the chain of line ${last.line}: one of the two was replaced.`,
      );
    } else if (isNext && last.position !== null && fact.position <= last.position) {
      this.findings.add(line, "replaced", `This line's position is not after that of line ${last.line}.`);
    }
    this.last = { n: fact.n, hash: fact.hash, position: fact.position, line };
  }

  private late({ n }: IntactFact, line: number): void {
    const belongs = this.absent.found(n);
    if (belongs === null) this.findings.add(line, "added", `Fact ${n} stands here a second time.`);
    else this.findings.add(line, "moved", `Fact ${n} stands here, but belongs to line ${belongs}.`);
  }

  /** Decides about a jump by the fact that comes next; null: there is none. */
  private resolveJump(next: number | null): void {
    const { jump, last } = this;
    if (jump === null) return;
    this.jump = null;
    const { fact, line, expected } = jump;
    const goesOn = next === null || (next > fact.n && next <= fact.n + 1 + this.broken);
    const goesBack = next !== null && next < fact.n && (next === expected || next === expected + 1);
    if (goesOn || (last !== null && !goesBack)) {
      if (last !== null) this.absent.add(expected, fact.n - 1, line);
      this.last = { n: fact.n, hash: fact.hash, position: fact.position, line };
    } else {
      this.standsTooEarly(jump, next);
    }
  }

  private standsTooEarly({ fact, line, expected }: Jump, next: number): void {
    const { last } = this;
    this.findings.add(line, "moved", `Fact ${fact.n} stands here, in the place of another.`);
    if (this.early.size < mostEarly) this.early.add(fact.n);
    if (last === null || next === last.n + 1) return;
    if (next === expected + 1) this.absent.add(expected, expected, line);
    this.last = { n: next - 1, hash: null, position: null, line };
  }
}

interface Range {
  readonly from: number;
  readonly to: number;
  /** The line before which they should have stood. */
  readonly line: number;
}

const mostRanges = 10_000;

/** Facts that have not been seen where they belong. */
class AbsentFacts {
  private ranges: Range[] = [];

  add(from: number, to: number, line: number): void {
    if (from <= to && this.ranges.length < mostRanges) this.ranges.push({ from, to, line });
  }

  /** Strikes out a fact that has turned up. Answers with the line where it belongs; null where it was not absent. */
  found(n: number): number | null {
    const range = this.ranges.find(({ from, to }) => from <= n && n <= to);
    if (range === undefined) return null;
    const { from, to, line } = range;
    const rest = [
      { from, to: n - 1, line },
      { from: n + 1, to, line },
    ].filter((part) => part.from <= part.to);
    this.ranges = this.ranges.flatMap((one) => (one === range ? rest : [one]));
    return line;
  }

  /** The ranges that never turned up. */
  list(): readonly Range[] {
    return this.ranges;
  }
}
