import type { CredentialRecord } from "../../readModels/credentials.js";
import { toCredentialId, toDatasourceName, toEmail } from "../../shared/ids.js";
import { epochMilliseconds } from "../../shared/instant.js";
import { RefusedRequest, success, type Answer } from "../../http/answer.js";
import type { ApiRequest } from "../../http/apiRequest.js";
import { errorAnswer, valueOf } from "../../http/envelopes.js";
import type { DescribedRoute, ParameterDescription, RouteServices } from "../../http/route.js";
import { consistencyHeader, schemaOf } from "../../http/routes/descriptions.js";
import { settled } from "../../http/settled.js";
import type {
  ApiKeysAnswer,
  CreatedApiKeyAnswer,
  CreatedServiceAccountAnswer,
  RevokedAnswer,
  ServiceAccountsAnswer,
} from "../../validation/messages/credentialMessages.js";
import { checkCreateApiKey, checkCreateServiceAccount } from "../../validation/requestBodies.js";

/** A key that could make keys could make itself an auditor's. */
function requireOperatorOfThisProcess(request: ApiRequest): void {
  if (request.isOperatorOfThisProcess) return;
  throw new RefusedRequest(
    errorAnswer(
      403,
      "Credentials are made, listed and revoked on the command line, on the machine of the data folder; no key may do so.",
    ),
  );
}

async function recordsOf(
  kind: CredentialRecord["kind"],
  request: ApiRequest,
  { queries }: RouteServices,
): Promise<readonly CredentialRecord[]> {
  requireOperatorOfThisProcess(request);
  return valueOf(await queries.listCredentials({ kind, atLeast: request.atLeast }));
}

async function listServiceAccounts(request: ApiRequest, services: RouteServices): Promise<Answer> {
  const records = await recordsOf("serviceAccount", request, services);
  const accounts = records.map((record) => {
    const datasources = record.datasources === null ? null : [...record.datasources];
    return { id: record.id, name: record.name, datasources, ...timesOf(record) };
  });
  return success({ service_accounts: accounts } satisfies ServiceAccountsAnswer);
}

async function createServiceAccount(request: ApiRequest, services: RouteServices): Promise<Answer> {
  requireOperatorOfThisProcess(request);
  const { name, datasources, expires_at: expiry } = await request.body(checkCreateServiceAccount);
  const command = { name, datasources: datasources?.map(toDatasourceName) ?? null, expiresAt: instantOf(expiry) };
  const created = await services.commands.createServiceAccount(command, request.context);
  return settled(created, services, ({ id, credential }): CreatedServiceAccountAnswer => ({
    id,
    name,
    datasources: datasources ?? null,
    expires_at: command.expiresAt,
    token: credential,
  }));
}

async function listApiKeys(request: ApiRequest, services: RouteServices): Promise<Answer> {
  const records = await recordsOf("apiKey", request, services);
  const keys = records.map((record) => {
    return { id: record.id, email: record.email, roles: [...record.roles], ...timesOf(record) };
  });
  return success({ api_keys: keys } satisfies ApiKeysAnswer);
}

async function createApiKey(request: ApiRequest, services: RouteServices): Promise<Answer> {
  requireOperatorOfThisProcess(request);
  const { email, roles, expires_at: expiry } = await request.body(checkCreateApiKey);
  const command = {
    email: toEmail(email),
    roles: [...new Set(roles ?? [])].sort(),
    expiresAt: instantOf(expiry),
  };
  const created = await services.commands.createApiKey(command, request.context);
  return settled(created, services, ({ id, credential }): CreatedApiKeyAnswer => ({
    id,
    email: command.email,
    roles: command.roles,
    expires_at: command.expiresAt,
    key: credential,
  }));
}

const revoking =
  (command: "revokeServiceAccount" | "revokeApiKey") =>
  async (request: ApiRequest, services: RouteServices): Promise<Answer> => {
    requireOperatorOfThisProcess(request);
    const id = toCredentialId(request.parameter("id"));
    const revoked = await services.commands[command]({ id }, request.context);
    return settled(revoked, services, (): RevokedAnswer => ({ id, revoked: true }));
  };

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
const access = "operator";
const notForKeys =
  "Takes the command line's own credential of the process that it has started, and no key: a key that could make keys could make itself an auditor's. Any other is 403.";
const idInPath: ParameterDescription = {
  name: "id",
  in: "path",
  description: "Id of a credential, as the list tells it.",
  required: true,
  schema: { type: "string" },
};
const noSuch = { 404: "There is no credential with this id." };
const times = {
  created_at: "2026-01-12T09:00:00.000Z",
  expires_at: null,
  revoked_at: null,
  state: "active",
} as const;
const account = { id: "1f0c2b7e", name: "wiki-sync", datasources: ["handbook"] };
const key = { id: "8c31d0aa", email: "ada@example.org", roles: ["auditor" as const] };
const revoked: DescribedRoute["description"]["success"] = {
  description: "It is worthless, for good. Repeating it is no error.",
  schema: schemaOf("RevokedAnswer"),
  example: { id: account.id, revoked: true } satisfies RevokedAnswer,
  carriesToken: true,
};

/** Service accounts and personal keys. */
export const credentialRoutes: readonly DescribedRoute[] = [
  {
    method: "GET",
    path: "/api/admin/service-accounts",
    access,
    handle: listServiceAccounts,
    description: {
      tag,
      summary: "List service accounts",
      description: notForKeys,
      parameters: [consistencyHeader],
      success: {
        description: "Every service account, oldest first; revoked and expired ones too.",
        schema: schemaOf("ServiceAccountsAnswer"),
        example: { service_accounts: [{ ...account, datasources: null, ...times }] } satisfies ServiceAccountsAnswer,
      },
    },
  },
  {
    method: "POST",
    path: "/api/admin/service-accounts",
    access,
    handle: createServiceAccount,
    description: {
      tag,
      summary: "Create a service account",
      description: `Its token is shown once, and stored nowhere. ${notForKeys}`,
      body: {
        schemas: ["CreateServiceAccountMessage"],
        example: { name: account.name, datasources: account.datasources },
      },
      success: {
        description: "Created.",
        schema: schemaOf("CreatedServiceAccountAnswer"),
        example: { ...account, expires_at: null, token: "…_sa_1f0c2b7e_…" } satisfies CreatedServiceAccountAnswer,
        carriesToken: true,
      },
    },
  },
  {
    method: "DELETE",
    path: "/api/admin/service-accounts/{id}",
    access,
    handle: revoking("revokeServiceAccount"),
    description: {
      tag,
      summary: "Revoke a service account",
      description: notForKeys,
      parameters: [idInPath],
      success: revoked,
      failures: noSuch,
    },
  },
  {
    method: "GET",
    path: "/api/admin/api-keys",
    access,
    handle: listApiKeys,
    description: {
      tag,
      summary: "List personal keys",
      description: notForKeys,
      parameters: [consistencyHeader],
      success: {
        description: "Every personal key, oldest first; revoked and expired ones too.",
        schema: schemaOf("ApiKeysAnswer"),
        example: { api_keys: [{ ...key, ...times }] } satisfies ApiKeysAnswer,
      },
    },
  },
  {
    method: "POST",
    path: "/api/admin/api-keys",
    access,
    handle: createApiKey,
    description: {
      tag,
      summary: "Create a personal key",
      description: `Whoever sends it searches as that person. It is shown once, and stored nowhere. ${notForKeys}`,
      body: { schemas: ["CreateApiKeyMessage"], example: { email: key.email, roles: key.roles } },
      success: {
        description: "Created.",
        schema: schemaOf("CreatedApiKeyAnswer"),
        example: { ...key, expires_at: null, key: "…_key_8c31d0aa_…" } satisfies CreatedApiKeyAnswer,
        carriesToken: true,
      },
      failures: { 400: "The email is empty." },
    },
  },
  {
    method: "DELETE",
    path: "/api/admin/api-keys/{id}",
    access,
    handle: revoking("revokeApiKey"),
    description: {
      tag,
      summary: "Revoke a personal key",
      description: notForKeys,
      parameters: [idInPath],
      success: revoked,
      failures: noSuch,
    },
  },
];
