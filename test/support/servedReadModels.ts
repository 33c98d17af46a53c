import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { catalogue } from "../../projections/catalogue/readModel.js";
import { credentials } from "../../projections/credentials/project.js";
import { groupClosure } from "../../projections/groupClosure/project.js";
import type { ContentReader, ParkedEvent, Projection, ProjectionWriter, Restoration } from "../../projections/ports.js";
import { permissionHistory } from "../../projections/permissionHistory/project.js";
import { runProjection } from "../../projections/runProjection.js";
import { searchProjection } from "../../projections/search/project.js";
import { createSearchWriter } from "../../projections/search/readModel.js";
import {
  compareReadModels,
  type Comparison,
  type ComparisonReport,
} from "../../src/operations/verify/compareReadModels.js";
import type { ComparedReaders } from "../../src/operations/verify/ports.js";
import type { DomainEvent, RecordedEvent } from "../../src/events/domainEvent.js";
import { beginning, type Position } from "../../src/shared/position.js";
import type { SearchIndexUnderTest } from "../contracts/searchIndexScenario.js";
import { deliver } from "./givenProjection.js";
import { FollowedHistory } from "./followedHistory.js";
import { GrowingLog } from "./growingLog.js";
import type { ReadModelsUnderTest } from "./readModelEngines.js";
import { tokens } from "./readModelWriters.js";
import { recordEvents } from "./recordEvents.js";
import type { Scope } from "../../src/events/scope.js";

/** The read models that requests are answered from. */
const servedReadModelNames = ["search", "groupClosure", "catalogue", "credentials"] as const;
type ServedReadModelName = (typeof servedReadModelNames)[number];

/** Texts by their hash, as a log keeps them. */
export class RememberedTexts implements ContentReader {
  private readonly texts = new Map<string, string>();

  remember(text: string): { readonly sha256: string; readonly bytes: number } {
    const sha256 = createHash("sha256").update(text).digest("hex");
    this.texts.set(sha256, text);
    return { sha256, bytes: Buffer.byteLength(text) };
  }

  async read({ reference }: Parameters<ContentReader["read"]>[0]): Promise<string | null> {
    return this.texts.get(reference.sha256) ?? null;
  }
}

/** All read models of a test, projected from a log of its own. */
export class ServedReadModels {
  readonly log = new GrowingLog();
  /** In a file, whatever the engines of the others are. */
  readonly history = new FollowedHistory();
  readonly texts = new RememberedTexts();

  constructor(
    readonly models: ReadModelsUnderTest,
    readonly search: SearchIndexUnderTest,
    readonly searchPlace: { readonly file: string } | { readonly namespace: string },
  ) {}

  get readers(): ComparedReaders {
    return { ...this.models.readers, search: this.search.reader };
  }

  /** Writes events to the log and projects them everywhere. */
  async given(...events: readonly DomainEvent[]): Promise<Position> {
    const recorded = recordEvents(events, Number(this.log.end));
    this.log.append(...events);
    const { writers } = this.models;
    await deliver({ projection: groupClosure, writer: writers.groupClosure }, recorded);
    await deliver({ projection: catalogue, writer: writers.catalogue }, recorded);
    await deliver({ projection: credentials, writer: writers.credentials }, recorded);
    const writer = createSearchWriter({ index: this.search.index, contents: this.texts, tokens });
    const ofSearch = recorded.filter(
      ({ stream }) => stream.startsWith("document-") || stream.startsWith("datasource-"),
    );
    const after = await writer.checkpoint();
    const position = recorded.at(-1)?.position ?? beginning;
    await writer.apply({
      after,
      position: position > after ? position : after,
      changes: ofSearch.flatMap((event) => searchProjection.project(event)),
      parked: [],
    });
    await nextTurn();
    return this.log.end;
  }

  /**
   * Writes events to the log, and lets every projection follow it, as a service does. `cannotApply` tells events that
   * it has to park.
   */
  async follow(
    events: readonly DomainEvent[],
    cannotApply: (event: RecordedEvent) => boolean = () => false,
  ): Promise<void> {
    this.log.append(...events);
    const stopping = new AbortController();
    const { writers, readers } = this.models;
    const search = createSearchWriter({ index: this.search.index, contents: this.texts, tokens });
    const runs = [
      this.run(groupClosure, writers.groupClosure, cannotApply, stopping.signal),
      this.run(catalogue, writers.catalogue, cannotApply, stopping.signal),
      this.run(credentials, writers.credentials, cannotApply, stopping.signal),
      this.run(searchProjection, search, cannotApply, stopping.signal),
      this.run(permissionHistory, this.history.writer, cannotApply, stopping.signal),
    ];
    const { access, catalogue: datasources, credentials: keys } = readers;
    const reached = await Promise.all(
      [access, datasources, keys, this.search.reader, this.history.clock].map((reader) =>
        reader.reached(this.log.end, 20_000),
      ),
    );
    stopping.abort();
    await Promise.all(runs);
    if (!reached.every(Boolean)) throw new Error(`The projections did not come as far as the log: ${reached.join()}.`);
    await nextTurn();
  }

  /** Of all that requests are answered from, each by its name. */
  async parked(): Promise<readonly (ParkedEvent & { readonly projection: ServedReadModelName })[]> {
    const { readers } = this.models;
    const lists = servedReadModelNames.map(async (projection) => {
      const events = await (projection === "search" ? this.search.reader.parked : readers.parked).list(projection);
      return events.map((event) => ({ ...event, projection }));
    });
    return (await Promise.all(lists)).flat();
  }

  private run<Change>(
    projection: Projection<Change>,
    writer: ProjectionWriter<Change>,
    cannotApply: (event: RecordedEvent) => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const project = (event: RecordedEvent): readonly Change[] => {
      if (cannotApply(event)) throw new Error("This event cannot be applied.");
      return projection.project(event);
    };
    const restoration = (scope: Scope): Restoration<Change> | null => {
      const restored = projection.restoration?.(scope) ?? null;
      if (restored === null) return null;
      const changes = (event: RecordedEvent, isLeftOut: boolean): readonly Change[] => {
        if (!isLeftOut && cannotApply(event)) throw new Error("This event cannot be applied.");
        return restored.changes(event, isLeftOut);
      };
      return { ...restored, changes };
    };
    const onFailure = (error: unknown): void => {
      throw error;
    };
    return runProjection({
      projection: { ...projection, project, restoration },
      writer,
      source: this.log,
      signal,
      maxBatchSize: 7,
      retryDelayMs: 10,
      onFailure,
      onParked: () => undefined,
    });
  }

  compare(options: Partial<Comparison> = {}): Promise<ComparisonReport> {
    return compareReadModels({ log: this.log, tokens, served: this.readers, limits: { reachMs: 5_000 }, ...options });
  }

  async close(): Promise<void> {
    this.history.close();
    await this.search.close();
    await this.models.close();
  }
}
