import type { CreatedServiceAccountAnswer } from "../../operations/messages/createServiceAccount.js";
import { answersRestOn } from "../../readModels/answersRestOn.js";
import { ApiClient } from "../apiClient.js";
import { usageFailure } from "../cliFailure.js";
import { ensureReachable } from "../ensureReachable.js";
import { startLocalService } from "../localService.js";
import { Service } from "../service.js";
import type { Terminal } from "../terminal.js";

type Work<Value> = (client: ApiClient) => Promise<Value>;

interface Remarks {
  remark(text: string): void;
}

/** A day: an import that is killed leaves its account behind, revoked by time. */
const accountLifetimeMs = 24 * 60 * 60 * 1_000;
const accounts = "/api/admin/service-accounts";

/** Pushes to a service that runs elsewhere. */
export async function withRemoteService<Value>(
  { url, token, signal }: { readonly url: string; readonly token?: string; readonly signal: AbortSignal },
  remarks: Remarks,
  work: Work<Value>,
): Promise<Value> {
  if (token === undefined)
    throw usageFailure(
      "--url needs the token of a service account there: --token, or the environment variable ENTERPRISE_SEARCH_TOKEN.",
    );
  if (!/^[\x21-\x7e]+$/.test(token)) throw usageFailure("The token holds characters that no token has. Copy it again.");
  await ensureReachable(url, signal);
  return work(clientFor(url, token, remarks));
}

/**
 * Starts the service of DATA_DIR in this process, with a service account that may write to the one datasource and is
 * revoked at the end. A server that runs on the same folder is not disturbed: both share the log.
 */
export async function withEmbeddedService<Value>(
  datasource: string,
  remarks: Remarks,
  terminal: Terminal,
  work: Work<Value>,
): Promise<Value> {
  const { interrupted } = terminal;
  const local = await startLocalService(terminal, { projecting: true, folder: "make" });
  try {
    interrupted.throwIfAborted();
    // Not the run's own signal: the account is revoked also where the import is interrupted.
    const operator = new Service(terminal, { ...local, local, signal: new AbortController().signal });
    const expiry = new Date(Date.now() + accountLifetimeMs).toISOString();
    const account = await operator.ask<CreatedServiceAccountAnswer>({
      method: "POST",
      path: accounts,
      body: { name: `import into ${datasource}`, datasources: [datasource], expires_at: expiry },
    });
    try {
      await operator.untilProjected(answersRestOn.credentials);
      return await work(clientFor(local.url, account.token, remarks));
    } finally {
      await operator.ask({ method: "DELETE", path: `${accounts}/${account.id}` });
      await operator.untilProjected(answersRestOn.credentials);
    }
  } finally {
    await local.stop();
  }
}

const clientFor = (url: string, credential: string, remarks: Remarks): ApiClient =>
  new ApiClient({ url, credential, onRetry: (reason) => remarks.remark(`The service ${reason}; trying again.`) });
