const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** What belongs to one character reaches hardly further than this, in UTF-16 units: bounds the cost in any text. */
const reach = 64;
/** Below, every unit is a character of its own. */
const firstMark = 0x300;
const carriageReturn = 0x0d;

/**
 * Where what people see as one character begins that this place lies in; the place itself where it lies between two.
 */
export const graphemeStart = (text: string, at: number): number => borderNear(text, at, "start");

/** The same, where it ends. */
export const graphemeEnd = (text: string, at: number): number => borderNear(text, at, "end");

function borderNear(text: string, at: number, border: "start" | "end"): number {
  if (at <= 0 || at >= text.length || isSurelyBorder(text, at)) return at;
  const from = Math.max(0, at - reach);
  const { index, segment } = segmenter.segment(text.slice(from, at + reach)).containing(at - from) as Intl.SegmentData;
  const start = from + index;
  return start === at || border === "start" ? start : start + segment.length;
}

const isSurelyBorder = (text: string, at: number): boolean =>
  text.charCodeAt(at) < firstMark && text.charCodeAt(at - 1) < firstMark && text.charCodeAt(at - 1) !== carriageReturn;
