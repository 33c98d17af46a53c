type Verdict = "found" | "lost" | "open";

interface Looked {
  readonly query: string;
  readonly isPrefix: boolean;
  /** How many errors, exactly. */
  readonly cost: number;
}

const end = "\0";

/**
 * With how many errors, up to so many, the engine finds a token for a word; null: it does not. It walks along the token
 * and gives up where the beginnings of both, equally long, differ by too much. So it loses words of which two letters
 * were left out, though it would count two errors for them.
 */
export function typosIn(word: string, token: string, most: number, isPrefix: boolean): number | null {
  for (let cost = 0; cost <= most; cost += 1)
    if (isReached(token + end, { query: isPrefix ? word : word + end, isPrefix, cost })) return cost;
  return null;
}

function isReached(key: string, looked: Looked): boolean {
  const { query, isPrefix, cost } = looked;
  const length = Math.min(key.length, query.length + cost);
  let [beforePrevious, previous] = [firstRow(query), firstRow(query)];
  for (let at = 0; at < length; at += 1) {
    if (!isPrefix || key[at] !== end) {
      const row = nextRow(key, at, query, previous, beforePrevious);
      [beforePrevious, previous] = [previous, row];
    }
    const verdict = verdictOn(key, at, looked, previous);
    if (verdict !== "open") return verdict === "found";
  }
  return false;
}

const firstRow = (query: string): readonly number[] => Array.from({ length: query.length + 1 }, (_, column) => column);

/** Of the distances between the token so far and every beginning of the query, with swaps of neighbours. */
function nextRow(
  key: string,
  at: number,
  query: string,
  previous: readonly number[],
  beforePrevious: readonly number[],
): readonly number[] {
  const row = [(previous[0] ?? 0) + 1];
  for (let column = 1; column <= query.length; column += 1) {
    const substituted = (previous[column - 1] ?? 0) + Number(key[at] !== query[column - 1]);
    const one = Math.min((row[column - 1] ?? 0) + 1, (previous[column] ?? 0) + 1, substituted);
    const isSwap = at > 1 && column > 1 && key[at] === query[column - 2] && key[at - 1] === query[column - 1];
    row.push(isSwap ? Math.min(one, (beforePrevious[column - 2] ?? 0) + 1) : one);
  }
  return row;
}

function verdictOn(key: string, at: number, { query, isPrefix, cost }: Looked, row: readonly number[]): Verdict {
  if (key[at] === end) return row[query.length] === cost ? "found" : "lost";
  const reached = row[Math.min(at + 1, query.length)] ?? Infinity;
  if (isPrefix && at + 1 >= query.length && reached === cost) return "found";
  return reached <= cost || mayResolve(key, at, query, reached) ? "open" : "lost";
}

/** Whether letters just before or after in the query may make up for what differs. */
function mayResolve(key: string, at: number, query: string, reached: number): boolean {
  const isAt = (place: number, letter: string | undefined): boolean =>
    place >= 0 && place < query.length && query[place] === letter;
  const nextToIt = reached === 2 || reached === 3 ? isAt(at + 1, key[at]) || isAt(at - 1, key[at]) : false;
  const twoAway =
    reached === 3 || reached === 4
      ? (isAt(at + 1, key[at - 1]) && isAt(at + 2, key[at])) || (at > 1 && isAt(at - 2, key[at]))
      : false;
  return nextToIt || twoAway;
}
