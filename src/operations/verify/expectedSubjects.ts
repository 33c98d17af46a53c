import type { HeldGroup, HeldPage } from "../../../queries/ports.js";
import type { Datasource } from "../../events/datasource.js";
import type { AccountRecord, CredentialRecord, SessionRecord } from "../../readModels/credentials.js";
import type { DocumentDetails } from "../../readModels/search.js";
import type {
  CredentialId,
  DatasourceId,
  DatasourceName,
  DocumentId,
  Email,
  PrincipalToken,
} from "../../shared/ids.js";
import type { LogShare } from "./sampling.js";

/** A document as the log says that it is served. */
export interface ExpectedDocument {
  readonly datasourceId: DatasourceId;
  readonly details: DocumentDetails;
  /** Hex SHA-256 of the text. */
  readonly text: string;
  /** The access list. */
  readonly tokens: readonly PrincipalToken[];
}

/** What a person holds on one datasource. */
export interface ExpectedHolding {
  readonly datasourceId: DatasourceId;
  readonly tokens: readonly PrincipalToken[];
}

/**
 * The live incarnations that a subject may be served from; for a document whose datasource is gone, all that ever had
 * the name.
 */
type Incarnations = readonly DatasourceId[];

/** Something that the log has named, or that is held, and what the log says that is served of it; null: nothing. */
export type ExpectedSubject =
  | {
      readonly kind: "document";
      readonly datasource: DatasourceName;
      readonly documentId: DocumentId;
      readonly incarnations: Incarnations;
      readonly expected: ExpectedDocument | null;
    }
  | {
      readonly kind: "person";
      readonly email: Email;
      readonly incarnations: Incarnations;
      readonly expected: readonly ExpectedHolding[];
    }
  | {
      readonly kind: "group";
      /** What the datasource is called, or its id where the log does not name it. */
      readonly datasource: string;
      readonly incarnations: Incarnations;
      /** The group as it is served. */
      readonly held: HeldGroup;
      /** The tokens of the group and of all above it. */
      readonly expected: readonly PrincipalToken[] | null;
    }
  | {
      readonly kind: "datasource";
      readonly name: DatasourceName;
      readonly incarnations: Incarnations;
      readonly expected: Datasource | null;
    }
  | ExpectedCredential;

/** What proves who somebody is, or says what a session is worth. */
type ExpectedCredential =
  | {
      readonly kind: "credential";
      /** A service account or a personal key. */
      readonly of: "key";
      readonly id: CredentialId;
      readonly expected: CredentialRecord | null;
    }
  | {
      readonly kind: "credential";
      readonly of: "account";
      readonly id: Email;
      readonly expected: AccountRecord | null;
    }
  | {
      readonly kind: "credential";
      readonly of: "session";
      readonly id: CredentialId;
      readonly expected: SessionRecord | null;
      /** One that has ended, or has expired by this instant, may be held or not. */
      readonly overBy: string;
    };

export type SubjectKind = ExpectedSubject["kind"];

/**
 * Names a subject among all of its kind: `{datasource}/{id}`, an email, `{group} on {datasource}`, a datasource's name,
 * a credential's id, `account {email}`, `session {id}`.
 */
export function keyOf(subject: ExpectedSubject): string {
  switch (subject.kind) {
    case "document":
      return documentKey(subject.datasource, subject.documentId);
    case "person":
      return subject.email;
    case "group":
      return `${subject.held.name || subject.held.groupId} on ${subject.datasource}`;
    case "datasource":
      return subject.name;
    case "credential":
      return subject.of === "key" ? subject.id : `${subject.of} ${subject.id}`;
  }
}

export const documentKey = (datasource: DatasourceName, documentId: DocumentId): string =>
  `${datasource}/${documentId}`;

/** Which subjects of a kind are looked at. */
export interface SubjectChoice {
  readonly part: number;
  readonly seed: string;
  /** Further: only these; null: all. */
  readonly only: ReadonlySet<string> | null;
}

/** Page after page of what a read model holds. */
export async function* pagesOf<Item>(
  page: (after: string | null) => Promise<HeldPage<Item>>,
): AsyncGenerator<readonly Item[]> {
  for (let after: string | null = null; ;) {
    const { items, next }: HeldPage<Item> = await page(after);
    yield items;
    if (next === null) return;
    after = next;
  }
}

/** Tells what belongs to a share, was chosen, and was never named by the log. */
export const unnamedIn =
  (share: Pick<LogShare<unknown>, "covers" | "values">, { only }: SubjectChoice) =>
  (key: string): boolean =>
    share.covers(key) && !share.values.has(key) && (only === null || only.has(key));
