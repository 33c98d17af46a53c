import { createHash } from "node:crypto";
import { expect } from "chai";
import type { ContentKey, ParkedEvents, ProjectionWriter } from "../../projections/ports.js";
import type { SearchChange, SearchIndexWriter } from "../../projections/search/ports.js";
import { searchProjection } from "../../projections/search/project.js";
import { createSearchWriter } from "../../projections/search/readModel.js";
import type { Counted, SearchReader, SearchRequest } from "../../queries/ports.js";
import type { ObjectDefinition, PropertyType, Sub } from "../../src/events/datasource.js";
import type { CustomProperty, DocumentAccess, DocumentIndexed, FileFacts } from "../../src/events/document.js";
import type { DomainEvent, RecordedEvent } from "../../src/events/domainEvent.js";
import { datasourceStream, documentStream } from "../../src/events/streams.js";
import type { HeldTokens, SearchFilters, SearchPage } from "../../src/readModels/search.js";
import { toDatasourceId, toDatasourceName, toDocumentId, toEmail, type PrincipalToken } from "../../src/shared/ids.js";
import { beginning, toPosition, type Position } from "../../src/shared/position.js";
import { PrincipalTokens } from "../../src/shared/principalTokens.js";
import { formatScope } from "../../src/events/scope.js";

/** What an engine of the search index provides, in a fresh index of its own. */
export interface SearchIndexUnderTest {
  readonly index: SearchIndexWriter;
  readonly reader: SearchReader & { readonly parked: ParkedEvents; readonly counted: Counted };
  /** Closes everything and opens the same index again. */
  reopen(): Promise<SearchIndexUnderTest>;
  /** Closes everything and removes the index. */
  close(): Promise<void>;
}

const tokens = new PrincipalTokens("contract");

/** Ids of incarnations are told by the datasource's name unless a test says otherwise. */
export const incarnationOf = (name: string) => toDatasourceId(`incarnation-of-${name}`);

export interface DatasourceOptions {
  readonly name: string;
  readonly incarnation?: string;
  /** `a` or, with children, `a: [b, c]`. */
  readonly subs?: Readonly<Record<string, readonly string[]>>;
  readonly searchable?: readonly string[];
}

export interface DocumentOptions {
  readonly datasource?: string;
  readonly incarnation?: string;
  readonly id: string;
  readonly title?: string;
  readonly text?: string;
  readonly access?: Partial<DocumentAccess>;
  readonly fileType?: string;
  readonly mimeType?: string;
  readonly lastModified?: string | null;
  readonly author?: string | null;
  readonly path?: string | null;
  readonly pathPreview?: string | null;
  readonly sub?: string | null;
  readonly childSub?: string | null;
  readonly customProperties?: readonly CustomProperty[];
  readonly file?: FileFacts;
}

/** Someone who searches. Registered on `wiki` alone unless said otherwise. */
export interface Person {
  readonly email?: string;
  readonly registeredOn?: readonly string[];
  /** Names of groups of every datasource that the person is registered on. */
  readonly groups?: readonly string[];
}

export const noFilters: SearchFilters = { datasources: null, fileTypes: null, modifiedFrom: null, modifiedTo: null };

const definitionsOf = (searchable: readonly string[]): readonly ObjectDefinition[] => [
  {
    name: "thing",
    propertyDefinitions: ["colour", "size", "ready"].map((name) => ({
      name,
      displayLabel: name,
      isSearchable: searchable.includes(name),
      propertyType: "TEXT" as PropertyType,
    })),
  },
];

const subsOf = (subs: Readonly<Record<string, readonly string[]>>): readonly Sub[] =>
  Object.entries(subs).map(([key, children]) => ({
    key,
    name: key,
    subs: children.map((child) => ({ key: child, name: child })),
  }));

/** Builds a history, projects it into an index, and asks questions as people. */
export class SearchScenario {
  private under: SearchIndexUnderTest;
  private writer: ProjectionWriter<SearchChange>;
  private readonly texts = new Map<string, string>();
  private readonly keys = new Map<string, number>();
  private lastBatch: readonly RecordedEvent[] = [];
  private before: Position = beginning;
  /** Position of the newest event. */
  position: Position = beginning;

  constructor(under: SearchIndexUnderTest) {
    this.under = under;
    this.writer = this.openWriter();
  }

  get reader(): SearchIndexUnderTest["reader"] {
    return this.under.reader;
  }

  datasource({ name, incarnation, subs = {}, searchable = [] }: DatasourceOptions): DomainEvent {
    const datasourceId = toDatasourceId(incarnation ?? incarnationOf(name));
    const data = {
      datasourceId,
      name: toDatasourceName(name),
      displayName: name,
      icon: null,
      subs: subsOf(subs),
      objectDefinitions: definitionsOf(searchable),
      defaultAccess: "anonymous" as const,
    };
    return { type: "DatasourceRegistered", data };
  }

  redefined(name: string, searchable: readonly string[]): DomainEvent {
    return {
      type: "DatasourceUpdated",
      data: { datasourceId: incarnationOf(name), objectDefinitions: definitionsOf(searchable) },
    };
  }

  document(options: DocumentOptions): DomainEvent {
    const { datasource = "wiki", incarnation, text = "", author = "Ada" } = options;
    const sha256 = createHash("sha256").update(text).digest("hex");
    this.texts.set(sha256, text);
    const data: DocumentIndexed["data"] = {
      datasourceId: toDatasourceId(incarnation ?? incarnationOf(datasource)),
      datasource: toDatasourceName(datasource),
      documentId: toDocumentId(options.id),
      title: options.title ?? options.id,
      content: { sha256, bytes: Buffer.byteLength(text) },
      mimeType: options.mimeType ?? "text/plain",
      size: Buffer.byteLength(text),
      fileType: options.fileType ?? "page",
      ...pathsOf(options),
      author,
      lastModified: options.lastModified === undefined ? "2024-01-15T10:00:00.000Z" : options.lastModified,
      sub: options.sub ?? null,
      childSub: options.childSub ?? null,
      access: accessOf(options),
      customProperties: options.customProperties ?? [],
      ...fileOf(options),
      supersededContent: null,
      widenedToAnonymous: false,
    };
    return { type: "DocumentIndexed", data };
  }

  deleted(id: string, datasource = "wiki"): DomainEvent {
    const supersededContent = { sha256: "", bytes: 0 };
    const data = {
      datasourceId: incarnationOf(datasource),
      datasource: toDatasourceName(datasource),
      documentId: toDocumentId(id),
      supersededContent,
    };
    return { type: "DocumentDeleted", data };
  }

  datasourceDeleted(name: string, incarnation: string = incarnationOf(name)): DomainEvent {
    return {
      type: "DatasourceDeleted",
      data: { datasourceId: toDatasourceId(incarnation), name: toDatasourceName(name) },
    };
  }

  subAdded(name: string, key: string, parentKey: string | null = null, nested: readonly string[] = []): DomainEvent {
    const subs = nested.map((child) => ({ name: child, key: child }));
    return { type: "SubAdded", data: { datasourceId: incarnationOf(name), name: key, key, parentKey, subs } };
  }

  subRemoved(name: string, key: string, parentKey: string | null = null): DomainEvent {
    return { type: "SubRemoved", data: { datasourceId: incarnationOf(name), key, parentKey } };
  }

  /** What erasure does to the text of a version that was replaced. */
  erase(text: string): void {
    this.texts.delete(createHash("sha256").update(text).digest("hex"));
  }

  /** Projects these events in one batch, each at a position of its own. */
  async given(...events: readonly DomainEvent[]): Promise<void> {
    this.lastBatch = events.map((event) => this.record(event));
    this.before = this.lastBatch[0] === undefined ? this.position : toPosition(this.lastBatch[0].position - 1n);
    expect(await this.deliver(this.lastBatch, this.before, this.position)).to.equal("applied");
  }

  /** Projects these events in one batch of a catch-up, behind which more is to come. */
  givenInCatchUp(...events: readonly DomainEvent[]): Promise<"applied" | "checkpointConflict"> {
    const after = this.position;
    const changes = events.flatMap((event) => searchProjection.project(this.record(event)));
    return this.writer.apply({ after, position: this.position, changes, parked: [], moreToCome: true });
  }

  /** The last batch once more, as a subscription that did not see the checkpoint would. */
  redelivered(): Promise<"applied" | "checkpointConflict"> {
    return this.deliver(this.lastBatch, this.before, this.position);
  }

  /** Parks this event: what it would change fails closed. */
  async parked(event: DomainEvent): Promise<void> {
    const after = this.position;
    const recorded = this.record(event);
    const { scope, changes } = searchProjection.failClosed(recorded);
    const parked = {
      position: recorded.position,
      stream: recorded.stream,
      eventType: event.type,
      scope: formatScope(scope),
      error: "test",
    };
    expect(await this.writer.apply({ after, position: this.position, changes, parked: [parked] })).to.equal("applied");
  }

  async restart(): Promise<void> {
    this.under = await this.under.reopen();
    this.writer = this.openWriter();
  }

  checkpoint(): Promise<Position> {
    return this.writer.checkpoint();
  }

  /** Everything that the person holds, under a key that stands for exactly that. */
  holding({ email, registeredOn = ["wiki"], groups = [] }: Person): HeldTokens {
    const held: PrincipalToken[] = registeredOn.flatMap((name) => [
      tokens.anonymous(incarnationOf(name)),
      ...(email === undefined ? [] : [tokens.user(incarnationOf(name), toEmail(email))]),
      ...groups.map((group) => tokens.group(incarnationOf(name), group)),
    ]);
    const text = held.join(" ");
    if (!this.keys.has(text)) this.keys.set(text, this.keys.size);
    return { key: `person ${this.keys.get(text)}`, tokens: held };
  }

  search(
    query: string,
    options: Partial<Omit<SearchRequest, "query" | "held">> & { readonly as?: Person } = {},
  ): Promise<SearchPage> {
    const { as = {}, filters = noFilters, count = 100, startPage = 0, ...others } = options;
    return this.reader.search({ query, held: this.holding(as), filters, count, startPage, ...others });
  }

  suggest(query: string, { as = {}, count = 8 }: { readonly as?: Person; readonly count?: number } = {}) {
    return this.reader.suggest({ query, held: this.holding(as), count });
  }

  /** The texts of the suggestions, in their order. */
  async suggested(...asked: Parameters<SearchScenario["suggest"]>): Promise<string[]> {
    return (await this.suggest(...asked)).map(({ text }) => text);
  }

  /** Document ids of the hits, in their order. */
  async found(...asked: Parameters<SearchScenario["search"]>): Promise<string[]> {
    const { hits } = await this.search(...asked);
    return hits.map((hit) => hit.id.slice(hit.id.indexOf("__") + 2));
  }

  close(): Promise<void> {
    return this.under.close();
  }

  private openWriter(): ProjectionWriter<SearchChange> {
    const contents = { read: async ({ reference }: ContentKey) => this.texts.get(reference.sha256) ?? null };
    return createSearchWriter({ index: this.under.index, contents, tokens });
  }

  private record(event: DomainEvent): RecordedEvent {
    this.position = toPosition(this.position + 1n);
    const stream =
      event.type === "DocumentIndexed" || event.type === "DocumentDeleted"
        ? documentStream(event.data.datasourceId, event.data.documentId)
        : datasourceStream(toDatasourceName("wiki"));
    const metadata = { at: "2024-05-01T10:00:00.000Z", by: "operator", correlationId: "c", causationId: "c" } as const;
    return { id: `event ${this.position}`, stream, revision: 0, position: this.position, event, metadata };
  }

  private deliver(
    events: readonly RecordedEvent[],
    after: Position,
    position: Position,
  ): Promise<"applied" | "checkpointConflict"> {
    return this.writer.apply({
      after,
      position,
      changes: events.flatMap((event) => searchProjection.project(event)),
      parked: [],
    });
  }
}

const accessOf = ({ access }: DocumentOptions): DocumentAccess =>
  access === undefined
    ? { anonymous: true, users: [], groups: [] }
    : { anonymous: false, users: [], groups: [], ...access };

const pathsOf = ({
  id,
  path = "a > b",
  pathPreview = `https://example.org/${id}`,
}: DocumentOptions): Pick<DocumentIndexed["data"], "path" | "pathPreview"> => ({ path, pathPreview });

const fileOf = ({ file }: DocumentOptions): Pick<DocumentIndexed["data"], "file"> =>
  file === undefined ? {} : { file };
