import type { EventLog, UnclaimedTexts } from "../../commands/ports.js";
import type {
  BytesReader,
  ContentEraser,
  ContentReader,
  EventSource,
  Lease,
  LeaseGrant,
  LeaseTiming,
  ParkedEvents,
} from "../../projections/ports.js";
import type { Checkpointed, Counted } from "../../queries/ports.js";
import type { ProjectionsAnswer, StoredSize } from "../readModels/projectionStatus.js";
import type { BrowsableLog } from "../events/eventSelection.js";
import type { Checkpoint } from "../events/eventSource.js";
import type { Position } from "../shared/position.js";

/** The log as commands see it, and its end as everybody does. */
export interface LogForCommands {
  /** What its positions count. */
  readonly unit: ProjectionsAnswer["log_unit"];
  readonly log: EventLog;
  readonly source: EventSource & BrowsableLog;
  readonly texts: ContentReader & BytesReader;
  /** Null where a text and its event are written in one transaction. */
  readonly unclaimedTexts: UnclaimedTexts | null;
  /** The id of the log's first event, which no client is told; null while the log is empty. */
  firstEventId(): Promise<string | null>;
  /** Whether another log lies where this one was opened, so that this one takes no more events. */
  isExchanged(): boolean;
  /** Reads all of the log, and says whether any of it is damaged. False: its engine sees to that itself. */
  isDamaged(signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

/** The log as the projections of one thread see it. */
export interface ProjectedLog {
  /** `batches`: no answer waits for what is delivered here, so a busy log's events may gather a little. */
  source(reading?: { readonly batches?: boolean }): EventSource & { close(): void | Promise<void> };
  readonly contents: ContentReader & ContentEraser;
  close(): Promise<void>;
}

/** Events and texts in one engine. */
export interface LogEngine {
  /** Creates the log where it is missing. */
  openForCommands(): Promise<LogForCommands>;
  openForProjections(): ProjectedLog;
}

/** One version of a read model, opened for questions. */
export interface OpenedReader<Reader> {
  readonly reader: Reader;
  /** What its projection could not apply. */
  readonly parked: ParkedEvents;
  /** How much the engine holds of it. */
  readonly counted: Counted;
  close(): Promise<void> | void;
}

/** What an engine holds of one version. */
export interface VersionFacts {
  readonly position: Position;
  readonly parked: number;
  /** null: the engine does not tell. */
  readonly size: StoredSize | null;
}

/** An engine, opened for the projections of one thread. */
export interface OpenedStores<Store> {
  /** null: the engine's own checkpoints keep several processes from harming each other. */
  readonly lease: Lease | null;
  /** Events of one batch of a rebuild: a few tens of milliseconds' work. */
  readonly buildingBatch: number;
  /**
   * Opens a version for its projection, for as long as the grant holds (null where there is no lease). `building`:
   * nobody serves this version yet, so it may be filled in long transactions. `earlier`: the version that was served
   * last before this one, from which may be taken what costs much to make anew, if it is still there; null: none was.
   */
  open(
    version: number,
    grant: LeaseGrant | null,
    building: Building | null,
    earlier: number | null,
  ): Promise<OpenedStore<Store>>;
  close(): Promise<void> | void;
}

/** What a projection writes to. */
export interface OpenedStore<Store> {
  readonly store: Store;
  close(): Promise<void> | void;
}

/** How a version is filled that nobody serves yet. */
export interface Building {
  /** How long a transaction stays open: what a death costs, and how often progress shows. The storage has a default. */
  readonly holdsMs?: number;
}

/** What a storage is opened with for projecting. */
interface ProjectingOptions {
  /** Storages of one engine that are opened under one name share a lease. */
  readonly leaseName: string;
  /** Left out: the engine's own. */
  readonly leaseTiming?: LeaseTiming;
  /** Called with what failed after a write and is tried again with the next one. */
  onFailure(error: unknown): void;
}

/**
 * A read model that lies in the data folder of each process, which processes need not share. A version is activated for
 * all of them as soon as one process has it.
 */
export interface FolderPlacement {
  /** How far a version has come in this folder; null: it is not there. */
  positionOf(version: number): Position | null;
  /** The sentence with which a process that has none answers. */
  readonly elsewhere: string;
}

/**
 * Where one engine keeps the versions of one read model, or what a reaction remembers. `Store` is what the projection
 * writes to, `Reader` what questions are asked of.
 */
export interface Storage<Store, Reader extends Checkpointed> {
  /** `shared`: all processes of a log see the same. */
  readonly placement: "shared" | FolderPlacement;
  /** Opens a version for questions; creates it empty where it is missing. */
  openReader(version: number): Promise<OpenedReader<Reader>>;
  openStores(options: ProjectingOptions): Promise<OpenedStores<Store>>;
  /** Looks at a version where it is stored, without making it. Rejects where the engine does not answer. */
  facts(version: number): Promise<VersionFacts>;
  /** How far a version has come where it is stored, without making it. Rejects where the engine does not answer. */
  checkpoint(version: number): Promise<Checkpoint>;
  /**
   * Says which storage stands in a version's place: another one where that was replaced, and has to be opened anew.
   * null: readers and writers of this engine notice that by themselves.
   */
  identity(version: number): string | null;
  /**
   * Takes what is stored in a version's place out of use, so that the next who opens it finds it empty, and says where
   * it is kept; null where it is not. `identity` is of what is meant: if something else stands there by now, nothing
   * happens.
   */
  setAside(version: number, identity: string | null): Promise<string | null>;
  /**
   * Reads all that a version has stored, and says whether any of it is damaged. False: its engine sees to that itself.
   */
  isDamaged(version: number, signal: AbortSignal): Promise<boolean>;
  /** Frees what a version has stored, which nobody serves or projects. Doing it again does no harm. */
  drop(version: number): Promise<void>;
}
