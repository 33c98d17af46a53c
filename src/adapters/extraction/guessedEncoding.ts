import chardet from "chardet";

/** Enough to tell. Reading all of a large file would tell nothing more. */
const examinedBytes = 65_536;
/** Of a hundred. Less is said of nearly any text. */
const leastConfidence = 30;
/** So much surer than that it is Western European, since most files are. */
const leastLead = 1.5;
/** What Windows-1252 reads as well. */
const western: ReadonlySet<string> = new Set(["ISO-8859-1", "windows-1252", "ASCII"]);

/** The encoding that bytes look like by their letters; null: they look Western European, or there are too few. */
export function guessedEncoding(bytes: Buffer): string | null {
  const guesses = chardet.analyse(bytes.subarray(0, examinedBytes));
  const [best] = guesses;
  if (best === undefined || best.confidence < leastConfidence || western.has(best.name)) return null;
  const asWestern = guesses.find(({ name }) => western.has(name))?.confidence ?? 0;
  return best.confidence >= asWestern * leastLead ? best.name : null;
}
