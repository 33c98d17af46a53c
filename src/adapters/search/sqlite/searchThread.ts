import { workerData } from "node:worker_threads";
import { openForReading } from "../../sqlite/database.js";
import { serveThread } from "../../threads/serveThread.js";
import { tokensInClass } from "./accessClasses.js";
import { FullTextSearch } from "./fullTextSearch.js";
import { searchSchema } from "./schema.js";
import type {
  AskedBy,
  FullTextQuestion,
  SearchThreadAnswer,
  SearchThreadData,
  SuggestQuestion,
} from "./searchThreadMessages.js";

const { file, ...options } = workerData as SearchThreadData;
const database = openForReading({ file, schema: searchSchema, durability: "rebuildable" });
const fullText = new FullTextSearch(database, options);

/** Answers once it knows what the person holds. */
const asPerson =
  <Question extends { readonly heldKey: string }, Answer>(answer: (question: Question) => Answer) =>
  ({ tokens, ...question }: AskedBy<Question>): SearchThreadAnswer<Answer> => {
    const { heldKey } = question;
    if (tokens !== null) fullText.classes.learn(heldKey, tokensInClass(tokens));
    if (!fullText.classes.knows(heldKey)) return "unknownKey";
    return answer(question as unknown as Question);
  };

/** What the first question does not read comes while there is nothing else to do. */
const readVectors = (): void =>
  void setImmediate(() => {
    if (database.open && fullText.readVectors()) readVectors();
  });

serveThread({
  search: asPerson((question: FullTextQuestion) => {
    if (question.meaning !== undefined) readVectors();
    return fullText.search(question);
  }),
  suggest: asPerson((question: SuggestQuestion) => fullText.suggest(question)),
  close: () => database.close(),
});
