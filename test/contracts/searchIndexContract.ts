import type { SearchIndexUnderTest } from "./searchIndexScenario.js";
import { searchIndexAccessContract } from "./searchIndexAccessContract.js";
import { searchIndexConsistencyContract } from "./searchIndexConsistencyContract.js";
import { searchIndexEverydayContract } from "./searchIndexEverydayContract.js";
import { searchIndexExplanationContract } from "./searchIndexExplanationContract.js";
import { searchIndexFacetContract } from "./searchIndexFacetContract.js";
import { searchIndexFilterContract } from "./searchIndexFilterContract.js";
import { searchIndexManyGroupsContract } from "./searchIndexManyGroupsContract.js";
import { searchIndexPartsContract } from "./searchIndexPartsContract.js";
import { searchIndexPassageContract } from "./searchIndexPassageContract.js";
import { searchIndexOrderContract } from "./searchIndexOrderContract.js";
import { searchIndexPresentationContract } from "./searchIndexPresentationContract.js";
import { searchIndexLanguageContract } from "./searchIndexLanguageContract.js";
import { searchIndexQueryContract } from "./searchIndexQueryContract.js";
import { searchIndexQuestionContract } from "./searchIndexQuestionContract.js";
import { searchIndexRankingContract } from "./searchIndexRankingContract.js";
import { searchIndexSuggestionContract } from "./searchIndexSuggestionContract.js";
import { searchIndexTitleContract } from "./searchIndexTitleContract.js";
import { searchIndexWritingsContract } from "./searchIndexWritingsContract.js";

/** What every engine promises to the search projection and to queries. `open` gives a fresh, empty index each time. */
export function searchIndexContract(open: () => Promise<SearchIndexUnderTest>): void {
  describe("access", () => searchIndexAccessContract(open));
  describe("many groups", () => searchIndexManyGroupsContract(open));
  describe("filters", () => searchIndexFilterContract(open));
  describe("counts", () => searchIndexFacetContract(open));
  describe("queries", () => searchIndexQueryContract(open));
  describe("what people type every day", () => searchIndexEverydayContract(open));
  describe("questions", () => searchIndexQuestionContract(open));
  describe("parts of words", () => searchIndexPartsContract(open));
  describe("ranking and paging", () => searchIndexRankingContract(open));
  describe("the reader's language", () => searchIndexLanguageContract(open));
  describe("long texts", () => searchIndexPassageContract(open));
  describe("titles", () => searchIndexTitleContract(open));
  describe("what is shown", () => searchIndexPresentationContract(open));
  describe("other orders", () => searchIndexOrderContract(open));
  describe("explanations", () => searchIndexExplanationContract(open));
  describe("suggestions", () => searchIndexSuggestionContract(open));
  describe("ways of writing", () => searchIndexWritingsContract(open));
  describe("consistency", () => searchIndexConsistencyContract(open));
}
