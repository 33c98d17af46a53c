import { serviceAccountStream, datasourceStream } from "../../src/events/streams.js";
import {
  formatCredential,
  hashSecret,
  type DatasourceLimits,
  type DatasourceLimit,
} from "../../src/shared/credential.js";
import type { DatasourceName, CredentialId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult, Use } from "../command.js";
import type { CommandServices, CreatedCredential } from "../services.js";
import { replyWith, type CommandHandler } from "../handleCommand.js";
import { decide, serviceAccountAggregate, evolve, type ServiceAccountCommand } from "./decider.js";
import { datasourceAggregate } from "../datasource/decider.js";

interface CreateServiceAccount {
  readonly name: string;
  /** null: all datasources. */
  readonly datasources: readonly DatasourceName[] | null;
  readonly expiresAt: string | null;
}

/**
 * Creates a service account; the secret leaves in the answer and nowhere else (spec: Service-account tokens). It is
 * limited to the incarnations that bear the names now. A name that nobody bears yet is bound later.
 */
export async function createServiceAccount(
  { handler, minting, productName }: CommandServices,
  { name, datasources, expiresAt }: CreateServiceAccount,
  context: CommandContext,
): CommandResult<CreatedCredential> {
  const credential = minting.credential("serviceAccount");
  const { id, secret } = credential;
  const limits = datasources === null ? null : await limitsNow(handler, datasources);
  const created = { id, name, datasources: limits, secretSha256: hashSecret(secret), expiresAt };
  return handler.handle({
    aggregate: serviceAccountAggregate,
    stream: serviceAccountStream(id),
    context,
    decide: (state) =>
      replyWith(decide({ type: "CreateServiceAccount", created }, state), {
        id,
        credential: formatCredential(credential, productName),
      }),
  });
}

interface BindServiceAccount {
  readonly id: CredentialId;
  /** Names of limits that may be borne by now. */
  readonly names: readonly DatasourceName[];
}

/**
 * Binds limits that named a datasource before it was there to the incarnation that bears the name in the log, since it
 * is for good: a read model may show one that is gone. Datasources that are bound stay as they are. Answers with all
 * limits as they are then.
 */
export async function bindServiceAccount(
  { handler }: CommandServices,
  { id, names }: BindServiceAccount,
  context: CommandContext,
): CommandResult<DatasourceLimits> {
  const found = (await limitsNow(handler, names)).filter(({ datasourceId }) => datasourceId !== null);
  return handler.handle({
    aggregate: serviceAccountAggregate,
    stream: serviceAccountStream(id),
    context,
    decide(state) {
      const decision = decide({ type: "BindServiceAccount", id, found }, state);
      return decision.ok ? replyWith(decision, decision.value.reduce(evolve, state).datasources) : decision;
    },
  });
}

interface RotateServiceAccount {
  readonly id: CredentialId;
  /** For how long the secret before still proves the account. */
  readonly overlapMs: number;
}

/** A service account with a new secret. */
export interface RotatedCredential extends CreatedCredential {
  readonly previousEndsAt: string;
}

/**
 * Gives a service account a second secret beside the first, which ends after the overlap. One that was still ending
 * ends now. The secret leaves in the answer and nowhere else.
 */
export function rotateServiceAccount(
  services: CommandServices,
  { id, overlapMs }: RotateServiceAccount,
  context: CommandContext,
): CommandResult<RotatedCredential> {
  const { minting, now, productName } = services;
  const credential = { ...minting.credential("serviceAccount"), id };
  const previousEndsAt = new Date(now().getTime() + overlapMs).toISOString();
  const secretSha256 = hashSecret(credential.secret);
  const command = { type: "RotateServiceAccount", id, secretSha256, previousEndsAt } as const;
  const shown = { id, credential: formatCredential(credential, productName), previousEndsAt };
  return handleServiceAccount(services, command, context, shown);
}

interface NoteServiceAccountUsed extends Use {
  readonly id: CredentialId;
}

/** Writes down that a service account is in use, unless it was lately, or is revoked. */
export const noteServiceAccountUsed = (
  services: CommandServices,
  { id, usedAt, everyMs }: NoteServiceAccountUsed,
  context: CommandContext,
): CommandResult<null> =>
  handleServiceAccount(services, { type: "NoteServiceAccountUsed", id, usedAt, everyMs }, context, null);

interface RevokeServiceAccount {
  readonly id: CredentialId;
}

/** Ends a service account for good; revoking it again changes nothing. */
export const revokeServiceAccount = (
  services: CommandServices,
  { id }: RevokeServiceAccount,
  context: CommandContext,
): CommandResult<null> => handleServiceAccount(services, { type: "RevokeServiceAccount", id }, context, null);

/** Carries out a command on a service account that has been created. */
const handleServiceAccount = <Value>(
  { handler }: Pick<CommandServices, "handler">,
  command: Exclude<ServiceAccountCommand, { readonly type: "CreateServiceAccount" }>,
  context: CommandContext,
  value: Value,
): CommandResult<Value> =>
  handler.handle({
    aggregate: serviceAccountAggregate,
    stream: serviceAccountStream(command.id),
    context,
    decide: (state) => replyWith(decide(command, state), value),
  });

/** Limits to these names, with the incarnations that bear them in the log now. */
const limitsNow = (handler: CommandHandler, names: readonly DatasourceName[]): Promise<readonly DatasourceLimit[]> =>
  Promise.all(
    names.map(async (name) => {
      const { state } = await handler.read(datasourceAggregate, datasourceStream(name));
      return { name, datasourceId: state?.datasourceId ?? null };
    }),
  );
