import { roles } from "../../../shared/credential.js";
import type { CredentialId, Email } from "../../../shared/ids.js";

/** What is kept of an account besides how it began, each in a field of its own; a role that is held is one. */
export const accountFields = [...roles, "disabledAt", "hasPassword", "sessionsEnded"] as const;
export type AccountField = (typeof accountFields)[number];

/** The field of a hash that holds this of an account. No name of a field has a space. */
export const accountField = (field: AccountField, email: Email): string => `${field} ${email}`;

/** What is kept of a session besides how it began. */
export const sessionFields = ["usedAt", "endedAt"] as const;

export const sessionField = (field: (typeof sessionFields)[number], id: CredentialId): string => `${field} ${id}`;
