import type { Query } from "../../address.js";
import type { Schemas } from "../../api/client.js";
import { words } from "../../words.js";
import { anew } from "./asked.js";
import { exactly, withoutMinus } from "./exactly.js";

const say = words({
  en: {
    word: "“{word}”",
    nothing: "Nothing holds {from}. These are results for {to}.",
    exactly: "Search for exactly {from} instead",
    excluded: "Without what holds {words}, because of the minus.",
    included: "Search for {words} as well",
    leftOut_one: "One word of the query was not looked for: the others tell more.",
    leftOut: "{count} words of the query were not looked for: the others tell more.",
  },
  de: {
    word: "„{word}“",
    nothing: "Nichts enthält {from}. Das sind Ergebnisse für {to}.",
    exactly: "Stattdessen genau nach {from} suchen",
    excluded: "Ohne alles, was {words} enthält, wegen des Minuszeichens.",
    included: "Auch nach {words} suchen",
    leftOut_one: "Ein Wort der Anfrage wurde nicht gesucht: Die anderen sagen mehr.",
    leftOut: "{count} Wörter der Anfrage wurden nicht gesucht: Die anderen sagen mehr.",
  },
});

interface CorrectedProps {
  readonly query: string;
  readonly corrected: readonly Schemas["CorrectionAnswer"][];
  readonly addressWith: Query["with"];
}

/** Says which words the search took for others, and how to insist on each. */
export function Corrected({ query, corrected, addressWith }: CorrectedProps) {
  return (
    <>
      {[...byWord(corrected)].map(([typed, meant]) => {
        const from = say("word", { word: typed });
        return (
          <p class="notice" key={typed}>
            {say("nothing", { from, to: meant.map((word) => say("word", { word })).join(", ") })}{" "}
            <a href={addressWith(anew({ query: exactly(query, typed) }))}>{say("exactly", { from })}</a>
          </p>
        );
      })}
    </>
  );
}

interface LeftOutProps {
  readonly query: string;
  readonly found: Pick<Schemas["SearchAnswer"], "excluded" | "words_left_out">;
  readonly addressWith: Query["with"];
}

/** Says what the query kept away from the results, and how to look for it as well; also where nothing was found. */
export function LeftOut({ query, found, addressWith }: LeftOutProps) {
  const { excluded = [], words_left_out: count = 0 } = found;
  const all = excluded.map((word) => say("word", { word })).join(", ");
  return (
    <>
      {excluded.length > 0 && (
        <p class="notice">
          {say("excluded", { words: all })}{" "}
          <a href={addressWith(anew({ query: withoutMinus(query, excluded) }))}>{say("included", { words: all })}</a>
        </p>
      )}
      {count > 0 && <p class="notice">{say("leftOut", { count })}</p>}
    </>
  );
}

/** What each word was taken for, in the order of the answer. */
function byWord(corrected: CorrectedProps["corrected"]): ReadonlyMap<string, readonly string[]> {
  const meant = new Map<string, readonly string[]>();
  for (const { from, to } of corrected) meant.set(from, [...(meant.get(from) ?? []), to]);
  return meant;
}
