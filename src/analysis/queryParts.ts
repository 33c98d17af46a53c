import { foldWord } from "./folding.js";
import { isStopWord } from "./stopWords.js";

/** A stretch of a query between blanks, or between quotes. */
export interface QueryPart {
  readonly text: string;
  readonly isQuoted: boolean;
  readonly isExcluded: boolean;
}

const partPattern =
  /((?<!\S)-)?(?:"([^"]*)"|[„“”]([^„“”"]*)[“”]|«([^«»"]*)»|(?<=(?<!\S)-)["„“”«]([^"„“”«»]*)$|([^\s"„“”«»]+))/gu;

/** As much as an address carries, in UTF-16 units: what follows is not read. */
export const longestQuery = 65_536;
const holdsWord = /[\p{L}\p{N}]/u;
/** No word has these forms: `--dry-run`, `-Xmx512m`, `-Dkey=value`. */
const optionAnywhere = /^(?:-|X(?:m[nsx]|ss|X:|log|debug)|D[\w.]+=)/;
/** What else a program may be told with: `-xzf`, `-R`, `-O2`, `-Wall`, `-Werror`. */
const optionOfCommand = /^(?:[a-z]{1,3}|[A-Z]\d?|W[a-z][\w-]+)$/;
/** Programs that are told what to do by options: a query that begins with one is a command line. */
const commands: ReadonlySet<string> = new Set([
  ...words("apt awk bash cat chmod chown cmake cp curl cut df diff dig docker du ffmpeg find gcc git go gradle grep"),
  ...words(
    "gunzip gzip haproxy helm head httpd java javac journalctl jq kill kubectl ls make mkdir mount mv mvn nc netstat nginx nmap node",
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
 */
export function partsOf(query: string): readonly QueryPart[] {
  const found = [...query.slice(0, longestQuery).matchAll(partPattern)].map(([, minus, quoted, ...others]) => ({
    text: quoted ?? others.find((text) => text !== undefined) ?? "",
    isQuoted: quoted !== undefined,
    isUnquoted: others.at(-1) !== undefined,
    isNegative: minus !== undefined,
  }));
  const isAnythingWanted = found.some(({ text, isNegative }) => !isNegative && holdsWord.test(text));
  const [first] = found;
  const isCommandLine = commands.has(first?.text ?? "") || first?.text.endsWith("ctl") === true;
  const isOption = (text: string): boolean =>
    optionAnywhere.test(text) || (isCommandLine && optionOfCommand.test(text));
  return found.map(({ text, isQuoted, isUnquoted, isNegative }) => ({
    text,
    isQuoted,
    isExcluded:
      isNegative &&
      (!isUnquoted || (isAnythingWanted && holdsWord.test(text) && !isOption(text) && !isStopWordMeant(text))),
  }));
}

/** What a query excludes, as it was typed, without the minus. */
export const excludedIn = (query: string): readonly string[] =>
  partsOf(query).flatMap(({ text, isExcluded }) => (isExcluded && holdsWord.test(text) ? [text] : []));

/** In capitals it is another word (`IT`, the language `D`). */
function isStopWordMeant(text: string): boolean {
  const word = foldWord(text);
  return !/^\p{Lu}+$/u.test(text) && (isStopWord(word, "de") || isStopWord(word, "en"));
}
