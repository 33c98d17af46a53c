import type { DatasourceId, DatasourceName, DocumentId, Email, GroupId } from "../../../shared/ids.js";

/** Something whose past the permission history knows, in one registration of a datasource. */
export type HistorySubject =
  | { readonly kind: "document"; readonly datasourceId: DatasourceId; readonly documentId: DocumentId }
  | { readonly kind: "person"; readonly datasourceId: DatasourceId; readonly email: Email }
  | { readonly kind: "group"; readonly datasourceId: DatasourceId; readonly groupId: GroupId }
  /** All registrations of a name. */
  | { readonly kind: "datasource"; readonly name: DatasourceName }
  | { readonly kind: "event"; readonly position: number };

export type HistorySubjectKind = HistorySubject["kind"];

/** A text that identifies a subject. */
export function historyKey(subject: HistorySubject): string {
  switch (subject.kind) {
    case "document":
      return `document ${subject.datasourceId}:${subject.documentId}`;
    case "person":
      return `person ${subject.datasourceId}:${subject.email}`;
    case "group":
      return `group ${subject.datasourceId}:${subject.groupId}`;
    case "datasource":
      return `datasource ${subject.name}`;
    case "event":
      return `event ${subject.position}`;
  }
}

/** The subject that {@link historyKey} has named: documents, people and groups. */
export function subjectNamed(key: string): HistorySubject {
  const [space, colon] = [key.indexOf(" "), key.indexOf(":")];
  const [kind, datasourceId, id] = [
    key.slice(0, space),
    key.slice(space + 1, colon) as DatasourceId,
    key.slice(colon + 1),
  ];
  if (kind === "document") return { kind, datasourceId, documentId: id as DocumentId };
  return kind === "person"
    ? { kind, datasourceId, email: id as Email }
    : { kind: "group", datasourceId, groupId: id as GroupId };
}

/** What is compared of a subject, in words that reports show. */
export const aspects = {
  existence: "existence",
  byDefault: "without permissions of its own",
  registration: "registration",
  registrationOf: (datasourceId: DatasourceId): string => `registration ${datasourceId}`,
  /** `kind` and `name` as in `Principal`. */
  grantTo: (kind: string, name: string): string =>
    `grant to ${kind === "anonymous" ? "everybody registered" : kind === "user" ? name : `the group ${name}`}`,
  memberOf: (groupId: string): string => `${membership}${groupId}`,
  name: (name: string): string => `name ${name}`,
} as const;

export const membership = "membership of group ";
