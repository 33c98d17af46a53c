/** A piece of a line: as it is, or stressed, or code, or the number of a source. */
export type Piece =
  | { readonly kind: "plain" | "bold" | "code"; readonly text: string }
  | { readonly kind: "source"; readonly number: number; readonly text: string };

/** A block of a text. */
export type Block =
  | { readonly kind: "paragraph" | "heading" | "quotation" | "code"; readonly text: string }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly first: number; readonly items: readonly string[] };

const fence = /^\s*```/;
const bullet = /^\s*[-*•]\s+(.*)$/s;
const numbered = /^\s*(\d{1,9})[.)]\s+(.*)$/s;
const quoted = /^\s*> ?(.*)$/s;
const title = /^#{1,6}\s+(.*)$/s;

/**
 * Cuts what a model wrote into blocks. It knows paragraphs, lists, titles, quotations and code; all else, links, images, tables and
 * markup, stays the text that it is.
 */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const end = (): void => {
    if (paragraph.length > 0) blocks.push({ kind: "paragraph", text: paragraph.join("\n") });
    paragraph = [];
  };
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (fence.test(line)) {
      end();
      const close = lines.findIndex((each, index) => index > at && fence.test(each));
      const until = close === -1 ? lines.length : close;
      blocks.push({ kind: "code", text: lines.slice(at + 1, until).join("\n") });
      at = until;
    } else if (line.trim() === "") end();
    else if (isBlock(line)) {
      end();
      addLine(blocks, line, lines[at - 1] ?? "");
    } else paragraph.push(line);
  }
  end();
  return blocks;
}

const isBlock = (line: string): boolean => title.test(line) || quoted.test(line) || isItem(line);

/** Adds a line that is a block, or a part of one, by itself. */
function addLine(blocks: Block[], line: string, before: string): void {
  const heading = title.exec(line)?.[1];
  const quotation = quoted.exec(line)?.[1];
  if (heading !== undefined) blocks.push({ kind: "heading", text: heading });
  else if (quotation !== undefined) addQuoted(blocks, quotation, before);
  else addItem(blocks, line, before);
}

/** Adds a line to the quotation that goes on, or begins one. */
function addQuoted(blocks: Block[], text: string, before: string): void {
  const last = blocks.at(-1);
  if (last?.kind === "quotation" && quoted.test(before))
    blocks[blocks.length - 1] = { ...last, text: `${last.text}\n${text}` };
  else blocks.push({ kind: "quotation", text });
}

/** Adds an item to the list that goes on, or begins one. */
function addItem(blocks: Block[], line: string, before: string): void {
  const [, number, numberedItem] = numbered.exec(line) ?? [];
  const item = numberedItem ?? bullet.exec(line)?.[1] ?? "";
  const isOrdered = number !== undefined;
  const last = blocks.at(-1);
  const goesOn = before.trim() === "" || isItem(before);
  if (last?.kind === "list" && last.isOrdered === isOrdered && goesOn)
    blocks[blocks.length - 1] = { ...last, items: [...last.items, item] };
  else blocks.push({ kind: "list", isOrdered, first: Number(number ?? 1), items: [item] });
}

const isItem = (line: string): boolean => bullet.test(line) || numbered.test(line);

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
