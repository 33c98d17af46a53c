import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { toCredentialId, type CredentialId, type DatasourceId, type DatasourceName } from "./ids.js";

export type CredentialKind = "serviceAccount" | "apiKey" | "session";

/**
 * What somebody may do besides searching: say who may do what, make service accounts together with that, ask about the
 * past, or look after the service.
 */
export const roles = ["administrator", "developer", "auditor", "operator"] as const;

export type Role = (typeof roles)[number];

/** What a personal key may be made for: no key can make keys or give roles. */
export const keyRoles = ["auditor", "operator"] as const satisfies readonly Role[];

export type KeyRole = (typeof keyRoles)[number];

/** A credential, taken apart. */
export interface Credential {
  readonly kind: CredentialKind;
  /** Public: names the credential in lists, events and logs. */
  readonly id: CredentialId;
  /** Known to its holder alone; only {@link hashSecret} of it is ever stored. */
  readonly secret: string;
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The largest multiple of 62 that fits a byte: bytes above it would favour some characters. */
const fairBytes = 248;

/** 71 bits: no two credentials will ever share an id. */
const idLength = 12;

/** 256 bits. */
const secretLength = 43;

const marks: Readonly<Record<CredentialKind, string>> = {
  serviceAccount: "sa",
  apiKey: "key",
  session: "session",
};

const kinds = Object.keys(marks) as readonly CredentialKind[];
const prefixOf = (kind: CredentialKind, productName: string): string => `${productName}_${marks[kind]}_`;

/** Mints a credential from the operating system's randomness. */
export const mintCredential = (kind: CredentialKind): Credential => ({
  kind,
  id: toCredentialId(randomBase62(idLength)),
  secret: randomBase62(secretLength),
});

/** Mints the secret of a link that is good for one password. */
export const mintLinkSecret = (): string => randomBase62(secretLength);

/** Proves to a process that its starter is asking: never stored, and worth nothing elsewhere. */
export const mintOperatorCredential = (): string => `operator_${randomBase62(secretLength)}`;

/**
 * The text that a person is shown once: `<product>_sa_<id>_<secret>` for a service account, `_key_` for a personal key,
 * and `_session_` for what a browser holds in its cookie.
 */
export const formatCredential = ({ kind, id, secret }: Credential, productName: string): string =>
  `${prefixOf(kind, productName)}${id}_${secret}`;

/** Hex SHA-256 of a secret: what is stored and compared. Secrets are random, so no salt and no slow hash are needed. */
export const hashSecret = (secret: string): string => hash("sha256", secret);

/** Whether two secrets are one, whatever was sent. Takes the same time wherever they differ. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hashSecret(one)), Buffer.from(hashSecret(other)));

/** Takes the text of a credential apart; null where it is not one of this product's. It proves nothing by itself. */
export function parseCredential(text: string, productName: string): Credential | null {
  for (const kind of kinds) {
    const prefix = prefixOf(kind, productName);
    const [, id, secret] = text.startsWith(prefix)
      ? (/^([0-9A-Za-z]{1,64})_([0-9A-Za-z]{1,128})$/.exec(text.slice(prefix.length)) ?? [])
      : [];
    if (id !== undefined && secret !== undefined) return { kind, id: toCredentialId(id), secret };
  }
  return null;
}

function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < fairBytes && text.length < length) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}

/** One of the datasources that a service account is limited to. */
export interface DatasourceLimit {
  readonly name: DatasourceName;
  /**
   * The incarnation that it opens, and no later one of this name. null: none of the name was there yet; the account's
   * first request after there is one binds it.
   */
  readonly datasourceId: DatasourceId | null;
}

/** The limits of an account; null: none. */
export type DatasourceLimits = readonly DatasourceLimit[] | null;

/** Whether the limits open this incarnation of a name. `undefined`: it is not known yet which one is meant. */
export const opens = (limits: DatasourceLimits, name: DatasourceName, datasourceId?: DatasourceId | null): boolean =>
  limits === null || limits.some((limit) => limit.name === name && isOf(limit.datasourceId, datasourceId));

/** A limit that is bound opens no name that nobody bears: the next who registers it begins another incarnation. */
const isOf = (bound: DatasourceId | null, found: DatasourceId | null | undefined): boolean =>
  found === undefined || bound === null || bound === found;

/** Limits that name a datasource alone, as accounts and rows had them before incarnations counted. */
export const limitsByName = (stored: readonly (DatasourceName | DatasourceLimit)[]): readonly DatasourceLimit[] =>
  stored.map((limit) => (typeof limit === "string" ? { name: limit, datasourceId: null } : limit));
