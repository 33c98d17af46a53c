import { workerData } from "node:worker_threads";
import { openForReading } from "../../sqlite/database.js";
import { serveThread } from "../../threads/serveThread.js";
import { tokensInClass } from "./accessClassRows.js";
import { FullTextSearch } from "./fullTextSearch.js";
import { searchSchema } from "./schema.js";
import type { SearchThreadAnswer, SearchThreadData, SearchThreadQuestion } from "./searchThreadMessages.js";

const { file, ...options } = workerData as SearchThreadData;
const database = openForReading({ file, schema: searchSchema, durability: "rebuildable" });
const fullText = new FullTextSearch(database, options);

serveThread({
  search: ({ tokens, ...question }: SearchThreadQuestion): SearchThreadAnswer => {
    if (tokens !== null) fullText.classes.learn(question.heldKey, tokensInClass(tokens));
    if (!fullText.classes.knows(question.heldKey)) return "unknownKey";
    return fullText.search(question);
  },
  close: () => database.close(),
});
