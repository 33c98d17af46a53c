import { foldWord } from "./folding.js";

/** A place of a text. */
export interface TokenRange {
  readonly start: number;
  readonly end: number;
}

/** What a text writes of one or several tokens that is one word, too. */
export interface WrittenName extends TokenRange {
  /** The name as it stands in the text. */
  readonly text: string;
  /** The word, however it is written; folded, distinct. */
  readonly forms: readonly string[];
}

/** A token, and what stands between it and the one before. */
interface NumberToken extends TokenRange {
  readonly folded: string;
  readonly isDigits: boolean;
  /** Without blanks; a single blank where there is nothing else. */
  readonly gap: string;
  /** Where a size that it ends in begins, and that size: `30x40x5`. */
  readonly size: { readonly start: number; readonly form: string } | null;
}

/** Fewer digits are read as they stand: `7-8` is no 78. */
const leastDigits = 5;
/** More tokens in a row are a table, and more digits no number that somebody knows. */
const mostGroups = 6;
const mostDigits = 24;
/** Zeros in front of a single digit are part of it: `007`, a month, an hour. */
const leastWithoutZeros = 2;
/** Shorter numbers are those only where no mark joins them to others: `R2025/0317` is no 317, `1.045,50` no 45. */
const leastInNames = 4;
const joins = /[\p{L}\p{N}][-/_.:,\u2010-\u2013]$/u;
const isJoinedOn = /^[-/_.:,\u2010-\u2013][\p{L}\p{N}]/u;
const longestGap = 3;
const digits = /^\d+$/;
const groupGap = /^[ \-/().\u2010-\u2013+]{1,2}$/;
const thousands = /^\d{1,3}(?: \d{3})+$/;
const prefix = /^[a-z]{1,4}$/;
const letterAndNumber = /^[a-z]\d{7,}$/;
const capitals = /^\p{Lu}{1,4}$/u;
/** A day, also as it stands in `5th` and before the hour of a timestamp. */
const day = /^(\d{1,2})(?:st|nd|rd|th|t\d\d)?$/;

const wordsOf = (text: string): readonly string[] => text.split(" ");
/** Folded; squares and cubes as `m2` and `m3`. */
const units: ReadonlySet<string> = new Set([
  ...wordsOf("mg g kg t lb lbs oz ml cl l hl mm cm dm m km mi ft in nm um qm m2 m3 cm2 cm3 mm2 km2 ha"),
  ...wordsOf("ms s sec sek min h std d bit b kb mb gb tb pb kib mib gib tib kbit mbit gbit mbps gbps dpi px pt"),
  ...wordsOf("w kw mw gw wh kwh mwh gwh v mv kv a ma ah mah va kva hz khz mhz ghz j kj kcal cal k c f"),
  ...wordsOf("bar mbar pa hpa kpa mpa n kn nm3 rpm db ppm lm lx eur usd gbp chf"),
]);
const months: ReadonlyMap<string, number> = new Map(
  [
    ..."januar january jan|februar february feb|marz maerz march mar mrz|april apr|mai may|juni june jun".split("|"),
    ..."juli july jul|august aug|september sep sept|oktober october okt oct|november nov|dezember december dez dec".split(
      "|",
    ),
  ].flatMap((names, index) => wordsOf(names).map((name) => [name, index + 1] as const)),
);

const longestMonth = 10;

const isDigit = (unit: number): boolean => (unit >= 0x30 && unit <= 0x39) || unit >= 0x660;

/**
 * Gathers the numbers of a text that people write in several ways: in groups or without (`030901820`), with zeros in
 * front (`12345`), with their unit beside them or behind a blank (`50kg`), sizes (`m8x20`), dates (`20240305`). Call
 * {@link see} for each token in order, and {@link end} after the last; numbers are told once the token behind them has
 * come.
 */
export class WrittenNumbers {
  private readonly row: NumberToken[] = [];
  private isTable = false;
  /** Where an `of` ends that stands behind a day; -1 where none does. */
  private ofEnd = -1;
  private told: WrittenName[] = [];

  constructor(
    private readonly text: string,
    private readonly receive: (number: WrittenName) => void,
  ) {}

  see(start: number, end: number): void {
    const last = this.row.at(-1);
    if (last !== undefined && this.isOfMonth(last, start, end)) return void (this.ofEnd = end);
    const gap = last === undefined ? null : this.gapBetween(Math.max(last.end, this.ofEnd), start);
    this.ofEnd = -1;
    if (this.told.length > 0) this.tell();
    if (last !== undefined && gap === null) this.end();
    if (this.row.length === 0 && !this.mayBegin(start, end)) return;
    this.add(start, end, gap ?? "");
  }

  end(): void {
    if (!this.isTable) this.grouped();
    this.tell();
    this.row.length = 0;
    this.isTable = false;
    this.ofEnd = -1;
  }

  /** Whether that is the `of` of `5th of March`. */
  private isOfMonth(last: NumberToken, start: number, end: number): boolean {
    const { text } = this;
    if (end - start !== 2 || start - last.end !== 1 || text.slice(start, end).toLowerCase() !== "of") return false;
    const month = text.slice(end + 1, end + 1 + longestMonth).match(/^\p{L}+/u)?.[0] ?? "";
    return day.test(last.folded) && months.has(foldWord(month));
  }

  private tell(): void {
    for (const number of this.told) this.receive(number);
    this.told = [];
  }

  /** A cheap look, as prose passes it: there is a digit in the token, or right behind it. */
  private mayBegin(start: number, end: number): boolean {
    const { text } = this;
    for (const at of [start, end - 1, end + 1, end + 2]) if (isDigit(text.charCodeAt(at))) return true;
    return false;
  }

  private gapBetween(from: number, to: number): string | null {
    if (to < from || to - from > longestGap) return null;
    const between = this.text.slice(from, to);
    if (between.includes("\n")) return null;
    return between.trim() || (between === "" ? "" : " ");
  }

  private add(start: number, end: number, gap: string): void {
    const { text, row } = this;
    const folded = foldWord(text.slice(start, end));
    if (row.length > 0 && !isOfNumbers(folded)) {
      this.end();
      if (!this.mayBegin(start, end)) return;
    }
    const isDigits = digits.test(folded);
    const size = this.sizeWith(folded, gap);
    // What goes on after a table may still be dates and amounts.
    if (row.length === mostGroups) {
      row.shift();
      this.isTable = true;
    }
    row.push({ start, end, folded, isDigits, gap, size });
    if (isDigits) this.withoutZeros();
    else if (units.has(folded)) this.withUnit();
    if (size !== null) this.note(size.start, end, [size.form]);
    if (row.length > 2) this.date();
  }

  private note(start: number, end: number, forms: readonly string[]): void {
    this.told.push({ start, end, text: this.text.slice(start, end), forms });
  }

  private withoutZeros(): void {
    const { folded, start, end } = this.row.at(-1) as NumberToken;
    if (!folded.startsWith("0")) return;
    const before = this.text.slice(Math.max(0, start - 2), start);
    const isPart = joins.test(before) || isJoinedOn.test(this.text.slice(end, end + 2));
    const bare = folded.replace(/^0+/, "");
    if (bare.length >= (isPart ? leastInNames : leastWithoutZeros)) this.note(start, end, [bare]);
  }

  /** `50 kg`, and of `2,5 kg` the whole amount. */
  private withUnit(): void {
    const unit = this.row.at(-1) as NumberToken;
    let first = this.row.length - 2;
    if (unit.gap !== " " || this.row[first]?.isDigits !== true) return;
    while (first > 0 && isDecimal(this.row[first]) && this.row[first - 1]?.isDigits === true) first -= 1;
    const amount = this.row.slice(first, -1);
    const forms = amountsOf(amount.map(({ folded }) => folded)).map((written) => written + unit.folded);
    this.note((amount[0] as NumberToken).start, unit.end, forms);
  }

  /** What `x` or `×` between numbers makes of them; null where they are no size. */
  private sizeWith(folded: string, gap: string): NumberToken["size"] {
    const first = this.crossedWith(gap);
    if (first === undefined || !/^\d/.test(folded) || !/\d$/.test(first.folded)) return null;
    const { start, form } = first.size ?? { start: first.start, form: first.folded };
    return { start, form: `${form}x${folded}` };
  }

  /** The token before `×`, or before an `x` of its own, where one stands last. */
  private crossedWith(gap: string): NumberToken | undefined {
    const last = this.row.at(-1);
    if (gap === "\u00d7") return last;
    return last?.folded === "x" && gap === " " && last.gap === " " ? this.row.at(-2) : undefined;
  }

  private date(): void {
    const [first, second, third] = this.row.slice(-3) as [NumberToken, NumberToken, NumberToken];
    const forms = datesOf(first, second, third);
    if (forms.length > 0) this.note(first.start, third.end, forms);
  }

  /** Every stretch of the row that is one number in groups. */
  private grouped(): void {
    const { row } = this;
    for (let from = 0; from < row.length - 1; from += 1) {
      let form = (row[from] as NumberToken).folded;
      if (!this.mayLead(from)) continue;
      for (let to = from + 1; to < row.length && (isGroup(row, to) || this.isAfterCountry(from, to)); to += 1) {
        form += (row[to] as NumberToken).folded;
        if (this.isOneNumber(from, to, form))
          this.note((row[from] as NumberToken).start, (row[to] as NumberToken).end, [form]);
      }
    }
  }

  /** Digits, or a few capitals before them: `DE 123 456`, `V-2024-001`. */
  private mayLead(at: number): boolean {
    const { folded, isDigits, start, end } = this.row[at] as NumberToken;
    return isDigits || (prefix.test(folded) && capitals.test(this.text.slice(start, end)));
  }

  /** Whether a number with a letter before it belongs to the country before that: `AT U12345678`. */
  private isAfterCountry(from: number, at: number): boolean {
    const { row } = this;
    const [country, { folded, gap, start }] = [row[from], row[at]] as [NumberToken, NumberToken];
    if (at !== from + 1 || gap !== " " || country.folded.length !== 2 || !prefix.test(country.folded)) return false;
    return letterAndNumber.test(folded) && capitals.test(this.text.charAt(start));
  }

  private isOneNumber(from: number, to: number, form: string): boolean {
    const gaps = this.row.slice(from + 1, to + 1).map(({ gap }) => gap);
    // Versions and addresses of machines: `4.12.3` is no 4123.
    if (gaps.every((gap) => gap === ".")) return false;
    const count = form.replace(/^[a-z]+/, "").length;
    const { start } = this.row[from] as NumberToken;
    const written = this.text.slice(start, (this.row[to] as NumberToken).end).replace(/[\u00a0\u2009\u202f]/g, " ");
    return (count >= leastDigits && count <= mostDigits) || thousands.test(written);
  }
}

const isOfNumbers = (folded: string): boolean =>
  /\d/.test(folded) || folded === "x" || units.has(folded) || months.has(folded);

/** Between two digits, so that `4.12.3` and `4.1.23` stay apart. No letter or digit, and one token to every engine. */
export const betweenDigits = "\u00b7";

/** An amount as it is written in groups of digits, and without thousands: `1·234·5` and `1234·5`. */
function amountsOf(groups: readonly string[]): readonly string[] {
  const hasDecimals = groups.length > 1 && (groups.at(-1) ?? "").length < 3;
  const whole = hasDecimals ? groups.slice(0, -1) : groups;
  const bare = [whole.join(""), ...groups.slice(whole.length)];
  return [...new Set([groups.join(betweenDigits), bare.join(betweenDigits)])];
}

const isDecimal = (token: NumberToken | undefined): boolean => token?.gap === "," || token?.gap === ".";

/** Whether a token may go on with the number before it: digits, or the last sign of an ISBN. */
const isGroup = (row: readonly NumberToken[], at: number): boolean => {
  const { folded, isDigits, gap } = row[at] as NumberToken;
  return groupGap.test(gap) && (isDigits || (folded === "x" && gap === "-" && at === row.length - 1));
};

/** The days that three tokens may name, as `20240305`: one, two where month and day could be either, or none. */
function datesOf(first: NumberToken, second: NumberToken, third: NumberToken): readonly string[] {
  const [a, b, c] = [first, second, third].map(({ folded }) => dayIn(folded));
  const gaps = second.gap + third.gap;
  if (isYear(first)) return ["--", "//", ".."].includes(gaps) ? dateOf(first, b, c) : [];
  if (!isYear(third)) return isShortYear(third) && second.isDigits && gaps === ".." ? dateOf(third, b, a) : [];
  const [firstMonth, secondMonth] = [months.get(first.folded), months.get(second.folded)];
  if (secondMonth !== undefined) return dateOf(third, secondMonth, a);
  if (firstMonth !== undefined) return dateOf(third, firstMonth, b);
  if (gaps === ".." || gaps === "--") return dateOf(third, b, a);
  return gaps === "//" ? [...new Set([...dateOf(third, a, b), ...dateOf(third, b, a)])] : [];
}

const dayIn = (folded: string): number | undefined => {
  const found = day.exec(folded)?.[1];
  return found === undefined ? undefined : Number(found);
};

const isYear = ({ folded, isDigits }: NumberToken): boolean =>
  isDigits && folded.length === 4 && (folded.startsWith("1") || folded.startsWith("2"));

const isShortYear = ({ folded }: NumberToken): boolean => folded.length === 2;

function dateOf({ folded }: NumberToken, month = 0, dayOfMonth = 0): readonly string[] {
  if (month < 1 || month > 12 || dayOfMonth < 1 || dayOfMonth > 31) return [];
  // Two digits mean the year that most programs read them as.
  const whole = folded.length === 4 ? folded : (Number(folded) < 70 ? "20" : "19") + folded;
  return [whole + String(month).padStart(2, "0") + String(dayOfMonth).padStart(2, "0")];
}
