import type { Query } from "../../address.js";
import type { Schemas } from "../../api/client.js";
import { words } from "../../words.js";
import { anew } from "./asked.js";
import { exactly } from "./exactly.js";

const say = words({
  en: {
    word: "“{word}”",
    nothing: "Nothing holds {from}. These are results for {to}.",
    exactly: "Search for exactly {from} instead",
  },
  de: {
    word: "„{word}“",
    nothing: "Nichts enthält {from}. Das sind Ergebnisse für {to}.",
    exactly: "Stattdessen genau nach {from} suchen",
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

/** What each word was taken for, in the order of the answer. */
function byWord(corrected: CorrectedProps["corrected"]): ReadonlyMap<string, readonly string[]> {
  const meant = new Map<string, readonly string[]>();
  for (const { from, to } of corrected) meant.set(from, [...(meant.get(from) ?? []), to]);
  return meant;
}
