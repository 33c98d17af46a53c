import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiClient, describeAnswer } from "../src/cli/apiClient.js";
import { explainStartFailure } from "../src/cli/cliFailure.js";
import { readConfig, type Config } from "../src/config.js";
import { createLogger } from "../src/logging.js";
import { mintOperatorCredential, roles } from "../src/shared/credential.js";
import { startService } from "../src/main.js";
import type { Person } from "./company.js";

export interface Credentials {
  readonly token: string;
  /** Personal keys by email. */
  readonly keys: ReadonlyMap<string, string>;
  /** With which each of the people signs in to the dashboard. */
  readonly password: string;
}

export interface DemoService {
  /** null: 8080, or any free one where that is taken. */
  readonly port: number | null;
  /**
   * A folder that does not exist or is empty, and stays; null: a temporary one, which {@link ServiceUnderDemo.end}
   * removes.
   */
  readonly data: string | null;
  /** Who gets a personal key and an account; the first of them may do everything there. */
  readonly people: readonly Person[];
}

/** The service on a data folder of its own. */
export interface ServiceUnderDemo {
  readonly url: string;
  /** The folder that stays; null: a temporary one. */
  readonly data: string | null;
  readonly credentials: Credentials;
  /** Speaks as the service account. */
  readonly indexing: ApiClient;
  /** Speaks as this person. */
  as(person: Person): ApiClient;
  end(): Promise<void>;
}

/** 16 characters. */
const passwordBytes = 12;

const host = "127.0.0.1";
const preferredPort = 8080;

/** Starts the service. The signal aborts requests, not the service. */
export async function startServiceUnderDemo(
  { port, data, people }: DemoService,
  signal: AbortSignal,
): Promise<ServiceUnderDemo> {
  const folder = data === null ? await mkdtemp(join(tmpdir(), "enterprise-search-demo-")) : await emptyFolder(data);
  const removeFolder = async (): Promise<void> => {
    if (data === null) await rm(folder, { recursive: true, force: true });
  };
  try {
    const config = configFor(folder, port ?? ((await isFree(preferredPort)) ? preferredPort : 0));
    const operatorCredential = mintOperatorCredential();
    const logger = createLogger({ ...config, logTo: "stderr" });
    const service = await startService(config, logger, { operatorCredential }).catch((error: unknown) => {
      throw explainStartFailure(error, config);
    });
    const credentials = await createCredentials(
      new ApiClient({ url: service.url, credential: operatorCredential, signal }),
      people,
    ).catch(async (error: unknown) => {
      await service.stop();
      throw error;
    });
    const client = (credential: string): ApiClient => new ApiClient({ url: service.url, credential, signal });
    return {
      url: service.url,
      data,
      credentials,
      indexing: client(credentials.token),
      as: ({ email }) => client(credentials.keys.get(email) ?? ""),
      end: () => service.stop().finally(removeFolder),
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

async function emptyFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  if ((await readdir(path)).length > 0) throw new Error(`The folder ${path} is not empty. Name a new one.`);
  return path;
}

/** Whether nobody listens on this local port yet. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
      .once("error", () => resolve(false))
      .listen(port, host, () => probe.close(() => resolve(true)));
  });
}

/**
 * Settings of its own: the person's environment is for their service. What was written may take a busy machine long to
 * serve, and nobody is there to ask again.
 */
function configFor(folder: string, port: number): Config {
  const config = readConfig({
    ...{ DATA_DIR: folder, HOST: host, PORT: String(port), LOG_LEVEL: "error" },
    CONSISTENCY_TIMEOUT_MS: "60000",
  });
  if (!config.ok) throw new Error(config.error.join(" "));
  return config.value;
}

/** What `enterprise-search … create` does. */
async function createCredentials(operator: ApiClient, people: readonly Person[]): Promise<Credentials> {
  const create = async <Created>(path: string, body: object): Promise<Created> => {
    const answer = await operator.request({ method: "POST", path: `/api/admin/${path}`, body });
    if (answer.status !== 200) throw new Error(`No credential could be made. ${describeAnswer(answer)}`);
    return answer.body as Created;
  };
  const { token } = await create<{ token: string }>("service-accounts", { name: "demo" });
  const keys = new Map<string, string>();
  const password = randomBytes(passwordBytes).toString("base64url");
  for (const [place, { email }] of people.entries()) {
    keys.set(email, (await create<{ key: string }>("api-keys", { email })).key);
    await create("accounts", { email, password, roles: place === 0 ? roles : [] });
  }
  return { token, keys, password };
}
