import { foldWord } from "./folding.js";
import { isStopWord } from "./stopWords.js";

/** How many words of a query are looked for, and how many phrases it may demand. */
export const mostWords = 64;
export const mostPhrases = 16;

interface QueryTexts {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** A stretch of a query between blanks, or between quotes. */
export interface QueryPart extends QueryTexts {
  readonly isExcluded: boolean;
}

/** Hyphen-minus, minus, en dash, and the minus of full width. */
const partPattern =
  /((?<!\S)[-\u2212\u2013\uff0d])?(?:"([^"]*)"|[„“”]([^„“”"]*)[“”]|«([^«»"]*)»|(?<=(?<!\S)[-\u2212\u2013\uff0d])["„“”«]([^"„“”«»]*)$|([^\s"„“”«»]+))/gu;

/** The length of text that an address carries, in UTF-16 units: what follows is not read. */
export const longestQuery = 65_536;
const holdsWord = /[\p{L}\p{N}]/u;
/** No word has these forms: `--dry-run`, `-Xmx512m`, `-Dkey=value`. */
const optionAnywhere = /^(?:-|X(?:m[nsx]|ss|X:|log|debug)|D[\w.]+=)/;
/** What else a program may be told with: `-xzf`, `-R`, `-O2`, `-Wall`, `-Xlint:all`, `-std=c99`. */
const optionOfCommand = /^(?:[a-z]{1,3}|[A-Z]\d?|W[a-z][\w-]+|X[a-z][\w:,-]*|[A-Za-z][\w.-]*[=:]\S*)$/;
/** What programs that build others are told besides: `-DskipTests`, `-Pprod`, `-Iinclude`. */
const optionOfBuilder = /^[DPIL][\w./-]+$/;
const builders: ReadonlySet<string> = new Set(
  words("ant clang cmake g++ gcc gradle gradlew javac kotlinc mvn mvnd mvnw sbt"),
);
/** Programs that are told what to do by options: a query that begins with one is a command line. */
const commands: ReadonlySet<string> = new Set([
  ...words("apt awk bash cat chmod chown cp curl cut df diff dig docker du ffmpeg find git go grep"),
  ...words(
    "gunzip gzip haproxy helm head httpd java javac journalctl jq kill kubectl ls make mkdir mount mv nc netstat nginx nmap node",
  ),
  ...words(
    "npm npx nslookup openssl pg_dump ping pip podman ps psql pytest python redis-cli rm robocopy rsync scp sed",
  ),
  ...words("sh sort ssh sudo systemctl tail tar terraform top unzip wget xargs yarn zip"),
]);

function words(text: string): readonly string[] {
  return text.split(" ");
}

/**
 * Splits a query at blanks outside quotes. Straight quotes ask for a phrase. Typographic quotes come with prose: they
 * keep their words together and require nothing. A quote that is never closed is no quote, but where it would exclude:
 * what was to be left out must not be found.
 *
 * A `-` behind a blank excludes, where another part of the query says what is wanted. It does not before a stop word
 * (`Haupt -und Nebenkosten`), nor before an option of a program (`--dry-run`, `tar -xzf`).
 *
 * In a pasted text, such as a stack trace, quotes and `-` neither demand nor exclude: they are marks that it happens to
 * have.
 */
export function partsOf(query: string): readonly QueryPart[] {
  const text = query.slice(0, longestQuery);
  const found = [...text.matchAll(partPattern)].map(([, minus, quoted, ...others]) => ({
    text: quoted ?? others.find((other) => other !== undefined) ?? "",
    isQuoted: quoted !== undefined,
    isUnquoted: others.at(-1) !== undefined,
    isNegative: minus !== undefined,
  }));
  if (isPasted(text, found)) return found.map((part) => ({ text: part.text, isQuoted: false, isExcluded: false }));
  const isAnythingWanted = found.some((part) => !part.isNegative && holdsWord.test(part.text));
  const program = found[0]?.text.replace(/^\.\//, "") ?? "";
  const isBuilder = builders.has(program);
  const isCommandLine = isBuilder || commands.has(program) || program.endsWith("ctl");
  const isOption = (part: string): boolean =>
    optionAnywhere.test(part) ||
    (isCommandLine && optionOfCommand.test(part)) ||
    (isBuilder && optionOfBuilder.test(part));
  return found.map(({ text: part, isQuoted, isUnquoted, isNegative }) => ({
    text: part,
    isQuoted,
    isExcluded:
      isNegative &&
      (!isUnquoted || (isAnythingWanted && holdsWord.test(part) && !isOption(part) && !isStopWordMeant(part))),
  }));
}

/** Several lines, more words than are looked for, or more phrases than somebody types. Exclusions do not count. */
function isPasted(query: string, found: readonly (QueryTexts & { readonly isNegative: boolean })[]): boolean {
  if (/[\n\r\u2028]/.test(query.trim())) return true;
  const wanted = found.filter(({ text, isNegative }) => !isNegative && holdsWord.test(text));
  if (wanted.filter(({ isQuoted }) => isQuoted).length > mostPhrases) return true;
  return wanted.reduce((count, { text }) => count + text.trim().split(/\s+/).length, 0) > mostWords;
}

/** Whether a query may exclude anything: a cheap look. */
export const mayExclude = (query: string): boolean => /[-\u2212\u2013\uff0d]/.test(query);

/** What a query excludes, as it was typed, without the minus. */
export const excludedIn = (query: string): readonly string[] =>
  partsOf(query).flatMap(({ text, isExcluded }) => (isExcluded && holdsWord.test(text) ? [text] : []));

/** In capitals it is another word (`IT`, the language `D`). */
function isStopWordMeant(text: string): boolean {
  const word = foldWord(text);
  return !/^\p{Lu}+$/u.test(text) && (isStopWord(word, "de") || isStopWord(word, "en"));
}
