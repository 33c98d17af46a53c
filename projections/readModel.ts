import type { ProjectionName } from "../src/events/projection.js";
import type { PrincipalTokens } from "../src/shared/principalTokens.js";
import type { ContentEraser, ContentReader, Projection, ProjectionWriter } from "./ports.js";

/** What a writer of a read model may need besides its store. */
export interface WriterServices {
  readonly contents: ContentReader & ContentEraser;
  readonly tokens: PrincipalTokens;
  /** How many events a batch holds while a version is built; null: the version is served. */
  readonly buildingBatch: number | null;
}

/** The part of a read model, or of a reaction, that is the same with every engine. */
export interface ReadModelDefinition<Change, Store> {
  readonly name: ProjectionName;
  readonly projection: Projection<Change>;
  /** Read models with the same group are projected in one thread and, where their engine has leases, under one. */
  readonly group: string;
  /** True where no answer waits for it. Then the events of a busy log are delivered in fewer, larger batches. */
  readonly batchesEvents: boolean;
  /** What brings changes into an engine's store. */
  createWriter(store: Store, services: WriterServices): ProjectionWriter<Change>;
}
