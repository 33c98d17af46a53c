import { json } from "typia";
import type { CredentialRecord } from "../../readModels/credentials.js";
import { epochMilliseconds } from "../../shared/instant.js";
import type { ApiContext } from "../../http/apiContext.js";
import { valueOf } from "../../http/envelopes.js";
import { unchecked } from "../../http/pathParameters.js";
import { echo, valueError, type Issue } from "../../http/validation/issue.js";
import type { MaxCharacters } from "../../http/validation/characters.js";
import { answerMessage } from "../../http/validation/message.js";

/** Answer of the routes that revoke a credential. */
export interface RevokedAnswer {
  id: string;
  revoked: true;
}

const revokedAnswer = answerMessage(json.schema<RevokedAnswer>());

/** Every credential of the kind, oldest first. */
export async function credentialsOf(
  kind: CredentialRecord["kind"],
  context: ApiContext,
): Promise<readonly CredentialRecord[]> {
  return valueOf(await context.services.queries.listCredentials({ kind, atLeast: context.state.atLeast }));
}

/** A time that was checked, as it is kept; null: never. */
export const instantOf = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : new Date(epochMilliseconds(text) ?? Number.NaN).toISOString();

/** What lists tell of a credential of either kind. */
export function listed({ createdAt, createdBy, expiresAt, lastUsedAt, revokedAt }: CredentialRecord): ListedCredential {
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const state = revokedAt !== null ? "revoked" : isOver ? "expired" : "active";
  return {
    created_at: createdAt,
    created_by: createdBy,
    expires_at: expiresAt,
    last_used_at: lastUsedAt,
    revoked_at: revokedAt,
    state,
  };
}

/** For descriptions. */
export const listedExample = {
  created_at: "2026-01-12T09:00:00.000Z",
  created_by: "ada@example.org",
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  state: "active",
} as const satisfies ListedCredential;

export const idInPath = unchecked("id", "Id of a credential, as the list tells it.", {});
export const noSuchCredential = { 404: "There is no credential with this id." };

/** What routes that revoke a credential answer with. */
export const revoked = {
  description: "It is worthless, for good. Repeating it is no error.",
  schema: revokedAnswer,
  example: { id: "pDrRIAPnr1V9", revoked: true } satisfies RevokedAnswer,
};

/** An ISO 8601 time in the future. */
export type ExpiryText = string & MaxCharacters<64>;

/** What is wrong with it. */
export function expiryIssues(expiry: string | null | undefined): readonly Issue[] {
  if (expiry === undefined || expiry === null) return [];
  const time = epochMilliseconds(expiry);
  const loc = ["body", "expires_at"];
  if (time === null) return [{ ...valueError(loc, "it must be an ISO 8601 time"), ...echo(expiry) }];
  return time > Date.now() ? [] : [{ ...valueError(loc, "it must lie in the future"), ...echo(expiry) }];
}

/** What lists tell of a credential of either kind, besides what only one kind has. */
export interface ListedCredential {
  created_at: string;
  /** The email of the person who did so in the dashboard; `operator`: on the command line. */
  created_by: string;
  expires_at: string | null;
  /** null: no use was noted. */
  last_used_at: string | null;
  revoked_at: string | null;
  state: "active" | "expired" | "revoked";
}
