import { ApiClient } from "../apiClient.js";
import { usageFailure } from "../cliFailure.js";
import { accepted, operator, withOfflineService } from "../offline.js";
import { createLogger } from "../../logging.js";
import { toDatasourceName } from "../../shared/ids.js";

type Work<Value> = (client: ApiClient) => Promise<Value>;

interface Remarks {
  remark(text: string): void;
}

/** A day: an import that is killed leaves its account behind, revoked by time. */
const accountLifetimeMs = 24 * 60 * 60 * 1_000;

/** Pushes to a service that runs elsewhere. */
export function withRemoteService<Value>(
  { url, token }: { readonly url: string; readonly token?: string },
  remarks: Remarks,
  work: Work<Value>,
): Promise<Value> {
  if (token === undefined)
    throw usageFailure(
      "--url needs the token of a service account there: --token, or the environment variable ENTERPRISE_SEARCH_TOKEN.",
    );
  if (!/^[\x21-\x7e]+$/.test(token)) throw usageFailure("The token holds characters that no token has. Copy it again.");
  return work(clientFor(url, token, remarks));
}

/**
 * Starts the service of DATA_DIR in this process, on a free local port, with a service account that may write to the
 * one datasource and is revoked at the end. A server that runs on the same folder is not disturbed: both share the log.
 */
export function withEmbeddedService<Value>(datasource: string, remarks: Remarks, work: Work<Value>): Promise<Value> {
  return withOfflineService(async ({ commands, catchUp }, config) => {
    const expiresAt = new Date(Date.now() + accountLifetimeMs).toISOString();
    const account = await accepted(
      commands.createServiceAccount(
        { name: `import into ${datasource}`, datasources: [toDatasourceName(datasource)], expiresAt },
        operator(),
      ),
    );
    try {
      await catchUp();
      const { startService } = await import("../../main.js");
      const service = await startService(
        { ...config, host: "127.0.0.1", port: 0 },
        createLogger({ logLevel: "error", logTo: "stderr" }),
      );
      try {
        return await work(clientFor(service.url, account.credential, remarks));
      } finally {
        await service.stop();
      }
    } finally {
      await accepted(commands.revokeServiceAccount({ id: account.id }, operator()));
      await catchUp();
    }
  });
}

const clientFor = (url: string, credential: string, remarks: Remarks): ApiClient =>
  new ApiClient({ url, credential, onRetry: (reason) => remarks.remark(`The service ${reason}; trying again.`) });
