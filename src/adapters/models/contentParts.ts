/** What a piece of an answer says, thinks and declines. */
export interface Said {
  readonly text: string;
  readonly thought: string;
  readonly refusal: string;
}

/** The fields of a piece of an answer that hold words. Nothing of it is sure to be as it should. */
export interface WireDelta {
  readonly content?: unknown;
  readonly refusal?: unknown;
  /** The names that servers have for what a model thinks. */
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
}

/** What a piece of an answer says, be its content a text or a list of parts. */
export function saidIn({ content, refusal, reasoning_content: thought, reasoning }: WireDelta): Said {
  const parts = partsIn(content);
  const textOfKind = (wanted: keyof Said): string =>
    parts.map((part) => (part.kind === wanted ? part.text : "")).join("");
  return {
    text: textOfKind("text"),
    thought: textOfKind("thought") + textIn(thought) + textIn(reasoning),
    refusal: textOfKind("refusal") + textIn(refusal),
  };
}

interface Part {
  readonly kind: keyof Said;
  readonly text: string;
}

const partsIn = (content: unknown): readonly Part[] => (Array.isArray(content) ? content : [content]).map(partOf);

/** Parts without words, such as images and references, say nothing. */
function partOf(part: unknown): Part {
  if (typeof part !== "object" || part === null) return { kind: "text", text: textIn(part) };
  const { type, text, refusal } = part as Readonly<Record<string, unknown>>;
  if (type === "refusal") return { kind: "refusal", text: textIn(refusal) };
  return { kind: type === "thinking" || type === "reasoning" ? "thought" : "text", text: textIn(text) };
}

const textIn = (value: unknown): string => (typeof value === "string" ? value : "");
