import { limitsByName } from "../shared/credential.js";
import type { DatasourceName } from "../shared/ids.js";
import type { ApiKeyCreated, ServiceAccountCreated } from "./credential.js";
import type { Datasource, DatasourceUpdated, SubAdded } from "./datasource.js";
import type { DomainEvent, EventType } from "./domainEvent.js";

/** An event as it was written: `data` has the shape that the type had in that version. The first version is 1. */
interface StoredEvent {
  readonly type: string;
  readonly version: number;
  readonly data: unknown;
}

/** Lifts an event's data by one version. Pure, and right for every event that was ever written in that version. */
type Upcast = (data: never) => unknown;

/**
 * Per event type, in order: element 0 lifts version 1 to version 2, and so on. New events are written in the last
 * version.
 */
export type Upcasters = { readonly [Type in EventType]?: readonly Upcast[] };

type StoredAccount = Omit<ServiceAccountCreated["data"], "datasources"> & {
  readonly datasources: readonly DatasourceName[] | null;
};

/**
 * The steps from shapes that events have outgrown. The log is never rewritten: a developer who changes an event's shape
 * adds the step from the old one here, and everything else in the program knows only the new shape.
 */
export const upcasters: Upcasters = {
  /** Documents without permissions were visible to everybody registered. */
  DatasourceRegistered: [
    (data: Omit<Datasource, "defaultAccess">): Datasource => ({ ...data, defaultAccess: "anonymous" }),
  ],
  /** A program that does not know `defaultAccess` must not pass over it, and go on opening documents. */
  DatasourceUpdated: [(data: DatasourceUpdated["data"]): DatasourceUpdated["data"] => data],
  /** A sub came alone: those below it had events of their own. */
  SubAdded: [(data: Omit<SubAdded["data"], "subs">): SubAdded["data"] => ({ subs: [], ...data })],
  /** Limits were names, whichever incarnation bore them. The account's next request binds them. */
  ServiceAccountCreated: [
    (data: StoredAccount): ServiceAccountCreated["data"] => ({
      ...data,
      datasources: data.datasources === null ? null : limitsByName(data.datasources),
    }),
  ],
  /** Keys could only search. */
  ApiKeyCreated: [(data: Omit<ApiKeyCreated["data"], "roles">): ApiKeyCreated["data"] => ({ ...data, roles: [] })],
};

/** The version in which an event of this type is written now. */
export const currentVersion = (type: EventType, table: Upcasters = upcasters): number => 1 + (table[type]?.length ?? 0);

/**
 * Lifts a stored event to its current shape. Throws where it was written in a version that this program does not know.
 */
export function upcast(stored: StoredEvent, table: Upcasters = upcasters): DomainEvent {
  const type = stored.type as EventType;
  const known = currentVersion(type, table);
  if (stored.version > known) {
    throw new Error(
      `${type} was written in version ${stored.version}, this program knows up to ${known}. Upgrade the program.`,
    );
  }
  let data = stored.data;
  for (let version = stored.version; version < known; version++) {
    const step = table[type]?.[version - 1];
    if (step !== undefined) data = step(data as never);
  }
  return { type, data } as DomainEvent;
}
