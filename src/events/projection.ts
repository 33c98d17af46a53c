/**
 * Everything that follows the log by itself, and whether it can be built anew. A read model is a pure function of the
 * log and has versions; a reaction does something once and has none.
 */
export const projectionKinds = {
  search: "readModel",
  groupClosure: "readModel",
  catalogue: "readModel",
  credentials: "readModel",
  permissionHistory: "readModel",
  contentErasure: "reaction",
} as const satisfies Readonly<Record<string, "readModel" | "reaction">>;

export type ProjectionName = keyof typeof projectionKinds;
/** A projection that has versions. */
export type ReadModelName = {
  [Name in ProjectionName]: (typeof projectionKinds)[Name] extends "readModel" ? Name : never;
}[ProjectionName];

/** The projections that can be built anew, in the order in which people are told about them. */
export const readModelNames = Object.entries(projectionKinds).flatMap(([name, kind]) =>
  kind === "readModel" ? [name as ReadModelName] : [],
);

/** The version with which every read model begins. Its storage has no number in its name. */
export const firstVersion = 1;

/**
 * A subject about which the served version and the new one differ. It holds no texts, and nothing that anybody has
 * asked.
 */
export interface ComparedDifference {
  /** The kind as in `ComparisonSummary.kinds`. */
  readonly kind: string;
  /** `{datasource}/{id}`, an email, a datasource's name, a credential's id, or words that say what it is. */
  readonly subject: string;
  /** Some of the differences where there are many. */
  readonly differs: readonly ComparedAspect[];
}

export interface ComparedAspect {
  /** A field, `presence`, `text`, `principals`, a decision, `number`. */
  readonly aspect: string;
  /** What each version says, where that may be told; of a text it is a part of its SHA-256. */
  readonly live?: string | null;
  readonly next?: string | null;
  /**
   * For principals and results: what the new version lacks, and what it alone has. Some of them where there are many.
   */
  readonly missing?: readonly string[];
  readonly extra?: readonly string[];
}

/** What came of comparing a new version with the one that is served. */
export interface ComparisonSummary {
  /**
   * How thoroughly: `spot` looks at counts and at what people asked lately, `full` at everything that the log ever
   * named.
   */
  readonly depth: "spot" | "full";
  /** The position of the log as of which the comparison holds, in decimal digits. */
  readonly position: string;
  readonly compared: number;
  readonly differences: number;
  /** What was compared: each kind, with its counts. */
  readonly kinds: readonly { readonly kind: string; readonly compared: number; readonly differences: number }[];
  /** Some differences of each kind. Absent in older events. */
  readonly examples?: readonly ComparedDifference[];
}

interface OfVersion {
  readonly projection: ProjectionName;
  /** Counts up from {@link firstVersion}; a number is never used again. */
  readonly version: number;
}

interface ProjectionRebuildStarted {
  readonly type: "ProjectionRebuildStarted";
  readonly data: OfVersion & {
    /** Whether everything is compared before the switch, or only counts and recent questions. */
    readonly verify: boolean;
    /** How many of the versions that were served before are kept after the switch. */
    readonly keep: number;
    /** True where the new version is to be served whatever the comparison finds. */
    readonly accepted: boolean;
  };
}

interface ProjectionCompared {
  readonly type: "ProjectionCompared";
  readonly data: OfVersion & { readonly comparison: ComparisonSummary };
}

/** The new version is to be served although it differs. */
interface ProjectionVersionAccepted {
  readonly type: "ProjectionVersionAccepted";
  readonly data: OfVersion;
}

/** A version that was kept is to be served again, once it has caught up. */
interface ProjectionRollbackStarted {
  readonly type: "ProjectionRollbackStarted";
  readonly data: OfVersion;
}

/** From here on this version is projected, and readers switch to it. */
interface ProjectionVersionActivated {
  readonly type: "ProjectionVersionActivated";
  readonly data: OfVersion;
}

/** The version's storage is freed. If the version is being built, it is given up. */
interface ProjectionVersionDropped {
  readonly type: "ProjectionVersionDropped";
  readonly data: OfVersion;
}

/** The projection stands still until it is resumed. */
interface ProjectionPaused {
  readonly type: "ProjectionPaused";
  readonly data: { readonly projection: ProjectionName };
}

interface ProjectionResumed {
  readonly type: "ProjectionResumed";
  readonly data: { readonly projection: ProjectionName };
}

interface OfParkedEvent extends OfVersion {
  /** The position of the event that could not be applied, in decimal digits. */
  readonly position: string;
}

/** The event is to be applied again. */
interface ParkedEventRetried {
  readonly type: "ParkedEventRetried";
  readonly data: OfParkedEvent;
}

/** The event is passed over for good; what it concerns stays as it is served. */
export interface ParkedEventDiscarded {
  readonly type: "ParkedEventDiscarded";
  readonly data: OfParkedEvent;
}

/** These scopes are projected afresh from the log. */
interface ReadModelRepairRequested {
  readonly type: "ReadModelRepairRequested";
  readonly data: OfVersion & {
    /** Scopes as the projection names them, such as `person ada@example.org`. */
    readonly scopes: readonly string[];
  };
}

/** Stream `projection-{name}`: which version is served, what is being built, whether it runs. */
export type ProjectionEvent =
  | ProjectionRebuildStarted
  | ProjectionCompared
  | ProjectionVersionAccepted
  | ProjectionRollbackStarted
  | ProjectionVersionActivated
  | ProjectionVersionDropped
  | ProjectionPaused
  | ProjectionResumed
  | ParkedEventRetried
  | ParkedEventDiscarded
  | ReadModelRepairRequested;

export const projectionEventTypes: Readonly<Record<ProjectionEvent["type"], true>> = {
  ProjectionRebuildStarted: true,
  ProjectionCompared: true,
  ProjectionVersionAccepted: true,
  ProjectionRollbackStarted: true,
  ProjectionVersionActivated: true,
  ProjectionVersionDropped: true,
  ProjectionPaused: true,
  ProjectionResumed: true,
  ParkedEventRetried: true,
  ParkedEventDiscarded: true,
  ReadModelRepairRequested: true,
};
