/**
 * A segment of an FTS5 index: terms in order, each with the rows that hold it, on numbered pages. It never changes but
 * for being trimmed from its beginning while it is merged with others.
 */
export interface Segment {
  readonly number: number;
  /** Terms that stood on earlier pages were moved to another segment. */
  readonly firstPage: number;
  readonly lastPage: number;
  /** The commits of its oldest and of its newest rows: a number that grows as long as the newest rows are there. */
  readonly firstCommit: number;
  readonly lastCommit: number;
}

/** The row of an FTS5 table's `_data` that lists its segments. */
export const segmentsRecord = 10;

const cookieBytes = 4;
/** Follows the cookie where segments tell the origin of their rows: in tables with `contentless_delete`. */
const originsMark = 0xff000001;

/**
 * The segments with terms of an FTS5 table with `contentless_delete`, those of the oldest rows first, from its record
 * of them. No two of them hold the same row for the same term. (SQLite, ext/fts5/fts5_index.c: "structure record".)
 */
export function segmentsIn(record: Buffer): readonly Segment[] {
  if (record.readUInt32BE(cookieBytes) !== originsMark)
    throw new Error("The full-text index does not tell the age of its segments.");
  const numbers = varintsFrom(record, cookieBytes * 2);
  const next = (): number => numbers.next().value ?? 0;
  const skip = (count: number): void => void Array.from({ length: count }, next);
  const levels = next();
  skip(2);
  const segments: Segment[] = [];
  for (let level = 0; level < levels; level++) {
    skip(1);
    for (let left = next(); left > 0; left--) {
      segments.push({
        number: next(),
        firstPage: next(),
        lastPage: next(),
        firstCommit: next(),
        lastCommit: next(),
      });
      skip(3);
    }
  }
  // All terms of one without a last page were moved. What they left is there until the merge has ended.
  return segments.filter(({ lastPage }) => lastPage > 0).sort((a, b) => a.firstCommit - b.firstCommit);
}

/** Numbers of one to nine bytes: a ninth byte gives eight bits, any other gives seven. */
function* varintsFrom(bytes: Uint8Array, from: number): Generator<number, undefined> {
  let value = 0;
  let taken = 0;
  for (const byte of bytes.subarray(from)) {
    taken += 1;
    value = taken === 9 ? value * 256 + byte : value * 128 + (byte & 0x7f);
    if (byte >= 0x80 && taken < 9) continue;
    yield value;
    value = 0;
    taken = 0;
  }
}
