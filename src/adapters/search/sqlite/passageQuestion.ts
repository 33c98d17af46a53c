import type { QueryPhrase } from "../../../analysis/queryPhrases.js";
import { termShareIn } from "../../../analysis/bm25f.js";
import type { PassageQuestion } from "../../../analysis/passageScores.js";
import { countedLength, lengthNormalisation } from "../../../analysis/rankingRules.js";
import type { SqliteQuery } from "./visibleWords.js";
import type { Visibility } from "./visibility.js";

/** What is asked of the passages of long documents, with words that weigh what they weigh for the person. */
export const passageQuestion = (
  { words }: SqliteQuery,
  phrases: readonly QueryPhrase[],
  { all: { averageLength } }: Visibility,
): PassageQuestion => ({
  words: words.map(({ alternatives, areDisjoint }) => ({ ways: alternatives, areDisjoint })),
  phrases: phrases.map(({ sequences }) => sequences),
  shareOf: termShareIn(countedLength(Infinity, averageLength), { weight: 1, lengthNormalisation, averageLength }),
});
