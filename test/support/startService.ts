import { rm } from "node:fs/promises";
import { readConfig, type Config } from "../../src/config.js";
import { createLogger } from "../../src/logging.js";
import { openOffline, startService, type OfflineService } from "../../src/main.js";
import type { Role } from "../../src/shared/credential.js";
import { toEmail } from "../../src/shared/ids.js";
import { ApiClient, Freshness } from "./apiClient.js";
import { temporaryFolder } from "./temporaryFolder.js";

export interface ServiceUnderTest {
  readonly url: string;
  readonly dataDir: string;
  /** Carries a service-account token for all datasources. */
  readonly indexing: ApiClient;
  /** A client with a new personal key, made for these roles; ready for use. */
  person(email: string, ...roles: readonly Role[]): Promise<ApiClient>;
  /** A client with a new service account that is limited to these datasources; ready for use. */
  serviceAccount(options: {
    readonly datasources?: readonly string[];
    readonly expiresAt?: string;
  }): Promise<ApiClient>;
  /** Stops the service and removes its folder. */
  stop(): Promise<void>;
}

/** A folder for one test's data. */
export const newDataDir = (): string => temporaryFolder("enterprise-search-test").path;

/** Starts the real service in this process, on a free port and a folder of its own. */
export async function startServiceUnderTest(settings: NodeJS.ProcessEnv = {}): Promise<ServiceUnderTest> {
  const dataDir = newDataDir();
  const config = testConfig({ DATA_DIR: dataDir, ...settings });
  const logger = createLogger(config);
  const service = await startService(config, logger);
  const offline = await openOffline(config, logger);
  const clients = clientsOf(service.url, offline.commands);
  return {
    url: service.url,
    dataDir,
    indexing: await clients.serviceAccount({}),
    ...clients,
    stop: async () => {
      await offline.close();
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Makes credentials for clients of the service at `url`, which share their consistency tokens. */
export function clientsOf(
  url: string,
  commands: Pick<OfflineService["commands"], "createApiKey" | "createServiceAccount">,
): Pick<ServiceUnderTest, "person" | "serviceAccount"> {
  const freshness = new Freshness();
  const context = { by: "operator", correlationId: "test", allowedDatasources: null } as const;
  const client = async (created: ReturnType<typeof commands.createApiKey>): Promise<ApiClient> => {
    const outcome = await created;
    if (!outcome.ok) throw new Error(`No credential: ${JSON.stringify(outcome.error)}`);
    const ready = new ApiClient(url, outcome.value.value.credential, freshness);
    await untilKnown(ready);
    return ready;
  };
  return {
    person: (email, ...roles) =>
      client(commands.createApiKey({ email: toEmail(email), expiresAt: null, roles }, context)),
    serviceAccount: ({ datasources, expiresAt }) =>
      client(
        commands.createServiceAccount(
          {
            name: "test",
            datasources: datasources?.map((name) => name as never) ?? null,
            expiresAt: expiresAt ?? null,
          },
          context,
        ),
      ),
  };
}

/** The settings of a service under test; the environment of the test run has no say. */
export function testConfig(settings: NodeJS.ProcessEnv): Config {
  const config = readConfig({ HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "fatal", ...settings });
  if (!config.ok) throw new Error(config.error.join("\n"));
  return config.value;
}

/** A new credential counts as soon as it is projected. Both kinds are asked for at a door of theirs. */
export async function untilKnown(client: ApiClient): Promise<void> {
  for (;;) {
    const answers = await Promise.all([client.get("/api/indexing/file-types"), client.get("/api/beta/search?query=a")]);
    if (answers.some(({ status }) => status === 200)) return;
  }
}
