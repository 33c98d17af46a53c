import { createValidate, json } from "typia";
import type { CredentialRecord } from "../../readModels/credentials.js";
import type { KeyRole } from "../../shared/credential.js";
import { toCredentialId, toEmail, type Email } from "../../shared/ids.js";
import { whatIsLacking } from "../../http/access.js";
import { credentialOf, personOf, type ApiContext } from "../../http/apiContext.js";
import { jsonBody } from "../../http/body/jsonBody.js";
import { writtenBy } from "../../http/commandRoute.js";
import { refusal, toRefusal } from "../../http/envelopes.js";
import { requireRoles } from "../../http/authentication.js";
import { isOperatorOfThisProcess } from "../../http/operatorCredential.js";
import { RefusedRequest } from "../../http/refusedRequest.js";
import { route } from "../../http/route.js";
import {
  type RevokedAnswer,
  credentialsOf,
  idInPath,
  instantOf,
  listed,
  listedExample,
  noSuchCredential,
  revoked,
  expiryIssues,
  type ExpiryText,
  type ListedCredential,
} from "./credentialTimes.js";
import type { Language } from "../../shared/texts.js";
import { answerMessage, bodyMessage } from "../../http/validation/message.js";
import type { EmailText } from "../../http/messages/names.js";
import { ok } from "../../shared/result.js";
import { queryOf, flag } from "../../http/validation/parameters.js";

/** The parameters of `GET /api/admin/api-keys`. */
const apiKeysQuery = queryOf({ all: flag("true lists everybody's, for administrators.") }, ok);

interface ListedApiKey extends ListedCredential {
  id: string;
  email: string | null;
  roles: KeyRole[];
  /** null: none was given. */
  language: Language | null;
}

/** Answer of `GET /api/admin/api-keys`: oldest first, revoked and expired ones too. */
interface ApiKeysAnswer {
  api_keys: ListedApiKey[];
}

const apiKeysAnswer = answerMessage(json.schema<ApiKeysAnswer>());

/** Body of `POST /api/admin/api-keys`. */
interface CreateApiKeyMessage {
  /** The login email of the person who searches with it. Default: one's own. */
  email?: EmailText | null;
  /** What it may do besides searching. Default: nothing. */
  roles?: KeyRole[] | null;
  /**
   * What the person reads: of equal matches documents in it come first, where a search names no language. Default: the
   * query's own.
   */
  language?: Language | null;
  /** When it stops working. Default: never. */
  expires_at?: ExpiryText | null;
}

const createApiKeyMessage = bodyMessage(
  json.schema<CreateApiKeyMessage>(),
  createValidate<CreateApiKeyMessage>(),
  ({ expires_at: expiry }) => expiryIssues(expiry),
);

/** Answer of `POST /api/admin/api-keys`. */
export interface CreatedApiKeyAnswer {
  id: string;
  email: string;
  roles: KeyRole[];
  /** null: the query's own. */
  language: Language | null;
  /** null: never. */
  expires_at: string | null;
  /** Shown this once, and stored nowhere. */
  key: string;
}

const createdApiKeyAnswer = answerMessage(json.schema<CreatedApiKeyAnswer>());

const tag = "Credentials";
const access = "session";
const key = { id: "8c31d0aa", email: "ada@example.org", roles: ["auditor" as const], language: "de" as const };

const listApiKeys = route({
  method: "GET",
  path: "/api/admin/api-keys",
  access,
  isConsistent: true,
  query: apiKeysQuery,
  async handle(context, { query: { all } }) {
    const showsAll = all || isOperatorOfThisProcess(context);
    if (all) requireRoles(context, ["administrator"], "Listing everybody's keys");
    const keys = await credentialsOf("apiKey", context);
    context.body = {
      api_keys: keys.filter((record) => showsAll || record.email === personOf(context)).map(toListed),
    } satisfies ApiKeysAnswer;
  },
  description: {
    tag,
    summary: "List personal keys",
    doing: "Listing personal keys",
    success: {
      description:
        "One's own, oldest first; revoked and expired ones too. Everybody's with `all=true`, for administrators. A use is noted about a minute later, and at most once an hour.",
      schema: apiKeysAnswer,
      example: { api_keys: [{ ...key, language: null, ...listedExample }] } satisfies ApiKeysAnswer,
    },
    failures: { 403: "`all` is for administrators." },
  },
});

const toListed = (record: CredentialRecord): ApiKeysAnswer["api_keys"][number] => ({
  id: record.id,
  email: record.email,
  roles: record.roles as KeyRole[],
  language: record.language ?? null,
  ...listed(record),
});

const createApiKey = route({
  method: "POST",
  path: "/api/admin/api-keys",
  access,
  body: jsonBody(createApiKeyMessage),
  async handle(context, { body: { email: given, roles: asked, language = null, expires_at: expiry } }) {
    const email = given === undefined || given === null ? ownEmail(context) : toEmail(given);
    const roles = [...new Set(asked ?? [])].sort();
    mayCreate(context, email, roles);
    const wanted = { email, roles, language, expiresAt: instantOf(expiry) };
    const { id, credential } = await writtenBy(context, (commands, by) => commands.createApiKey(wanted, by));
    context.body = {
      ...{ id, email, roles, language },
      expires_at: wanted.expiresAt,
      key: credential,
    } satisfies CreatedApiKeyAnswer;
  },
  description: {
    tag,
    summary: "Create a personal key",
    doing: "Creating personal keys",
    description:
      "Whoever sends it searches as that person. It is shown once, and stored nowhere. One's own carries roles that one has; those of others are for administrators to create.",
    example: { email: key.email, roles: key.roles, language: key.language },
    success: {
      description: "Created.",
      schema: createdApiKeyAnswer,
      example: { ...key, expires_at: null, key: "…_key_8c31d0aa_…" } satisfies CreatedApiKeyAnswer,
      carriesToken: true,
    },
    failures: { 400: "The email is empty.", 403: "It is for somebody else, or for a role that one has not." },
  },
});

/** The operator of this process has none. */
function ownEmail(context: ApiContext): Email {
  if (isOperatorOfThisProcess(context)) throw new RefusedRequest(toRefusal({ type: "EmailEmpty" }));
  return personOf(context);
}

/** A person's key does no more than the person may; an administrator says what others may anyway. */
function mayCreate(context: ApiContext, email: Email, roles: readonly KeyRole[]): void {
  if (isOperatorOfThisProcess(context)) return;
  if (email !== personOf(context)) {
    requireRoles(context, ["administrator"], "Creating keys for others");
    return;
  }
  const doing = `Creating keys for ${roles.length === 1 ? "this role" : "these roles"}`;
  const lacking = whatIsLacking(credentialOf(context), { roles, isForKeys: false }, doing);
  if (lacking !== null) throw new RefusedRequest(refusal(403, lacking));
}

const revokeApiKey = route({
  method: "DELETE",
  path: "/api/admin/api-keys/{id}",
  access,
  params: [idInPath],
  async handle(context, { params }) {
    const id = toCredentialId(params.id);
    await requireOwn(context, params.id);
    await writtenBy(context, (commands, by) => commands.revokeApiKey({ id }, by));
    context.body = { id, revoked: true } satisfies RevokedAnswer;
  },
  description: {
    tag,
    summary: "Revoke a personal key",
    doing: "Revoking personal keys",
    description: "One's own; those of others are for administrators.",
    success: { ...revoked, carriesToken: true },
    failures: noSuchCredential,
  },
});

/** Whether somebody else has a key with this id is nobody's business but an administrator's. */
async function requireOwn(context: ApiContext, id: string): Promise<void> {
  if (isOperatorOfThisProcess(context) || credentialOf(context).roles.includes("administrator")) return;
  const keys = await credentialsOf("apiKey", context);
  if (keys.some((record) => record.id === id && record.email === personOf(context))) return;
  throw new RefusedRequest(toRefusal({ type: "CredentialNotFound", id }));
}

/** Keys with which people's programs ask. */
export const apiKeyRoutes = [listApiKeys, createApiKey, revokeApiKey];
