const opening = "<think>";
const closing = "</think>";

/**
 * Takes out of a text, which comes bit by bit, what a model thinks: from `<think>` to `</think>`, or to the end where
 * it is never closed. A tag right after a backtick is quoted, and is text.
 */
export class SpokenText {
  /** How many characters were thought. */
  thought = 0;
  private isThinking = false;
  private hasSpoken = false;
  /** The end of what has come, where a tag may begin in it. */
  private held = "";
  /** What was said before it, the last character. */
  private before = "";

  /** What of all that has come is said now. */
  add(piece: string): string {
    const text = this.held + piece;
    let spoken = "";
    let from = 0;
    for (let tag = this.nextTag(text, 0); tag !== -1; tag = this.nextTag(text, from)) {
      spoken += this.passed(text.slice(from, tag));
      from = tag + (this.isThinking ? closing : opening).length;
      this.isThinking = !this.isThinking;
    }
    const end = text.length - this.begunTag(text.slice(from));
    this.held = text.slice(end);
    return spoken + this.passed(text.slice(from, end));
  }

  /** What is said at the end of the text: the beginning of a tag that has become none. */
  end(): string {
    return this.passed(this.held);
  }

  /** Where the tag begins that ends what is under way; -1: nowhere yet. */
  private nextTag(text: string, from: number): number {
    if (this.isThinking) return text.indexOf(closing, from);
    let at = text.indexOf(opening, from);
    while (at !== -1 && this.isQuoted(text, at)) at = text.indexOf(opening, at + 1);
    return at;
  }

  private isQuoted(text: string, at: number): boolean {
    return (at === 0 ? this.before : text.charAt(at - 1)) === "`";
  }

  /** How many characters at the end of a text may be the beginning of a tag. */
  private begunTag(text: string): number {
    const tag = this.isThinking ? closing : opening;
    let length = Math.min(tag.length - 1, text.length);
    while (length > 0 && !text.endsWith(tag.slice(0, length))) length -= 1;
    return length;
  }

  private passed(text: string): string {
    if (this.isThinking) {
      this.thought += text.length;
      return "";
    }
    const spoken = this.hasSpoken || this.thought === 0 ? text : text.trimStart();
    this.hasSpoken ||= text.trim() !== "";
    this.before = text.at(-1) ?? this.before;
    return spoken;
  }
}
