import type { CredentialRecord } from "../../readModels/credentials.js";
import type { DatasourceLimit } from "../../shared/datasourceLimit.js";
import { toCredentialId, toDatasourceName, toEmail } from "../../shared/ids.js";
import { epochMilliseconds } from "../../shared/instant.js";
import type { ApiContext } from "../../http/apiContext.js";
import { jsonBody } from "../../http/body/jsonBody.js";
import { commandRoute } from "../../http/commandRoute.js";
import { valueOf } from "../../http/envelopes.js";
import { route } from "../../http/route.js";
import { unchecked } from "../../http/routes/descriptions.js";
import { type ApiKeysAnswer, apiKeysAnswer } from "../messages/apiKeysAnswer.js";
import { type CreatedApiKeyAnswer, createApiKeyMessage, createdApiKeyAnswer } from "../messages/createApiKey.js";
import {
  type CreatedServiceAccountAnswer,
  createServiceAccountMessage,
  createdServiceAccountAnswer,
} from "../messages/createServiceAccount.js";
import { type RevokedAnswer, revokedAnswer } from "../messages/revokedAnswer.js";
import { type ServiceAccountsAnswer, serviceAccountsAnswer } from "../messages/serviceAccountsAnswer.js";

async function credentialsOf(
  kind: CredentialRecord["kind"],
  context: ApiContext,
): Promise<readonly CredentialRecord[]> {
  return valueOf(await context.services.queries.listCredentials({ kind, atLeast: context.state.atLeast }));
}

const instantOf = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : new Date(epochMilliseconds(text) ?? Number.NaN).toISOString();

function timesOf({ createdAt, expiresAt, revokedAt }: CredentialRecord): {
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  state: "active" | "expired" | "revoked";
} {
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const state = revokedAt !== null ? "revoked" : isOver ? "expired" : "active";
  return { created_at: createdAt, expires_at: expiresAt, revoked_at: revokedAt, state };
}

const tag = "Credentials";
const access = "operatorOfThisProcess";
const notForKeys =
  "Takes the command line's own credential of the process that it has started, and no key: a key that could make keys could make itself an auditor's. Any other is 403.";
const params = [unchecked("id", "Id of a credential, as the list tells it.", {})];
const noSuch = { 404: "There is no credential with this id." };
const times = {
  created_at: "2026-01-12T09:00:00.000Z",
  expires_at: null,
  revoked_at: null,
  state: "active",
} as const;
const account = { id: "pDrRIAPnr1V9", name: "wiki-sync", datasources: ["handbook"] };
const key = { id: "8c31d0aa", email: "ada@example.org", roles: ["auditor" as const] };
const revoked = {
  description: "It is worthless, for good. Repeating it is no error.",
  schema: revokedAnswer,
  example: { id: account.id, revoked: true } satisfies RevokedAnswer,
};

const listServiceAccounts = route({
  method: "GET",
  path: "/api/admin/service-accounts",
  access,
  isConsistent: true,
  async handle(context) {
    const { atLeast } = context.state;
    const known = valueOf(await context.services.queries.listDatasources({ atLeast }));
    const isGone = ({ name, datasourceId }: DatasourceLimit): boolean =>
      datasourceId !== null && known.find((datasource) => datasource.name === name)?.datasourceId !== datasourceId;
    const accounts = (await credentialsOf("serviceAccount", context)).map((record) => {
      const { id, name, datasources: limits } = record;
      const namesOf = (of: readonly DatasourceLimit[]): string[] => of.map((limit) => limit.name);
      const gone = limits === null ? [] : namesOf(limits.filter(isGone));
      const datasources = limits === null ? null : namesOf(limits);
      return { id, name, datasources, datasources_gone: gone, ...timesOf(record) };
    });
    context.body = { service_accounts: accounts } satisfies ServiceAccountsAnswer;
  },
  description: {
    tag,
    summary: "List service accounts",
    description: notForKeys,
    success: {
      description:
        "Every service account, oldest first; revoked and expired ones too. A limit opens one registration of a datasource: once that was deleted, it is in `datasources_gone`, whoever has the name now.",
      schema: serviceAccountsAnswer,
      example: {
        service_accounts: [{ ...account, datasources: null, datasources_gone: [], ...times }],
      } satisfies ServiceAccountsAnswer,
    },
  },
});

const createServiceAccount = commandRoute({
  method: "POST",
  path: "/api/admin/service-accounts",
  access,
  body: jsonBody(createServiceAccountMessage),
  toCommand: ({ body: { name, datasources, expires_at: expiry } }) => ({
    name,
    datasources: datasources?.map(toDatasourceName) ?? null,
    expiresAt: instantOf(expiry),
  }),
  run: (command, context, commands) => commands.createServiceAccount(command, context),
  toAnswer: ({ id, credential }, { name, datasources, expiresAt }): CreatedServiceAccountAnswer => ({
    id,
    name,
    datasources,
    expires_at: expiresAt,
    token: credential,
  }),
  description: {
    tag,
    summary: "Create a service account",
    description: `Its token is shown once, and stored nowhere. It is limited to the datasources that have these names now, and not to others that are registered under them later; a name that none has yet is for the one that the account finds first. ${notForKeys}`,
    example: { name: account.name, datasources: account.datasources },
    success: {
      description: "Created.",
      schema: createdServiceAccountAnswer,
      example: { ...account, expires_at: null, token: "…_sa_pDrRIAPnr1V9_…" } satisfies CreatedServiceAccountAnswer,
    },
  },
});

const revokeServiceAccount = commandRoute({
  method: "DELETE",
  path: "/api/admin/service-accounts/{id}",
  access,
  params,
  toCommand: ({ params: { id } }) => ({ id: toCredentialId(id) }),
  run: (command, context, commands) => commands.revokeServiceAccount(command, context),
  toAnswer: (_value, { id }): RevokedAnswer => ({ id, revoked: true }),
  description: {
    tag,
    summary: "Revoke a service account",
    description: notForKeys,
    success: revoked,
    failures: noSuch,
  },
});

const listApiKeys = route({
  method: "GET",
  path: "/api/admin/api-keys",
  access,
  isConsistent: true,
  async handle(context) {
    const keys = (await credentialsOf("apiKey", context)).map((record) => {
      return { id: record.id, email: record.email, roles: [...record.roles], ...timesOf(record) };
    });
    context.body = { api_keys: keys } satisfies ApiKeysAnswer;
  },
  description: {
    tag,
    summary: "List personal keys",
    description: notForKeys,
    success: {
      description: "Every personal key, oldest first; revoked and expired ones too.",
      schema: apiKeysAnswer,
      example: { api_keys: [{ ...key, ...times }] } satisfies ApiKeysAnswer,
    },
  },
});

const createApiKey = commandRoute({
  method: "POST",
  path: "/api/admin/api-keys",
  access,
  body: jsonBody(createApiKeyMessage),
  toCommand: ({ body: { email, roles, expires_at: expiry } }) => ({
    email: toEmail(email),
    roles: [...new Set(roles ?? [])].sort(),
    expiresAt: instantOf(expiry),
  }),
  run: (command, context, commands) => commands.createApiKey(command, context),
  toAnswer: ({ id, credential }, { email, roles, expiresAt }): CreatedApiKeyAnswer => ({
    id,
    email,
    roles,
    expires_at: expiresAt,
    key: credential,
  }),
  description: {
    tag,
    summary: "Create a personal key",
    description: `Whoever sends it searches as that person. It is shown once, and stored nowhere. ${notForKeys}`,
    example: { email: key.email, roles: key.roles },
    success: {
      description: "Created.",
      schema: createdApiKeyAnswer,
      example: { ...key, expires_at: null, key: "…_key_8c31d0aa_…" } satisfies CreatedApiKeyAnswer,
    },
    failures: { 400: "The email is empty." },
  },
});

const revokeApiKey = commandRoute({
  method: "DELETE",
  path: "/api/admin/api-keys/{id}",
  access,
  params,
  toCommand: ({ params: { id } }) => ({ id: toCredentialId(id) }),
  run: (command, context, commands) => commands.revokeApiKey(command, context),
  toAnswer: (_value, { id }): RevokedAnswer => ({ id, revoked: true }),
  description: {
    tag,
    summary: "Revoke a personal key",
    description: notForKeys,
    success: revoked,
    failures: noSuch,
  },
});

/** Service accounts and personal keys. */
export const credentialRoutes = [
  listServiceAccounts,
  createServiceAccount,
  revokeServiceAccount,
  listApiKeys,
  createApiKey,
  revokeApiKey,
];
