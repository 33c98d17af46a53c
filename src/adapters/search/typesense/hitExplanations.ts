import type { Explanation } from "../../../readModels/explanation.js";
import {
  bonusOfTitle,
  explainedBy,
  explainedFusion,
  scoredByPassage,
  scoredWord,
  type ScoredHit,
  type ScoredWord,
} from "../explanations.js";
import { parametersFor, scoreOf, titleParts, type Shown } from "./candidates.js";
import type { Directory } from "./directory.js";
import type { EngineWay, EngineWord, Plan } from "./matching.js";
import type { FoundByMeaning } from "./vectors/foundByMeaning.js";
import { engineTitle, titleMatchIn } from "./titleWords.js";

/** A search that has ranked its documents. */
interface RankedSearch {
  readonly plan: Pick<Plan, "words" | "title" | "typed">;
  /** The words by the ways that some candidate holds: by these, passages were scored. */
  readonly seen: readonly EngineWord[];
  /** The average length of the person's documents, in terms. */
  readonly averageLength: number;
  readonly near: FoundByMeaning;
}

/** How one document was scored. */
type HowScored = Pick<ScoredHit, "scored" | "words" | "bonuses">;

/**
 * Makes the function that tells why hits of one search are where they are: what was scored is scored once more, word by
 * word, by the same code. It asks the engine nothing.
 */
export function hitExplanations(search: RankedSearch, directory: Directory): (shown: Shown) => Explanation {
  const terms = search.plan.words.flatMap(({ alternatives }) => alternatives.flatMap(termsOf));
  const explained = explainedBy(search.plan.typed, terms);
  const { near } = search;
  return (shown) =>
    explained({
      document: shown,
      described: shown.card,
      searchable: new Set(directory.datasources.get(shown.row.ds)?.searchable),
      fusion: near.isNothing ? undefined : explainedFusion(near.placesOf(shown.id)),
      ...(near.isAlone(shown.id) ? byMeaning : howScored(search, shown)),
    });
}

/** A document that holds none of the words: nothing of it was scored. */
const byMeaning: HowScored = { scored: { scored: "meaning", languageFactor: 1 }, words: [], bonuses: [] };

/** A document that was not scored keeps the engine's place. */
function howScored(
  { plan: { words, title: sought }, seen, averageLength }: RankedSearch,
  { title, settledBy, counts, length = 0, worth: languageFactor = 1 }: Shown,
): HowScored {
  if (counts === undefined) return { scored: { scored: "place", languageFactor }, words: [], bonuses: [] };
  const parameters = parametersFor(averageLength);
  const titled =
    sought === null ? [] : titleParts(sought, titleMatchIn(sought, engineTitle(title)), { length, parameters });
  const bonuses = titled.map(({ match, score }) => ({ bonus: bonusOfTitle[match], score }));
  if (settledBy !== undefined) {
    const { scored, words: ofPassage } = scoredByPassage(settledBy, seen, termsOf);
    return { scored: { ...scored, languageFactor }, words: ofPassage, bonuses };
  }
  const scoredWords = words.map((word, index): ScoredWord => {
    const times = counts[index] ?? [];
    const scored = scoredWord(word, termsOf, (way, at) => ({
      times: times[at] ?? 0,
      score: scoreOf({ alternatives: [way], areDisjoint: true }, parameters)([times[at] ?? 0], length),
    }));
    return { ...scored, score: scoreOf(word, parameters)(times, length) };
  });
  return { scored: { scored: "document", languageFactor }, words: scoredWords, bonuses };
}

const termsOf = ({ term, parts }: EngineWay): readonly string[] => parts?.flat() ?? [term];
