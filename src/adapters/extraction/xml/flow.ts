import { TextBuilder } from "../textBuilder.js";
import type { Attributes, XmlHandler } from "./readXml.js";

/** How text stands in a vocabulary of XML. Names are local names. */
export interface FlowRules {
  /** Elements whose character data is text; what is elsewhere is none. */
  readonly text: ReadonlySet<string>;
  /** Elements that end a line. */
  readonly lines: ReadonlySet<string>;
  /** Elements that are left out with all that is in them. */
  readonly leftOut: ReadonlySet<string>;
  /** Elements that stand inside a line and are read after it: text boxes, notes, comments. */
  readonly apart: ReadonlySet<string>;
  /** Elements that stand for characters. */
  readonly signs: Readonly<Record<string, (attributes: Attributes) => string>>;
  /** Whether runs of white space in text are one space. */
  readonly isFlowing: boolean;
  /** Says of single elements, by their attributes, that they are left out. */
  isLeftOut?(name: string, attributes: Attributes): boolean;
}

interface Level {
  readonly text: TextBuilder;
  /** How many elements are open here whose character data is text. */
  openTexts: number;
  /** What is to be read after the line that is being read. */
  waiting: string[];
}

/** Reads a flow of paragraphs as lines. One may read several parts, one after the other. */
export class Flow implements XmlHandler {
  private readonly levels: Level[];
  private current: Level;

  constructor(
    private readonly rules: FlowRules,
    private readonly maxCharacters: number,
    private readonly into = new TextBuilder(maxCharacters),
  ) {
    this.current = { text: into, openTexts: 0, waiting: [] };
    this.levels = [this.current];
  }

  open(name: string, attributes: Attributes): boolean {
    const { rules } = this;
    if (rules.leftOut.has(name) || rules.isLeftOut?.(name, attributes) === true) return false;
    if (rules.text.has(name)) this.current.openTexts++;
    const sign = Object.hasOwn(rules.signs, name) ? rules.signs[name] : undefined;
    if (sign !== undefined) this.current.text.add(sign(attributes));
    if (rules.apart.has(name)) this.begin();
    return true;
  }

  text(data: string): void {
    if (this.current.openTexts === 0) return;
    if (this.rules.isFlowing) this.current.text.addFlowing(data);
    else this.current.text.add(data);
  }

  close(name: string): void {
    const { rules } = this;
    if (rules.text.has(name)) this.current.openTexts--;
    if (rules.apart.has(name)) this.end();
    if (rules.lines.has(name)) this.endLine();
  }

  isDone(): boolean {
    return this.into.isFull;
  }

  toString(): string {
    this.endLine();
    return this.into.toString();
  }

  private begin(): void {
    this.current = { text: new TextBuilder(this.maxCharacters), openTexts: 0, waiting: [] };
    this.levels.push(this.current);
  }

  private end(): void {
    this.endLine();
    const ended = this.levels.pop();
    this.current = this.levels.at(-1) ?? this.current;
    if (ended !== undefined) this.current.waiting.push(ended.text.toString());
    if (this.current.openTexts === 0 && this.current.text.isAtLineStart) this.endLine();
  }

  private endLine(): void {
    const { text, waiting } = this.current;
    text.endLine();
    if (waiting.length === 0) return;
    this.current.waiting = [];
    for (const apart of waiting) text.addLines(apart);
  }
}
