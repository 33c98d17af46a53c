import type { RelevanceService } from "../relevanceService.js";
import {
  everydayLanguages,
  type EverydayCollection,
  type EverydayDocument,
  type EverydayLanguage,
  type EverydayQuery,
} from "./everydayCollection.js";
import { judge, type EverydayVerdict } from "./everydayScores.js";

export interface MeasuredQuery {
  readonly query: EverydayQuery;
  /** Asked of the datasource of the query's language alone. */
  readonly filtered: EverydayVerdict;
  /** Asked of all that the person may see: both languages. */
  readonly unfiltered: EverydayVerdict;
}

const pageLength = 100;
const datasourceOf = (language: EverydayLanguage): string => `everyday_${language}`;

/** Pushes the collection into an empty service, a datasource for each language, and asks every query twice. */
export async function measureEveryday(
  service: RelevanceService,
  { documents, queries }: EverydayCollection,
): Promise<readonly MeasuredQuery[]> {
  for (const language of everydayLanguages) {
    const ofLanguage = documents.filter((document) => document.language === language);
    await service.push({ name: datasourceOf(language), displayName: `Everyday (${language})` }, ofLanguage.map(pushed));
  }
  const measured: MeasuredQuery[] = [];
  for (const query of queries)
    measured.push({
      query,
      filtered: judge(query, await resultsOf(service, query, datasourceOf(query.language))),
      unfiltered: judge(query, await resultsOf(service, query)),
    });
  return measured;
}

const pushed = ({ id, title, text, author, lastModified, fileType, path, isFile }: EverydayDocument) => ({
  id,
  title,
  body: { mime_type: "text/plain", text_content: text },
  file_type: fileType,
  author,
  last_modified: `${lastModified}T09:00:00Z`,
  path,
  path_preview: isFile ? new URL(path, "https://files.quellmoor.example/").href : undefined,
});

/** One page tells every rank that matters; what must not be found is looked for on all of them. */
async function resultsOf(
  service: RelevanceService,
  { text, mustNotFind }: EverydayQuery,
  datasource?: string,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let page = 0; ; page++) {
    const found = await service.search({ query: text, datasource, count: pageLength, page });
    ids.push(...found.map((id) => id.slice(id.indexOf("__") + 2)));
    if (mustNotFind.length === 0 || found.length < pageLength) return ids;
  }
}
