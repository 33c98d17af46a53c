/** Puts a text together, up to a limit. What is over the limit is dropped, less a little that shows it was there. */
export class TextBuilder {
  private readonly chunks: string[] = [];
  private units = 0;
  private last = "\n";

  constructor(private readonly maxCharacters: number) {}

  /** Whether nothing more is kept. */
  get isFull(): boolean {
    return this.units > this.maxCharacters;
  }

  /** How many more characters are kept. */
  get room(): number {
    return Math.max(0, this.maxCharacters - this.units);
  }

  /** How many characters there are. */
  get length(): number {
    return this.units;
  }

  get isAtLineStart(): boolean {
    return this.last === "\n";
  }

  add(text: string): void {
    if (text === "" || this.isFull) return;
    const kept = text.slice(0, this.maxCharacters + 1 - this.units);
    this.chunks.push(kept);
    this.units += kept.length;
    this.last = kept.charAt(kept.length - 1);
  }

  /** Adds text in which any run of white space is one space, and none at the start of a line. */
  addFlowing(text: string): void {
    const flowing = text.replace(/[ \t\r\n]+/g, " ");
    this.add(flowing.startsWith(" ") && /[\s]/.test(this.last) ? flowing.slice(1) : flowing);
  }

  /** Ends a line, if one was begun. */
  endLine(): void {
    if (!this.isAtLineStart) this.add("\n");
  }

  /** Adds a text as lines of their own. */
  addLines(text: string): void {
    if (text === "") return;
    this.endLine();
    this.add(text);
    this.endLine();
  }

  /** Adds the lines of a text, each once. */
  addDistinctLines(text: string): void {
    for (const line of new Set(text.split("\n"))) this.addLines(line);
  }

  toString(): string {
    return this.chunks.join("");
  }
}
