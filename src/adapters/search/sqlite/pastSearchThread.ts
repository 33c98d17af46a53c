import { workerData } from "node:worker_threads";
import type { SearchPage } from "../../../readModels/search.js";
import { openForReading } from "../../sqlite/database.js";
import { serveThread } from "../../threads/serveThread.js";
import { FullTextSearch } from "./fullTextSearch.js";
import { searchSchema } from "./schema.js";
import type { PastSearchQuestion, SearchThreadData } from "./searchThreadMessages.js";

const { file, ...options } = workerData as SearchThreadData;
const database = openForReading({ file, schema: searchSchema, durability: "rebuildable" });
const fullText = new FullTextSearch(database, options);

serveThread({
  searchAmong: ({ among, ...question }: PastSearchQuestion): SearchPage => fullText.searchAmong(among, question),
  close: () => database.close(),
});
