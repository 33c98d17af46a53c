import type {
  HeldDocument,
  HeldPage,
  SearchReader,
  SearchRequest,
  StoredDocument,
  SuggestRequest,
} from "../../queries/ports.js";
import type { SearchPage, TextPart, Suggestion } from "../../src/readModels/search.js";
import { toSearchId, type PrincipalToken } from "../../src/shared/ids.js";
import { beginning, type Position } from "../../src/shared/position.js";

interface Version extends StoredDocument {
  readonly text: string | null;
}

/** A search index that holds what it is told to, and writes down what it was asked. */
export class ScriptedSearch implements SearchReader {
  readonly requests: SearchRequest[] = [];
  readonly suggestRequests: SuggestRequest[] = [];
  readonly versions = new Map<string, Version>();
  /** What every search finds. */
  page: SearchPage = { hits: [], total: 0, totalRelation: "eq" };
  /** Called before each text is read: what happens between two reads of a query. */
  beforeText: () => void = () => undefined;
  projectedUpTo: Position = beginning;

  put(
    datasource: string,
    documentId: string,
    tokens: readonly PrincipalToken[],
    { title = "Page", text = "text" as string | null, indexedAt = "2026-01-01T00:00:00.000Z" } = {},
  ): void {
    const id = toSearchId(datasource, documentId);
    const details = {
      id,
      title,
      datasource,
      sub: null,
      childSub: null,
      fileType: "page",
      path: null,
      pathPreview: null,
      author: null,
      lastModified: null,
      mimeType: "text/plain",
      size: 4,
      customProperties: [],
      indexedAt,
    };
    this.versions.set(id, { details, tokens, text });
  }

  async search(request: SearchRequest): Promise<SearchPage> {
    this.requests.push(request);
    return this.page;
  }

  async withoutVectors(): Promise<number> {
    return 0;
  }

  async suggest(request: SuggestRequest): Promise<readonly Suggestion[]> {
    this.suggestRequests.push(request);
    return [];
  }

  async find(datasource: string, documentId: string): Promise<StoredDocument | null> {
    const version = this.versions.get(toSearchId(datasource, documentId));
    return version === undefined ? null : { details: version.details, tokens: version.tokens };
  }

  /** A line is a part. */
  async textPart(datasource: string, documentId: string, part: number): Promise<TextPart | null> {
    const lines = (await this.text(datasource, documentId))?.split(/(?<=\n)/);
    const text = lines?.[part];
    return lines === undefined || text === undefined ? null : { text, parts: lines.length };
  }

  async text(datasource: string, documentId: string): Promise<string | null> {
    this.beforeText();
    return this.versions.get(toSearchId(datasource, documentId))?.text ?? null;
  }

  async documents(): Promise<HeldPage<HeldDocument>> {
    return { items: [], next: null };
  }

  async position(): Promise<Position> {
    return this.projectedUpTo;
  }

  async reached(position: Position): Promise<boolean> {
    return this.projectedUpTo >= position;
  }
}
