/** A piece of a line: as it is, or stressed, or code, or the number of a source. */
export type Piece =
  | { readonly kind: "plain" | "bold" | "code"; readonly text: string }
  | { readonly kind: "source"; readonly number: number; readonly text: string };

const marked = /\*\*(?<bold>[^*\n]+)\*\*|`(?<code>[^`\n]+)`|\[(?<source>\d{1,3})\]/gu;

/** Cuts a line into pieces. `[n]` is a piece of its own where there is such a source. */
export function piecesOf(line: string, sources: number): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: whole, index, groups } of line.matchAll(marked)) {
    const piece = pieceOf(whole, groups ?? {}, sources);
    if (piece === null) continue;
    if (index > from) pieces.push({ kind: "plain", text: line.slice(from, index) });
    pieces.push(piece);
    from = index + whole.length;
  }
  if (from < line.length) pieces.push({ kind: "plain", text: line.slice(from) });
  return pieces;
}

function pieceOf(whole: string, found: Readonly<Record<string, string | undefined>>, sources: number): Piece | null {
  const { bold, code, source } = found;
  if (bold !== undefined) return { kind: "bold", text: bold };
  if (code !== undefined) return { kind: "code", text: code };
  const number = Number(source);
  return number >= 1 && number <= sources ? { kind: "source", number, text: whole } : null;
}
