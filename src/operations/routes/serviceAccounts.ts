import { createValidate, json, type tags } from "typia";
import type { DatasourceLimit } from "../../shared/credential.js";
import { toCredentialId, toDatasourceName } from "../../shared/ids.js";
import { jsonBody } from "../../http/body/jsonBody.js";
import { commandRoute } from "../../http/commandRoute.js";
import { valueOf } from "../../http/envelopes.js";
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
import { tooShort } from "../../http/validation/issue.js";
import type { MaxCharacters } from "../../http/validation/characters.js";
import { answerMessage, bodyMessage } from "../../http/validation/message.js";
import type { Slug } from "../../http/messages/names.js";

interface ListedServiceAccount extends ListedCredential {
  id: string;
  name: string | null;
  /** null: all. */
  datasources: string[] | null;
  /**
   * The datasources among them that were deleted: nothing is open by these names, also where another datasource has one
   * by now.
   */
  datasources_gone: string[];
  /** Until then the token before the last rotation works too; null: it does not. */
  previous_token_ends_at: string | null;
}

/** Answer of `GET /api/admin/service-accounts`: oldest first, revoked and expired ones too. */
interface ServiceAccountsAnswer {
  service_accounts: ListedServiceAccount[];
}

const serviceAccountsAnswer = answerMessage(json.schema<ServiceAccountsAnswer>());

/** Body of `POST /api/admin/service-accounts/{id}/rotate`. */
interface RotateServiceAccountMessage {
  /** For so long the token before goes on working. Default: 24. */
  overlap_hours?: (number & tags.Type<"int32"> & tags.Minimum<0> & tags.Maximum<720>) | null;
}

const rotateServiceAccountMessage = bodyMessage(
  json.schema<RotateServiceAccountMessage>(),
  createValidate<RotateServiceAccountMessage>(),
);

/** Answer of `POST /api/admin/service-accounts/{id}/rotate`. */
export interface RotatedServiceAccountAnswer {
  id: string;
  /** Shown this once, and stored nowhere. */
  token: string;
  previous_token_ends_at: string;
}

const rotatedServiceAccountAnswer = answerMessage(json.schema<RotatedServiceAccountAnswer>());

/** Body of `POST /api/admin/service-accounts`. */
interface CreateServiceAccountMessage {
  /** What it is for; shown in lists. */
  name: string & tags.MinLength<1> & MaxCharacters<200>;
  /** The datasources that it is limited to. Default: all. */
  datasources?: Slug[] | null;
  /** When it stops working. Default: never. */
  expires_at?: ExpiryText | null;
}

const createServiceAccountMessage = bodyMessage(
  json.schema<CreateServiceAccountMessage>(),
  createValidate<CreateServiceAccountMessage>(),
  ({ name, expires_at: expiry }) => [
    ...(name.trim() === "" ? [tooShort(["body", "name"], 1)] : []),
    ...expiryIssues(expiry),
  ],
);

/** Answer of `POST /api/admin/service-accounts`. */
export interface CreatedServiceAccountAnswer {
  id: string;
  name: string;
  /** null: all. */
  datasources: string[] | null;
  /** null: never. */
  expires_at: string | null;
  /** Shown this once, and stored nowhere. */
  token: string;
}

const createdServiceAccountAnswer = answerMessage(json.schema<CreatedServiceAccountAnswer>());

const tag = "Credentials";
const access = "administrator";
/** spec: Service-account tokens, 1. */
const creating = ["administrator", "developer"] as const;

const params = [idInPath];
const account = { id: "pDrRIAPnr1V9", name: "wiki-sync", datasources: ["handbook"] };
const hourMs = 60 * 60_000;
const usualOverlapHours = 24;

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
      const { id, name, datasources: limits, previousSecret } = record;
      const namesOf = (of: readonly DatasourceLimit[]): string[] => of.map((limit) => limit.name);
      const gone = limits === null ? [] : namesOf(limits.filter(isGone));
      const datasources = limits === null ? null : namesOf(limits);
      const isEnding = previousSecret !== null && Date.parse(previousSecret.endsAt) > Date.now();
      const endsAt = isEnding ? previousSecret.endsAt : null;
      return { id, name, datasources, datasources_gone: gone, previous_token_ends_at: endsAt, ...listed(record) };
    });
    context.body = { service_accounts: accounts } satisfies ServiceAccountsAnswer;
  },
  description: {
    tag,
    summary: "List service accounts",
    doing: "Listing service accounts",
    success: {
      description:
        "Every service account, oldest first; revoked and expired ones too. A limit opens one registration of a datasource: once that was deleted, it is in `datasources_gone`, whoever has the name now. A use is noted about a minute later, and at most once an hour.",
      schema: serviceAccountsAnswer,
      example: {
        service_accounts: [
          { ...account, datasources: null, datasources_gone: [], previous_token_ends_at: null, ...listedExample },
        ],
      } satisfies ServiceAccountsAnswer,
    },
  },
});

const createServiceAccount = commandRoute({
  method: "POST",
  path: "/api/admin/service-accounts",
  access: creating,
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
    doing: "Creating service accounts",
    description:
      "Its token is shown once, and stored nowhere. It is limited to the datasources that have these names now, and not to others that are registered under them later; a name that none has yet is for the one that the account finds first.",
    example: { name: account.name, datasources: account.datasources },
    success: {
      description: "Created.",
      schema: createdServiceAccountAnswer,
      example: { ...account, expires_at: null, token: "…_sa_pDrRIAPnr1V9_…" } satisfies CreatedServiceAccountAnswer,
    },
  },
});

const rotateServiceAccount = commandRoute({
  method: "POST",
  path: "/api/admin/service-accounts/{id}/rotate",
  access: creating,
  params,
  body: jsonBody(rotateServiceAccountMessage),
  toCommand: ({ params: { id }, body: { overlap_hours: hours } }) => ({
    id: toCredentialId(id),
    overlapMs: (hours ?? usualOverlapHours) * hourMs,
  }),
  run: (command, context, commands) => commands.rotateServiceAccount(command, context),
  toAnswer: ({ id, credential, previousEndsAt }): RotatedServiceAccountAnswer => ({
    id,
    token: credential,
    previous_token_ends_at: previousEndsAt,
  }),
  description: {
    tag,
    summary: "Give a service account a new token",
    doing: "Rotating service accounts",
    description:
      "It is shown once, and stored nowhere. The token before goes on working beside it for the overlap; one that was still ending from an earlier rotation ends now.",
    example: { overlap_hours: usualOverlapHours },
    success: {
      description: "Both work until `previous_token_ends_at`.",
      schema: rotatedServiceAccountAnswer,
      example: {
        id: account.id,
        token: "…_sa_pDrRIAPnr1V9_…",
        previous_token_ends_at: "2026-01-13T09:00:00.000Z",
      } satisfies RotatedServiceAccountAnswer,
    },
    failures: { ...noSuchCredential, 409: "It is revoked, for good." },
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
    doing: "Revoking service accounts",
    success: revoked,
    failures: noSuchCredential,
  },
});

/** Credentials of programs that push. */
export const serviceAccountRoutes = [
  listServiceAccounts,
  createServiceAccount,
  rotateServiceAccount,
  revokeServiceAccount,
];
