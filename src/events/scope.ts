import { match } from "ts-pattern";
import {
  toDatasourceId,
  toDatasourceName,
  toDocumentId,
  toStoredEmail,
  type DatasourceId,
  type DatasourceName,
  type DocumentId,
  type Email,
} from "../shared/ids.js";
import { isStreamName, type StreamName, userStream } from "./streams.js";
import type { RecordedEvent } from "./domainEvent.js";

/**
 * A part of a read model that fails closed, and is made afresh from the log, as a whole. Which scopes there are is up
 * to the projection.
 */
export type Scope =
  | { readonly kind: "stream"; readonly stream: StreamName }
  /** One incarnation of a datasource, with everything in it. */
  | { readonly kind: "datasource"; readonly datasourceId: DatasourceId }
  | { readonly kind: "all datasources" }
  /** When incarnations of this name began and ended. */
  | { readonly kind: "registrations"; readonly name: DatasourceName }
  /** The names and nestings of a datasource's groups. */
  | { readonly kind: "groups"; readonly datasourceId: DatasourceId }
  /** One person on one datasource: the registration and the memberships. */
  | { readonly kind: "person"; readonly datasourceId: DatasourceId; readonly email: Email }
  | { readonly kind: "document"; readonly datasourceId: DatasourceId; readonly documentId: DocumentId }
  /** Where events stand in the log, and its clock. */
  | { readonly kind: "events" };

/** The scope as it is stored and shown: `document {datasourceId}:{documentId}`, or a stream's name. */
export const formatScope = (scope: Scope): string =>
  match(scope)
    .with({ kind: "stream" }, ({ stream }) => stream)
    .with({ kind: "datasource" }, { kind: "groups" }, ({ kind, datasourceId }) => `${kind} ${datasourceId}`)
    .with({ kind: "registrations" }, ({ kind, name }) => `${kind} ${name}`)
    .with({ kind: "person" }, ({ kind, datasourceId, email }) => `${kind} ${datasourceId}:${email}`)
    .with({ kind: "document" }, ({ kind, datasourceId, documentId }) => `${kind} ${datasourceId}:${documentId}`)
    .with({ kind: "all datasources" }, { kind: "events" }, ({ kind }) => kind)
    .exhaustive();

/** Reads what {@link formatScope} wrote; null for anything else. */
export function parseScope(text: string): Scope | null {
  if (text === "all datasources" || text === "events") return { kind: text };
  if (isStreamName(text)) return { kind: "stream", stream: text };
  const [, kind = "", id = ""] = /^(\w+) (.*)$/s.exec(text) ?? [];
  if (kind === "datasource" || kind === "groups") return { kind, datasourceId: toDatasourceId(id) };
  return kind === "registrations" ? { kind, name: toDatasourceName(id) } : parseDatasourceScope(kind, id);
}

/** A scope inside one datasource: `{datasource}:{id}`. */
function parseDatasourceScope(kind: string, text: string): Scope | null {
  const [, datasource, id] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (datasource === undefined || id === undefined) return null;
  const datasourceId = toDatasourceId(datasource);
  if (kind === "person") return { kind, datasourceId, email: toStoredEmail(id) };
  return kind === "document" ? { kind, datasourceId, documentId: toDocumentId(id) } : null;
}

/** An event, cut down to what it says of one person. */
interface ToldOfPerson {
  /** The person's own stream. */
  readonly person: StreamName;
  readonly recorded: RecordedEvent;
}

/** What an event of another stream says of people, person by person; empty for every other event. */
export function toldOfPeople(recorded: RecordedEvent): readonly ToldOfPerson[] {
  const { event, unreadable } = recorded;
  if (event.type !== "GroupMembersReplaced" || unreadable !== undefined) return [];
  const { datasourceId, joined, left } = event.data;
  const told = (email: Email, of: "joined" | "left"): ToldOfPerson => ({
    person: userStream(datasourceId, email),
    recorded: { ...recorded, event: { ...event, data: { ...event.data, joined: [], left: [], [of]: [email] } } },
  });
  return [...left.map((email) => told(email, "left")), ...joined.map((email) => told(email, "joined"))];
}
