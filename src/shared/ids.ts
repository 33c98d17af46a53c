import { randomUUID } from "node:crypto";
import { domainToASCII, domainToUnicode } from "node:url";
import { trimmed } from "./texts.js";

declare const brand: unique symbol;
type Branded<Base, Name extends string> = Base & { readonly [brand]: Name };

/** Slug that clients use for a datasource; it can be deleted and registered again (spec: Naming rules). */
export type DatasourceName = Branded<string, "DatasourceName">;

/**
 * One registration of a datasource name. A name that is deleted and used again gets a new id, so nothing old leaks into
 * it.
 */
export type DatasourceId = Branded<string, "DatasourceId">;

/** Client-chosen id of a document, unique within its datasource (spec: Document). */
export type DocumentId = Branded<string, "DocumentId">;

/** Our own id of a group; names change, ids do not. */
export type GroupId = Branded<string, "GroupId">;

/** Trimmed, lower-cased email (spec: Visibility rules, 5). Made by {@link toEmail} only. */
export type Email = Branded<string, "Email">;

/** Id of a service account or a personal key: the public part of the credential. */
export type CredentialId = Branded<string, "CredentialId">;

/** Our own id of a sync run. */
export type SyncRunId = Branded<string, "SyncRunId">;

/** Our own id of an uploaded file, as clients know it: `file_…`. */
export type FileId = Branded<string, "FileId">;

/** Our own id of an agent. */
export type AgentId = Branded<string, "AgentId">;

/** Our own id of what the service answered to one request that let it search. */
export type AnswerId = Branded<string, "AnswerId">;

/** A minted principal token: 11 base62 characters. Made by `principalTokens.ts` only. */
export type PrincipalToken = Branded<string, "PrincipalToken">;

export const toDatasourceName = (value: string): DatasourceName => value as DatasourceName;

export const toDocumentId = (value: string): DocumentId => value as DocumentId;

export const toDatasourceId = (value: string): DatasourceId => value as DatasourceId;

export const toGroupId = (value: string): GroupId => value as GroupId;

export const toSyncRunId = (value: string): SyncRunId => value as SyncRunId;

export const toFileId = (value: string): FileId => value as FileId;

export const toAgentId = (value: string): AgentId => value as AgentId;

export const toAnswerId = (value: string): AnswerId => value as AnswerId;

export const toCredentialId = (value: string): CredentialId => value as CredentialId;

/** But for the byte order mark, which counts as white space. */
const invisible = /(?!\u{feff})\p{Default_Ignorable_Code_Point}/gu;

/**
 * One way of writing of all that look alike or mean the same: NFKC, without characters that nobody sees. Case stays.
 * Folding what is folded changes nothing.
 */
const folded = (value: string): string => value.normalize("NFKC").replace(invisible, "").normalize("NFKC");

/**
 * Normalizes a login email: trimmed and lower-cased (spec: User), and folded, so that two ways of writing one email are
 * one. What holds nothing that is seen becomes empty; callers reject it.
 */
export const toEmail = (value: string): Email =>
  withReadableDomain(trimmed(folded(folded(value).toLowerCase()))) as Email;

const mayBeInternational = /xn--|[^\0-\x7f]/;

/** An international domain in the letters that people read: `xn--dmin-moa0i.com` is `dömäin.com`. */
function withReadableDomain(email: string): string {
  const at = email.lastIndexOf("@") + 1;
  const domain = email.slice(at);
  if (at === 0 || !mayBeInternational.test(domain)) return email;
  return email.slice(0, at) + (domainToUnicode(domainToASCII(domain)) || domain);
}

/** Whether a text has the form of an address: no white space, and an `@` with something on either side. */
export const isAddress = (email: string): boolean => /^\S[^\s@]*@\S+$/.test(email);

/** Whether it is an address and nothing else: no name beside it, no scheme before it, no second one behind it. */
export const isSingleAddress = (email: string): boolean =>
  /^[^\s\p{Cc}@<>()[\],;:"\\]+@[^\s\p{Cc}@<>()[\],;:"\\]+$/u.test(email);

/** An email that was normalized when it was written down. */
export const toStoredEmail = (value: string): Email => value as Email;

/** The name of a group as it is stored and compared: folded like emails, in its case. May become empty. */
export const toGroupName = (value: string): string => folded(value);

/** Mints a new random id for an incarnation of a datasource or for a group: short, no separator characters. */
export const newId = (): string => randomUUID().replaceAll("-", "").slice(0, 20);

export const newDatasourceId = (): DatasourceId => newId() as DatasourceId;

export const newGroupId = (): GroupId => newId() as GroupId;

export const newSyncRunId = (): SyncRunId => newId() as SyncRunId;

export const newFileId = (): FileId => `file_${newId()}` as FileId;

export const newAgentId = (): AgentId => newId() as AgentId;

export const newAnswerId = (): AnswerId => newId() as AnswerId;

/** The id that search returns and metadata accepts: `{datasource}__{document_id}` (a slug never holds `__`). */
export const toSearchId = (datasource: string, documentId: string): string => `${datasource}__${documentId}`;

/** Splits a search id at its first `__`; null where it is not one. */
export function parseSearchId(value: string): { datasource: DatasourceName; documentId: DocumentId } | null {
  const at = value.indexOf("__");
  if (at <= 0 || at + 2 >= value.length) return null;
  return { datasource: toDatasourceName(value.slice(0, at)), documentId: toDocumentId(value.slice(at + 2)) };
}
