import { rm } from "node:fs/promises";
import { Argon2Hasher } from "../../src/adapters/passwords/argon2Hasher.js";
import { createLogger } from "../../src/logging.js";
import { mintOperatorCredential } from "../../src/shared/credential.js";
import { startService } from "../../src/main.js";
import type { Commands } from "../../commands/commands.js";
import type { ProjectionsAnswer, ProjectionStatus } from "../../src/readModels/projectionStatus.js";
import type { KeyRole, Role } from "../../src/shared/credential.js";
import { toDatasourceName, toEmail } from "../../src/shared/ids.js";
import { ApiClient, Freshness, type PageSession } from "./apiClient.js";
import { growingPauses } from "./pauses.js";
import { temporaryFolder } from "./temporaryFolder.js";
import { testConfig } from "./testConfig.js";

export interface ServiceUnderTest {
  readonly url: string;
  readonly dataDir: string;
  /** Carries a service-account token for all datasources. */
  readonly indexing: ApiClient;
  /** Carries the credential of whoever has started the process. */
  readonly operator: ApiClient;
  /** A client with a new personal key, made for these roles; ready for use. */
  person(email: string, ...roles: readonly KeyRole[]): Promise<ApiClient>;
  /** A client of a page where this person is signed in, with a new account that has these roles. */
  signedIn(email: string, ...roles: readonly Role[]): Promise<ApiClient>;
  /** A client with a new service account that is limited to these datasources; ready for use. */
  serviceAccount(options: {
    readonly datasources?: readonly string[];
    readonly expiresAt?: string;
  }): Promise<ApiClient>;
  /** Resolves once all that was in the log at the start is served. */
  readonly ready: Promise<void>;
  /** Resolves once all that is in the log now is served: for pages, which have no token of what others wrote. */
  served(): Promise<void>;
  /** Stops the service and removes its folder. */
  stop(): Promise<void>;
}

/** A folder for one test's data. */
export const newDataDir = (): string => temporaryFolder("enterprise-search-test").path;

/** Starts the real service in this process, on a free port and a folder of its own. */
export async function startServiceUnderTest(settings: NodeJS.ProcessEnv = {}): Promise<ServiceUnderTest> {
  const dataDir = newDataDir();
  const config = testConfig({ DATA_DIR: dataDir, ...settings });
  const operatorCredential = mintOperatorCredential();
  const service = await startService(config, createLogger(config), { operatorCredential, passwordHasher });
  const operator = new ApiClient(service.url, operatorCredential);
  const clients = clientsOf(service.url, credentialsAt(operator));
  return {
    url: service.url,
    dataDir,
    operator,
    indexing: await clients.serviceAccount({}),
    ...clients,
    signedIn: (email, ...roles) => signedIn(operator, email, roles),
    ready: service.ready,
    served: () => untilServed(operator),
    stop: async () => {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** At the least cost that argon2 knows: what it costs outside is tested where passwords are hashed. */
const passwordHasher = new Argon2Hasher({ memoryCost: 8, timeCost: 1 });

export const passwordOfTests = "six words for whoever tests this";

/** Makes an account as the service's operator, and signs its person in. */
export async function signedIn(operator: ApiClient, email: string, roles: readonly Role[]): Promise<ApiClient> {
  const asked = { email, roles, password: passwordOfTests };
  const created = await operator.post("/api/admin/accounts", asked);
  if (created.status !== 200) throw new Error(`No account: ${JSON.stringify(created.body)}`);
  return operator.signedIn(await signIn(operator, email));
}

/** Signs somebody in who has an account with {@link passwordOfTests}. */
export async function signIn(client: ApiClient, email: string, password = passwordOfTests): Promise<PageSession> {
  const answer = await client.as(null).post<{ readonly csrf_token: string }>("/api/session", { email, password });
  const [cookie = ""] = answer.headers.getSetCookie()[0]?.split(";") ?? [];
  if (answer.status !== 200) throw new Error(`Not signed in: ${JSON.stringify(answer.body)}`);
  return { cookie, csrfToken: answer.body.csrf_token };
}

/** Makes a credential for tests, and answers with what its holder sends. */
export interface CredentialMaker {
  serviceAccount(options: Parameters<ServiceUnderTest["serviceAccount"]>[0]): Promise<string>;
  person(email: string, roles: readonly KeyRole[]): Promise<string>;
}

/** Asks a service for them, as its operator. */
function credentialsAt(operator: ApiClient): CredentialMaker {
  const created = async (kind: string, asked: object, pause = growingPauses()): Promise<string> => {
    const { status, body } = await operator.post<{ token?: string; key?: string }>(`/api/admin/${kind}`, asked);
    // A read model may be built anew just now; whoever is told so comes back.
    if (status === 503) {
      await pause();
      return created(kind, asked, pause);
    }
    if (status !== 200) throw new Error(`No credential: ${JSON.stringify(body)}`);
    return body.token ?? body.key ?? "";
  };
  return {
    serviceAccount: ({ datasources, expiresAt }) =>
      created("service-accounts", { name: "test", datasources, expires_at: expiresAt }),
    person: (email, roles) => created("api-keys", { email, roles }),
  };
}

/** Writes them into a log that services elsewhere follow. */
export function credentialsBy(commands: Pick<Commands, "createApiKey" | "createServiceAccount">): CredentialMaker {
  const context = { by: "operator", correlationId: "test", allowedDatasources: null } as const;
  const created = async (command: ReturnType<typeof commands.createApiKey>): Promise<string> => {
    const outcome = await command;
    if (!outcome.ok) throw new Error(`No credential: ${JSON.stringify(outcome.error)}`);
    return outcome.value.value.credential;
  };
  return {
    serviceAccount: ({ datasources, expiresAt }) =>
      created(
        commands.createServiceAccount(
          { name: "test", datasources: datasources?.map(toDatasourceName) ?? null, expiresAt: expiresAt ?? null },
          context,
        ),
      ),
    person: (email, roles) =>
      created(commands.createApiKey({ email: toEmail(email), expiresAt: null, roles }, context)),
  };
}

/** Makes clients of the service at `url`, which share their consistency tokens. */
export function clientsOf(
  url: string,
  credentials: CredentialMaker,
): Pick<ServiceUnderTest, "person" | "serviceAccount"> {
  const freshness = new Freshness();
  const client = async (created: Promise<string>): Promise<ApiClient> => {
    const ready = new ApiClient(url, await created, freshness);
    await untilKnown(ready);
    return ready;
  };
  return {
    person: (email, ...roles) => client(credentials.person(email, roles)),
    serviceAccount: (options) => client(credentials.serviceAccount(options)),
  };
}

async function untilServed(operator: ApiClient): Promise<void> {
  let end: bigint | null = null;
  for (const pause = growingPauses(); ; await pause()) {
    const { status, body } = await operator.get<ProjectionsAnswer>("/api/admin/projections");
    if (status === 200) {
      const reached: bigint = end ?? BigInt(body.log);
      end = reached;
      const isServed = ({ state, position }: ProjectionStatus): boolean =>
        state === "paused" || (position !== null && BigInt(position) >= reached);
      if (body.projections.every(isServed)) return;
    }
  }
}

/** A new credential counts as soon as it is projected. Both kinds are asked for at a door of theirs. */
export async function untilKnown(client: ApiClient): Promise<void> {
  for (const pause = growingPauses(); ; await pause()) {
    const answers = await Promise.all([client.get("/api/indexing/file-types"), client.get("/api/beta/search?query=a")]);
    if (answers.some(({ status }) => status === 200)) return;
  }
}
