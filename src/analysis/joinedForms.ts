import { classAt, word } from "./characters.js";
import { foldDigraphs, foldWord, spellingsOf } from "./folding.js";
import { isStopWord } from "./stopWords.js";
import { forEachToken } from "./tokens.js";
import { betweenDigits, WrittenNumbers, type TokenRange, type WrittenName } from "./writtenNumbers.js";

/** What joins tokens to one written word; the mark of `C#-Entwickler` does not. */
const jointPattern = /^(?!#[-\u2010\u2011])[-\u2010\u2011_./:@#+\\&=~'`\u2019\u2018\u00b4\u02bc]{1,2}$/;
/** Between the scheme of an address and its host. */
const schemeEnd = "://";
const hyphen = /^[-\u2010\u2011]$/;
const slash = /[/\\]$/;
/** What joins words as well as parts of a name. */
const looseJoint = /^[-\u2010\u2011/&'`\u2019\u2018\u00b4\u02bc]$/;
const decimalComma = ",";
/** Longer runs of tokens are addresses that nobody types: their parts find them. */
const mostTokens = 12;
const longestForm = 64;
/** Marks that make another name of a letter or two (`C++`, `F#`), and the character that stands for each. */
const marks: Readonly<Record<string, string>> = { "++": "\uff0b\uff0b", "#": "\uff03" };
const longestMarked = 3;
/** The mark of a stop word in capitals, which is another word: `IT`, `WHO`. */
const capitalsMark = "\u2191";
const capitals = /^\p{Lu}{2,}$/u;
const [blank, plus, numberSign, fullStop] = [0x20, 0x2b, 0x23, 0x2e];
const leadingDot = "\u2024";
const startsWithDigit = /^\d/;
const letterOrDigit = /[\p{L}\p{N}]/u;
const endsInDigit = /\d$/;
const digits = /^\d+$/;
/** The first number of a version, as many write it. */
const versionMark = /^v(?=\d+$)/;
/** `4.860,20`, `1,904,770.15`, `900.000`: with separators of thousands, and perhaps decimals. */
const amount = /^(\d{1,3}(?:[.,'\u2019]\d{3})+|\d+)(?:([.,])(\d{1,2}))?$/;
/** In groups of four, as banks print it, or without blanks. */
const account = "[A-Z]{2}\\d{2}(?: ?[A-Z\\d]{4}){2,7}(?: ?[A-Z\\d]{1,3})?(?![A-Za-z\\d])";
const accountHere = new RegExp(account, "y");
const accountsOrQuoted = new RegExp(`"[^"]*"|(?<![A-Za-z\\d])${account}`, "g");
/** The shortest IBANs are that long. */
const shortestAccount = 15;
const bankAccountStart = /^[A-Z]{2}\d{2}$/;

/** A run of tokens that a text writes without blanks between them, as one name. */
export interface WrittenRun extends WrittenName {
  readonly tokens: readonly TokenRange[];
  /**
   * Parts of it that are known as one word, too: `4.12` of `v4.12.3`, `homeoffice` of `Home-Office-Tag`, `utf8` of
   * `encoding=UTF-8`, `app.conf` of a path, `IT` of
   * `IT-Abteilung`.
   */
  readonly within: readonly string[];
  /** False for words that hyphens or strokes join (`Home-Office`, `und/oder`): they say something by themselves. */
  readonly isName: boolean;
  /** Holds digits alone: its parts say nothing. */
  readonly isNumber: boolean;
}

/**
 * Gathers the tokens of a text into runs that are written as one: `retryBackoff`, `foo_bar`, `INC-20411`, `C++`,
 * `4.860,20`, an IBAN in groups; and tells its numbers. Call {@link see} for each token in order, and {@link end} after
 * the last.
 */
export class WrittenRuns {
  /** Those behind the first, whose place is kept in numbers: most tokens stand alone. */
  private others: TokenRange[] = [];
  private joints: string[] = [];
  private firstStart = -1;
  private firstEnd = -1;
  private lastEnd = -1;
  private accountEnd = -1;

  private readonly numbers: WrittenNumbers;

  constructor(
    private readonly text: string,
    private readonly receive: (run: WrittenRun) => void,
    receiveNumber: (number: WrittenName) => void,
  ) {
    this.numbers = new WrittenNumbers(text, receiveNumber);
  }

  see(start: number, end: number): void {
    this.numbers.see(start, end);
    if (this.lastEnd >= 0 && !this.isJoined(this.lastEnd, start)) this.endRun();
    if (this.firstStart < 0) [this.firstStart, this.firstEnd] = [start, end];
    // A run may be as long as its text: one token too many tells that it is no name.
    else if (this.others.length < mostTokens) this.others.push({ start, end });
    this.lastEnd = end;
  }

  end(): void {
    this.endRun();
    this.numbers.end();
  }

  private endRun(): void {
    const { others, joints, text } = this;
    const first = { start: this.firstStart, end: this.firstEnd };
    if (first.start < 0) return;
    this.firstStart = -1;
    if (others.length === 0 && !this.maySayMore(first)) return;
    const tokens = [first, ...others] as const;
    [this.others, this.joints] = [[], []];
    if (first.start < this.accountEnd) return;
    const { forms, within } = this.namesIn(tokens, joints);
    if (forms.length === 0) return;
    const { start } = first;
    const last = tokens.at(-1) ?? first;
    const end = Math.max(last.end, this.accountEnd);
    const written = text.slice(start, last.end);
    const isLoose = joints.length > 0 && joints.every((joint) => looseJoint.test(joint));
    const isName = !isLoose || /\d/.test(written) || text.charAt(start - 1) === "/";
    this.receive({ start, end, tokens, text: written, forms, within, isName, isNumber: !/\p{L}/u.test(written) });
  }

  private namesIn(
    tokens: readonly [TokenRange, ...TokenRange[]],
    joints: readonly string[],
  ): Pick<WrittenRun, "forms" | "within"> {
    const bankAccount = this.accountAt(tokens[0], tokens.length === 1);
    if (bankAccount !== null) return { forms: [bankAccount], within: [] };
    if (tokens.length > mostTokens) return { forms: [], within: [] };
    const folded = tokens.map(({ start, end }) => foldWord(this.text.slice(start, end)));
    return { forms: this.formsOf(tokens, joints, folded), within: this.formsWithin(tokens, joints, folded) };
  }

  /** Whether a token that stands alone may have another form, or begin an account: a cheap look, as prose passes it. */
  private maySayMore({ start, end }: TokenRange): boolean {
    const { text } = this;
    const after = text.charCodeAt(end);
    if (after === plus || after === numberSign || text.charCodeAt(start - 1) === fullStop) return true;
    if (isCapital(text.charCodeAt(start)) && isCapital(text.charCodeAt(start + 1))) return true;
    return end - start >= 4 && isDigitAt(text, start + 2) && isDigitAt(text, start + 3);
  }

  private isJoined(from: number, to: number): boolean {
    const joint = jointBetween(this.text, from, to);
    if (joint !== null && this.joints.length < mostTokens) this.joints.push(joint);
    return joint !== null;
  }

  private formsOf(
    tokens: readonly TokenRange[],
    joints: readonly string[],
    folded: readonly string[],
  ): readonly string[] {
    const [first] = tokens as readonly [TokenRange];
    if (tokens.length === 1) {
      const marked = markedForm(this.text, first, joined(folded));
      return marked === null || marked.length > longestForm ? [] : [marked];
    }
    const whole = joined(folded);
    const { start } = first;
    const numbers = withoutVersionMark(folded);
    const version = numbers !== folded && areNumbers(numbers) ? [joined(numbers)] : [];
    const host = joints.indexOf(schemeEnd) + 1;
    const address = host > 0 ? [joined(folded.slice(host))] : [];
    const forms = [whole, ...version, ...address, ...amountForms(this.text.slice(start, this.lastEnd))];
    return [...new Set(forms)].filter((form) => form.length <= longestForm);
  }

  private formsWithin(
    tokens: readonly TokenRange[],
    joints: readonly string[],
    folded: readonly string[],
  ): readonly string[] {
    if (tokens.length === 1) return [];
    const marked = tokens.flatMap((token, index) => markedForm(this.text, token, folded[index] as string) ?? []);
    return [...marked, ...stretchesOf(folded, joints)];
  }

  /** In groups, or long enough in one token that is the whole run. */
  private accountAt({ start, end }: TokenRange, isAlone: boolean): string | null {
    const { text } = this;
    if (end - start < 4 || !bankAccountStart.test(text.slice(start, start + 4))) return null;
    accountHere.lastIndex = start;
    const [found] = accountHere.exec(text) ?? [];
    if (found === undefined) return null;
    if (!found.includes(" ") && !(isAlone && start + found.length === end && found.length >= shortestAccount))
      return null;
    this.accountEnd = start + found.length;
    return inOneWord(found);
  }
}

/** What joins the tokens that end and begin there to one written word; null: nothing does. */
function jointBetween(text: string, from: number, to: number): string | null {
  if (from === to) return classAt(text, from - 1) === word && classAt(text, from) === word ? "" : null;
  if (to < from || to - from > schemeEnd.length || isBlank(text, from, to)) return null;
  const between = text.slice(from, to);
  if (between === decimalComma) return isDigitAt(text, from - 1) && isDigitAt(text, to) ? between : null;
  return between === schemeEnd || jointPattern.test(between) ? between : null;
}

/** What stands between most tokens; looking costs less than a slice. */
const isBlank = (text: string, from: number, to: number): boolean => to - from === 1 && text.charCodeAt(from) === blank;

function isDigitAt(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0x30 && unit <= 0x39;
}

/**
 * The tokens that a text writes as one at its end, also where what would join them to the next stands there last
 * (`prod-`); none where it ends otherwise, or in more than a name has.
 */
export function tokensWrittenLast(text: string): readonly TokenRange[] {
  let tokens: TokenRange[] = [];
  forEachToken(text, 0, text.length, (start, end) => {
    const last = tokens.at(-1);
    if (last !== undefined && jointBetween(text, last.end, start) === null) tokens = [];
    tokens.push({ start, end });
  });
  const behind = text.slice(tokens.at(-1)?.end);
  const mayGoOn = behind === "" || behind === schemeEnd || jointPattern.test(behind);
  return mayGoOn && tokens.length <= mostTokens ? tokens : [];
}

/** Gathers runs and numbers alike, each with all that it and its parts may be written as. */
export const writtenNamesOf = (text: string, receive: (name: WrittenName) => void): WrittenRuns =>
  new WrittenRuns(
    text,
    ({ start, end, text: written, forms, within }) =>
      receive({ start, end, text: written, forms: [...forms, ...within] }),
    receive,
  );

const inOneWord = (grouped: string): string => grouped.replaceAll(" ", "").toLowerCase();

const isCapital = (unit: number): boolean => (unit >= 0x41 && unit <= 0x5a) || (unit >= 0xc0 && unit <= 0xde);

/**
 * A token that `++`, `#`, a dot or its capitals make another word (`C++`, `F#`, `.NET`, `IT`), folded, with its mark;
 * null: it has none.
 */
export function markedForm(text: string, { start, end }: TokenRange, folded: string): string | null {
  const mark = text.startsWith("++", end) ? "++" : text.charAt(end);
  const isShort = end - start <= longestMarked;
  if (isShort && marks[mark] !== undefined && !letterOrDigit.test(text.charAt(end + mark.length)))
    return folded + marks[mark];
  const isDotted = text.charAt(start - 1) === "." && !/\S/.test(text.charAt(start - 2));
  if (isDotted && !startsWithDigit.test(folded)) return leadingDot + folded;
  return isInCapitals(text.slice(start, end)) && isStopWordAnywhere(folded) ? folded + capitalsMark : null;
}

const isStopWordAnywhere = (folded: string): boolean => isStopWord(folded, "de") || isStopWord(folded, "en");

/** Whether a word is written in capitals, two or more. */
export const isInCapitals = (written: string): boolean => capitals.test(written);

/** Whether who writes these words means a stop word among them that stands in capitals: alone, or beside one other. */
export const areCapitalsMeant = (written: readonly string[]): boolean =>
  written.length === 1 || (written.length === 2 && !written.every(isInCapitals));

/** Whether its capitals alone make this form another word. */
export const isByCapitals = (form: string): boolean => form.endsWith(capitalsMark);

/** A query whose bank accounts stand without blanks. What is quoted stays as it is. */
export const withAccountsJoined = (query: string): string =>
  query.replaceAll(accountsOrQuoted, (found) => (found.startsWith('"') ? found : found.replaceAll(" ", "")));

/** The account that a text is, in one word, folded; null: it is none. */
export function accountIn(text: string): string | null {
  accountHere.lastIndex = 0;
  const [found] = accountHere.exec(text) ?? [];
  return found !== undefined && found.length === text.length && text.length >= shortestAccount
    ? inOneWord(found)
    : null;
}

const folderOfLetters = /(?:^|[/\\])\p{L}{4,}[/\\]/u;

/**
 * Whether a name as it is written is a number or an address, which has no other meaning. The words of folders have a
 * meaning by themselves.
 */
export const isIdentifier = (name: string): boolean => /[\p{N}@]/u.test(name) && !folderOfLetters.test(name);

/**
 * The beginnings of words of the vocabulary that tokens stand for when written as one: every way to spell them,
 * distinct.
 */
export function joinedSpellings(text: string, tokens: readonly TokenRange[]): readonly string[] {
  const spelled = tokens.map(({ start, end }) => spellingsOf(text.slice(start, end)));
  const folded = joined(spelled.map(([first = ""]) => first));
  return [...new Set([folded, joined(spelled.map((each) => each.at(-1) ?? "")), foldDigraphs(folded)])];
}

/** What a run writes as this word of the vocabulary; null where that is no text of it, but a form with a mark. */
export function writtenIn(text: string, { tokens, forms, start, end }: WrittenRun, form: string): string | null {
  const folded = tokens.map((token) => foldWord(text.slice(token.start, token.end)));
  for (let length = tokens.length; length > 0; length -= 1)
    for (let from = 0; from + length <= tokens.length; from += 1)
      if (joined(folded.slice(from, from + length)) === form)
        return text.slice(tokens[from]?.start, tokens[from + length - 1]?.end);
  return tokens.length > 1 && forms.includes(form) ? text.slice(start, end) : null;
}

const joined = (folded: readonly string[]): string =>
  folded.reduce(
    (whole, token) => whole + (endsInDigit.test(whole) && startsWithDigit.test(token) ? betweenDigits : "") + token,
  );

/** Words and numbers in a name that are known as one, too. */
function stretchesOf(folded: readonly string[], joints: readonly string[]): readonly string[] {
  if (folded.length < 3) return [];
  const numbers = withoutVersionMark(folded);
  if (areNumbers(numbers)) return beginningsOf(numbers);
  const hyphenated = hyphenatedIn(folded, joints);
  const parts = hyphenated.length === 1 && hyphenated[0]?.length === folded.length ? [] : hyphenated.map(joined);
  return [...fileIn(folded, joints), ...parts, ...hyphenated.filter(({ length }) => length > 2).flatMap(neighboursIn)];
}

const areNumbers = (folded: readonly string[]): boolean => folded.every((token) => digits.test(token));

/** `3`, `9` of `v3.9`; others as they are. */
function withoutVersionMark(folded: readonly string[]): readonly string[] {
  const [first = "", ...others] = folded;
  return versionMark.test(first) ? [first.slice(1), ...others] : folded;
}

/** `4.12` and so on of `4.12.3`. */
const beginningsOf = (folded: readonly string[]): readonly string[] =>
  folded.slice(1, -1).map((_token, index) => joined(folded.slice(0, index + 2)));

/** `app.conf` of `/etc/nginx/app.conf`: what a path ends in, where that is of several words. */
function fileIn(folded: readonly string[], joints: readonly string[]): readonly string[] {
  const file = folded.slice(joints.findLastIndex((joint) => slash.test(joint)) + 1);
  return file.length > 1 && file.length < folded.length ? [joined(file)] : [];
}

/** The words of a name that hyphens alone join, two or more: `utf`, `8` of `encoding=UTF-8`. */
function hyphenatedIn(folded: readonly string[], joints: readonly string[]): readonly (readonly string[])[] {
  const stretches: string[][] = [];
  folded.forEach((token, index) => {
    const stretch = index > 0 && hyphen.test(joints[index - 1] ?? "") ? stretches.at(-1) : undefined;
    if (stretch === undefined) stretches.push([token]);
    else stretch.push(token);
  });
  return stretches.filter(({ length }) => length > 1);
}

/** `homeoffice` of `Home-Office-Tag`. */
const neighboursIn = (folded: readonly string[]): readonly string[] =>
  folded.slice(1).map((token, index) => (folded[index] as string) + token);

/** An amount without separators of thousands, and without decimals where there are none. */
function amountForms(written: string): readonly string[] {
  const [, whole, , decimals] = amount.exec(written) ?? [];
  if (whole === undefined) return [];
  const plain = whole.replaceAll(/[^\d]/g, "");
  if (decimals === undefined) return [plain];
  return [plain + betweenDigits + decimals, ...(Number(decimals) === 0 ? [plain] : [])];
}
