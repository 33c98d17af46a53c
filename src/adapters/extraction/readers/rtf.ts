import { TextBuilder } from "../textBuilder.js";
import { instantOf, oneLine, titleOf } from "./factValues.js";
import { UnreadableFile, type FileText, type Reader } from "./reader.js";
import iconv from "iconv-lite";

/** Rich text, as Word, LibreOffice, WordPad and Outlook write it. */
export const rtf: Reader = {
  async read({ bytes }, context) {
    const reading = new RtfReading(context.maxCharacters);
    for (const token of rtfTokens(bytes.toString("latin1"))) {
      reading.take(token);
      if (reading.isDone) break;
    }
    return reading.result();
  },
};

/** Deeper groups are made to exhaust their reader. */
const mostOpenGroups = 10_000;
const usualCodePage = 1252;

interface Group {
  readonly isSilent: boolean;
  /** Text that is not shown: marked as hidden, or as deleted. */
  isHidden: boolean;
  readonly isFontTable: boolean;
  codePage: number | null;
  /** How many characters follow an escape of Unicode, for programs that know none. */
  fallbacks: number;
  readonly into: TextBuilder;
  /** What becomes of `into` at the end of the group that began it. */
  readonly finish?: (text: string) => void;
}

/** Control words that stand for characters. */
const signs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ par: "\n", line: "\n", sect: "\n", page: "\n", column: "\n", row: "\n", nestrow: "\n", softline: "\n" },
    ...{ tab: "\t", cell: "\t", nestcell: "\t", emspace: " ", enspace: " ", qmspace: " " },
    ...{ emdash: "—", endash: "–", bullet: "•", lquote: "‘", rquote: "’", ldblquote: "“", rdblquote: "”" },
  }),
);

/** Control symbols that stand for characters; a hyphen that shows only at the end of a line is none. */
const symbols: ReadonlyMap<string, string> = new Map(
  Object.entries({ "\\": "\\", "{": "{", "}": "}", "~": "\u00a0", _: "-", "\n": "\n", "\r": "\n" }),
);

/** Groups that hold no text, though nothing in their beginning says that they may be passed over. */
const silentGroups: ReadonlySet<string> = new Set([
  ...["fonttbl", "colortbl", "stylesheet", "info", "pict", "objdata", "objclass", "objname", "nonshppict", "shprslt"],
  ...["fldinst", "listtable", "listoverridetable", "filetbl", "revtbl", "pntext", "pntxta", "pntxtb", "listtext"],
  ...["sp", "sn", "sv", "xe", "tc", "rxe", "txe", "bkmkstart", "bkmkend", "atnid", "atnauthor", "atndate", "atnref"],
  ...["atnicn", "atntime", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "template", "do", "upr"],
  ...["themedata", "colorschememapping", "latentstyles", "datastore", "rsidtbl", "generator", "xmlnstbl", "htmltag"],
]);

/** Groups that may be passed over by old programs, and hold text. */
const spokenGroups: ReadonlySet<string> = new Set(["shppict", "shpinst", "shptxt", "annotation", "ud", "footnote"]);

/** Groups that stand inside a line and are read after it. */
const apartGroups: ReadonlySet<string> = new Set(["footnote", "annotation", "shptxt"]);

/** Groups that are read after everything else. */
const headerAndFooterGroups: ReadonlySet<string> = new Set([
  ...["header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"],
]);

/** Groups that hold the file's facts. */
const factGroups: ReadonlySet<string> = new Set(["title", "author", "creatim", "revtim"]);

/** Code pages by the number that a font has for its script. */
const codePages: Readonly<Record<number, number>> = {
  ...{ 0: 1252, 77: 10_000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255 },
  ...{ 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 255: 437 },
};

/** null: the code page of the document. */
const codePageOfScript = (script: number): number | null => codePages[script] ?? null;

class RtfReading {
  private readonly text: TextBuilder;
  private readonly groups: Group[];
  private group: Group;
  private documentCodePage = usualCodePage;
  private readonly fontCodePages = new Map<number, number | null>();
  private font = 0;
  /** Footnotes and remarks, until the line ends in which they stand. */
  private readonly waiting: string[] = [];
  private readonly headersAndFooters = new Set<string>();
  /** The file's facts, by the groups that hold them. */
  private readonly said = new Map<string, string>();
  private pending = "";
  private toSkip = 0;
  private isGroupStart = false;
  private mayBePassedOver = false;

  constructor(private readonly maxCharacters: number) {
    this.text = new TextBuilder(maxCharacters);
    this.group = {
      isSilent: false,
      isHidden: false,
      isFontTable: false,
      codePage: null,
      fallbacks: 1,
      into: this.text,
    };
    this.groups = [this.group];
  }

  get isDone(): boolean {
    return this.text.isFull;
  }

  take(token: RtfToken): void {
    if (token.kind === "text") return this.takeText(token.text);
    this.flush();
    if (token.kind === "word") this.takeWord(token.word, token.number);
    else if (token.kind === "symbol") this.takeSymbol(token.symbol);
    else if (token.kind === "open") this.open();
    else this.close();
  }

  result(): FileText {
    this.flush();
    while (this.groups.length > 1) this.close();
    this.endLine();
    for (const text of this.headersAndFooters) this.text.addLines(text);
    return {
      text: this.text.toString(),
      facts: {
        title: titleOf(this.said.get("title")),
        author: oneLine(this.said.get("author")),
        createdAt: instantOf(this.said.get("creatim")),
        modifiedAt: instantOf(this.said.get("revtim")),
      },
    };
  }

  private open(): void {
    if (this.groups.length >= mostOpenGroups) throw new UnreadableFile("The RTF file is nested too deep to be read.");
    this.toSkip = 0;
    this.group = { ...this.group, finish: undefined };
    this.groups.push(this.group);
    this.isGroupStart = true;
    this.mayBePassedOver = false;
  }

  private close(): void {
    this.isGroupStart = false;
    this.toSkip = 0;
    if (this.groups.length === 1) return;
    const { finish, into } = this.group;
    this.groups.pop();
    this.group = this.groups.at(-1) ?? this.group;
    finish?.(into.toString());
  }

  private takeSymbol(symbol: string): void {
    if (symbol === "*") {
      this.mayBePassedOver = this.isGroupStart;
      return;
    }
    this.isGroupStart = false;
    const text = symbols.get(symbol);
    if (text !== undefined) this.show(text);
  }

  private takeWord(word: string, number: number | null): void {
    if (this.isGroupStart) this.begin(word);
    this.isGroupStart = false;
    const sign = signs.get(word);
    if (sign !== undefined) return this.show(sign);
    if (number !== null) this.takeNumber(word, number);
    if (word === "v" || word === "deleted") this.group.isHidden = number !== 0;
    if (word === "plain") this.group.isHidden = false;
    if (word === "mac") this.documentCodePage = 10_000;
    if (word === "pc") this.documentCodePage = 437;
    if (word === "pca") this.documentCodePage = 850;
  }

  private takeNumber(word: string, number: number): void {
    switch (word) {
      case "u":
        return this.takeUnicode(number);
      case "uc":
        this.group.fallbacks = Math.min(Math.max(number, 0), 16);
        return;
      case "ansicpg":
        this.documentCodePage = number;
        return;
      case "f":
        this.font = number;
        this.group.codePage = this.fontCodePages.get(number) ?? null;
        return;
      case "fcharset":
        if (this.group.isFontTable) this.fontCodePages.set(this.font, codePageOfScript(number));
        return;
      default:
        if (this.group.finish !== undefined && /^(yr|mo|dy|hr|min|sec)$/.test(word)) this.show(`${number}:`);
    }
  }

  /** Sets how a group is read, by its first word. */
  private begin(word: string): void {
    const isSilent = this.isSilent(word);
    const finish = this.finishOf(word, isSilent);
    this.mayBePassedOver = false;
    const { group } = this;
    const own = finish === undefined ? {} : { isHidden: false, into: new TextBuilder(this.maxCharacters), finish };
    const isFontTable = group.isFontTable || word === "fonttbl";
    const isFact = isSilent && finish !== undefined;
    this.group = { ...group, isSilent: isSilent && !isFact, isFontTable, ...own };
    this.groups[this.groups.length - 1] = this.group;
  }

  private isSilent(word: string): boolean {
    if (silentGroups.has(word)) return true;
    if (this.mayBePassedOver && !spokenGroups.has(word)) return true;
    return this.group.isSilent && word !== "ud";
  }

  /** What is done at its end with a group's text that is shown elsewhere; undefined: it stays in its place. */
  private finishOf(word: string, isSilent: boolean): Group["finish"] {
    if (factGroups.has(word) && isSilent)
      return (text) => this.said.set(word, word.endsWith("tim") ? isoTime(text) : text);
    if (isSilent) return undefined;
    if (apartGroups.has(word)) return (text) => this.waiting.push(text);
    return headerAndFooterGroups.has(word) ? (text) => this.headersAndFooters.add(text.trim()) : undefined;
  }

  private takeUnicode(number: number): void {
    this.show(String.fromCharCode(number < 0 ? number + 65_536 : number));
    this.toSkip = this.group.fallbacks;
  }

  /** Bytes of one character may come in several tokens, so they wait for what follows. */
  private takeText(text: string): void {
    this.isGroupStart = false;
    const skipped = Math.min(this.toSkip, text.length);
    this.toSkip -= skipped;
    if (!this.group.isSilent && !this.group.isHidden) this.pending += text.slice(skipped);
  }

  private flush(): void {
    if (this.pending === "") return;
    const text = decode(this.pending, this.group.codePage ?? this.documentCodePage);
    this.pending = "";
    this.group.into.add(text);
  }

  private show(text: string): void {
    const { isSilent, isHidden, into } = this.group;
    if (isSilent || isHidden) return;
    if (text === "\n" && into === this.text) this.endLine();
    else into.add(text);
  }

  private endLine(): void {
    this.text.endLine();
    for (const text of this.waiting.splice(0)) this.text.addLines(text);
  }
}

function decode(bytes: string, codePage: number): string {
  // Most runs are ASCII, which all code pages share.
  if (!/[\u0080-\u00ff]/.test(bytes)) return bytes;
  const encoding = codePage === 65_001 ? "utf-8" : codePage === 10_000 ? "macintosh" : `cp${codePage}`;
  const known = iconv.encodingExists(encoding) ? encoding : `cp${usualCodePage}`;
  return iconv.decode(Buffer.from(bytes, "latin1"), known);
}

/** Year, month, day, hour and minute, as they stand one after the other. */
function isoTime(numbers: string): string {
  const [year = "", month = "1", day = "1", hour = "0", minute = "0"] = numbers.split(":");
  const two = (number: string): string => (number === "" ? "00" : number.padStart(2, "0"));
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:00Z`;
}

/** What an RTF file consists of. `text` holds bytes, as characters of the same numbers. */
type RtfToken =
  | { readonly kind: "open" | "close" }
  | { readonly kind: "word"; readonly word: string; readonly number: number | null }
  | { readonly kind: "symbol"; readonly symbol: string }
  | { readonly kind: "text"; readonly text: string };

const syntax =
  /\\([A-Za-z]{1,32})(-?\d{1,10})? ?|\\'([0-9A-Fa-f]{2})|\\([^A-Za-z])|([{}])|[\r\n\0]+|([^\\{}\r\n\0]+)/gy;

/** Takes an RTF file apart, given with a character for each byte. Ends at what is no RTF. */
function* rtfTokens(bytes: string): Generator<RtfToken> {
  syntax.lastIndex = 0;
  for (let at = 0; at < bytes.length;) {
    syntax.lastIndex = at;
    const found = syntax.exec(bytes);
    if (found === null) return;
    at = syntax.lastIndex;
    const [, word, digits, hex, symbol, brace, text] = found;
    // Bytes that are no RTF at all, as those of a picture.
    if (word === "bin") at += Math.max(0, Number(digits ?? 0));
    else if (word !== undefined) yield { kind: "word", word, number: digits === undefined ? null : Number(digits) };
    else if (hex !== undefined) yield { kind: "text", text: String.fromCharCode(Number.parseInt(hex, 16)) };
    else if (symbol !== undefined) yield { kind: "symbol", symbol };
    else if (brace !== undefined) yield { kind: brace === "{" ? "open" : "close" };
    else if (text !== undefined) yield { kind: "text", text };
  }
}
