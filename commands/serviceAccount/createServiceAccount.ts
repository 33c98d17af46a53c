import { serviceAccountStream } from "../../src/events/streams.js";
import { formatCredential, hashSecret } from "../../src/shared/credential.js";
import type { DatasourceName } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices, CreatedCredential } from "../services.js";
import { decide, serviceAccountAggregate } from "./decider.js";
import { limitsNow } from "./limitsNow.js";

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
