import type { ObjectDefinition, Sub } from "../../events/datasource.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { datasourceStream } from "../../events/streams.js";
import type { LogReader } from "../ports.js";
import type { Subject } from "./subject.js";

/** What documents of a datasource may refer to at a position. */
export interface Declared {
  /** Keys of top-level subs, and `{key}/{key of the child}`. */
  readonly subs: ReadonlySet<string>;
  readonly properties: ReadonlySet<string>;
}

/** Reads what the datasource declares. */
export async function readDeclared(log: LogReader, { datasource, datasourceId, position }: Subject): Promise<Declared> {
  const events = await log.readStream(datasourceStream(datasource), 0);
  const subs = new Set<string>();
  let properties = new Set<string>();
  for (const { event } of ofIncarnation(events, datasourceId, position)) {
    if (event.type === "DatasourceRegistered") for (const key of keysOf(event.data.subs)) subs.add(key);
    if (event.type === "SubAdded") subs.add(keyOf(event.data));
    if (event.type === "SubRemoved") removeWithChildren(subs, keyOf(event.data));
    if (event.type === "DatasourceRegistered" || event.type === "DatasourceUpdated")
      properties = event.data.objectDefinitions === undefined ? properties : namesOf(event.data.objectDefinitions);
  }
  return { subs, properties };
}

function removeWithChildren(subs: Set<string>, removed: string): void {
  for (const key of subs) if (key === removed || key.startsWith(`${removed}/`)) subs.delete(key);
}

const ofIncarnation = (
  events: readonly RecordedEvent[],
  datasourceId: Subject["datasourceId"],
  upTo: Subject["position"],
): readonly RecordedEvent[] =>
  events.filter(
    ({ event, position }) =>
      position <= upTo && "datasourceId" in event.data && event.data.datasourceId === datasourceId,
  );

const keyOf = ({ key, parentKey }: { readonly key: string; readonly parentKey: string | null }): string =>
  parentKey === null ? key : `${parentKey}/${key}`;
const keysOf = (subs: readonly Sub[]): readonly string[] =>
  subs.flatMap(({ key, subs: children }) => [key, ...children.map((child) => `${key}/${child.key}`)]);
const namesOf = (definitions: readonly ObjectDefinition[]): Set<string> =>
  new Set(definitions.flatMap(({ propertyDefinitions }) => propertyDefinitions.map(({ name }) => name)));
