import { decodeAs } from "../encodings.js";
import { UnreadableFile } from "./reader.js";

/** A line of a calendar or a card: `DTSTART;TZID=Europe/Berlin:20260301T090000`. */
export interface ContentLine {
  /** In capitals, without the group that may stand before it. */
  readonly name: string;
  /** By their names in capitals; of several of one name, the first. */
  readonly parameters: ReadonlyMap<string, string>;
  /** As it is written: a comma or a semicolon that belongs to a text has a backslash before it. */
  readonly value: string;
}

/** Calendars of some years have a hundred thousand lines. */
const mostLines = 2_000_000;

/** Pictures are folded into some thousand lines; of longer values, the rest is left out. */
const mostFolds = 100_000;

/** The lines of a calendar or a card, put together again where they were folded. */
export function* contentLines(text: string): Generator<ContentLine, void, void> {
  let count = 0;
  for (const written of unfolded(text)) {
    if (++count > mostLines) throw new UnreadableFile("The file has too many lines to be read.");
    const line = lineOf(written);
    if (line !== null) yield line;
  }
}

const isQuotedPrintable = /^[^:]{0,500}[;=]QUOTED-PRINTABLE[;:]/i;

/** A line goes on where the next one begins with a space; in quoted-printable, where it ends with an equals sign. */
function* unfolded(text: string): Generator<string, void, void> {
  let pieces: string[] = [];
  let isOpen = false;
  for (const [, line = ""] of text.matchAll(/([^\r\n]*)(?:\r\n|\r|\n|$)/g)) {
    if (pieces.length > mostFolds) pieces.pop();
    const last = pieces.at(-1) ?? "";
    if (isOpen && last.endsWith("=")) {
      pieces[pieces.length - 1] = last.slice(0, -1);
      pieces.push(line);
    } else if (pieces.length > 0 && /^[ \t]/.test(line)) {
      pieces.push(line.slice(1));
    } else {
      if (pieces.length > 0) yield pieces.join("");
      pieces = [line];
      isOpen = isQuotedPrintable.test(line);
    }
  }
  yield pieces.join("");
}

const nameAndRest = /^(?:[\w-]{1,60}\.)?([\w-]{1,60})([;:])/;
/** One parameter, and what ends it: another one, or the value. */
const parameter = /([\w-]{1,60})(?:=("[^"]*"|[^;:"]*))?([;:])/y;

function lineOf(written: string): ContentLine | null {
  const start = nameAndRest.exec(written);
  if (start === null) return null;
  const [begun, name = "", sign] = start;
  const parameters = new Map<string, string>();
  let at = begun.length;
  for (let end = sign; end === ";";) {
    parameter.lastIndex = at;
    const found = parameter.exec(written);
    if (found === null) return null;
    const [whole, key = "", said, next = ":"] = found;
    // Cards of the nineties name an encoding or a kind without saying what it is.
    const [known, value] = said === undefined ? ["TYPE", key] : [key.toUpperCase(), said.replace(/^"|"$/g, "")];
    const isEncoding = said === undefined && /^(?:quoted-printable|base64|8bit|7bit)$/i.test(key);
    const entry = isEncoding ? "ENCODING" : known;
    if (!parameters.has(entry)) parameters.set(entry, value);
    at += whole.length;
    end = next;
  }
  return { name: name.toUpperCase(), parameters, value: decodedValue(written.slice(at), parameters) };
}

function decodedValue(value: string, parameters: ReadonlyMap<string, string>): string {
  if (!/^quoted-printable$/i.test(parameters.get("ENCODING") ?? "")) return value;
  const bytes = Buffer.from(value).toString("latin1");
  const plain = bytes.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const text = decodeAs(Buffer.from(plain, "latin1"), parameters.get("CHARSET") ?? "utf-8");
  // A line end that was encoded is one within the value.
  return (text ?? plain).replace(/\r?\n/g, "\\n");
}

const escape = /\\([\\;,:nN])/g;

/** A text as its author wrote it. */
export const unescapedText = (value: string): string =>
  value.replace(escape, (_, sign: string) => (sign === "n" || sign === "N" ? "\n" : sign)).trim();

/** The parts of a value that consists of several, as an address does; empty ones are left out. */
export const partsOf = (value: string): readonly string[] =>
  (value.match(/(?:[^;\\]|\\.)+/gsu) ?? []).map(unescapedText).filter((part) => part !== "");
