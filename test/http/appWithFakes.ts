import { Writable } from "node:stream";
import { pino } from "pino";
import { features } from "../../src/wiring/features.js";
import { ChatLimits } from "../../src/chat/chatLimits.js";
import { ConsistencyTokens } from "../../src/shared/consistencyTokens.js";
import type { Commands } from "../../commands/commands.js";
import type { AuditExport } from "../../src/audit/export/auditExport.js";
import type { AuditQueries } from "../../src/audit/auditQueries.js";
import type { Queries } from "../../queries/queries.js";
import { FirstAccount } from "../../src/http/signIn/firstAccount.js";
import { SignInLimits } from "../../src/http/signIn/signInLimits.js";
import { createApp, type AppDependencies } from "../../src/http/app.js";
import { startServer, type RunningServer, type Patience } from "../../src/http/server.js";
import type { DocumentIntake } from "../../src/http/ports.js";
import type { CredentialRecord } from "../../src/readModels/credentials.js";
import { ok } from "../../src/shared/result.js";
import { toCredentialId, toDatasourceId, toDatasourceName, toEmail } from "../../src/shared/ids.js";

export interface AppUnderTest extends RunningServer {
  readonly logLines: readonly Record<string, unknown>[];
  /** Commands that were given, by name. */
  readonly given: readonly string[];
}

/** The incarnation that the limited account is for. */
export const incarnationOfFakes = toDatasourceId("incarnation1");

const credential = (
  kind: CredentialRecord["kind"],
  datasources: readonly string[] | null,
  roles: CredentialRecord["roles"] = [],
): CredentialRecord => ({
  id: toCredentialId("c1"),
  kind,
  secretSha256: "",
  expiresAt: null,
  createdAt: "2024-01-01T00:00:00Z",
  createdBy: "operator",
  lastUsedAt: null,
  previousSecret: null,
  revokedAt: null,
  name: "test",
  datasources: datasources?.map((name) => ({ name: toDatasourceName(name), datasourceId: incarnationOfFakes })) ?? null,
  email: kind === "apiKey" ? toEmail("ada@example.org") : null,
  roles,
});

const credentials: Readonly<Record<string, CredentialRecord>> = {
  account: credential("serviceAccount", null),
  limited: { ...credential("serviceAccount", ["mine"]), id: toCredentialId("c2") },
  key: credential("apiKey", null),
  bobsKey: { ...credential("apiKey", null), email: toEmail("bob@example.org") },
  auditorKey: credential("apiKey", null, ["auditor"]),
  operatorKey: credential("apiKey", null, ["operator"]),
};

/** Of a log that is none. */
export const tokensOfFakes = new ConsistencyTokens(() => Promise.resolve("first"));

/** A disk that is never full. */
export const roomyDisk: AppDependencies["disk"] = {
  isFull: () => Promise.resolve(false),
  hasRoomFor: () => Promise.resolve(true),
  freeBytes: () => Promise.resolve(null),
  reservedBytes: 0,
  noteFull: () => undefined,
};

/** What the app is set to, for tests that set one thing otherwise. */
export const appConfigOfFakes: AppDependencies["config"] = {
  maxBodyBytes: 2_000_000,
  maxBinaryBytes: 1_000_000,
  maxUploadBytes: 100_000,
  maxFilesOfPerson: 1_000,
  maxFileBytesOfPerson: 1_000_000_000,
  metricsToken: null,
  rateLimitPerMinute: null,
  productName: "amber",
  publicUrl: null,
  role: "all",
  trustedProxies: 0,
};

/** Answers for what a test asks; whatever else is asked throws, which is a 500. */
export interface Fakes {
  readonly commands?: Partial<Commands>;
  readonly queries?: Partial<Queries>;
  readonly audit?: Partial<AuditQueries>;
  readonly dependencies?: Partial<Omit<AppDependencies, "intake">>;
  readonly intake?: Partial<DocumentIntake>;
  /** Told of each token that is looked at. */
  onAuthenticate?(): void;
  /** How slow clients may be. */
  readonly patience?: Patience;
}

/**
 * The HTTP layer over fakes: only for what does not depend on what commands and queries do. Tokens: account, limited,
 * key, auditorKey, operatorKey.
 */
export async function startAppWithFakes({
  commands = {},
  queries = {},
  audit = {},
  dependencies = {},
  intake = {},
  onAuthenticate,
  patience,
}: Fakes = {}): Promise<AppUnderTest> {
  const logLines: Record<string, unknown>[] = [];
  const given: string[] = [];
  const log = new Writable({
    write: (line, _encoding, done) => {
      logLines.push(JSON.parse(String(line)) as Record<string, unknown>);
      done();
    },
  });
  const recording = new Proxy(commands, {
    get: (target, name: keyof Commands) => {
      given.push(name);
      return target[name];
    },
  });
  const app = createApp({
    features,
    commands: recording as Commands,
    queries: {
      authenticate: ({ credential: token }: { readonly credential: string }) => {
        onAuthenticate?.();
        return Promise.resolve(credentials[token] ?? null);
      },
      listDatasources: () => Promise.resolve(ok([])),
      ...queries,
    } as Queries,
    audit: audit as AuditQueries,
    auditExport: {} as AuditExport,
    eventLog: { page: () => [] as never, read: () => [] as never, datasourceOf: () => Promise.resolve(null) },
    projections: {
      list: () => Promise.reject(new Error("Nobody is expected to ask.")),
      watched: () => Promise.reject(new Error("Nobody is expected to ask.")),
      waitUntilProjected: () => Promise.reject(new Error("Nobody is expected to ask.")),
    },
    verification: {} as AppDependencies["verification"],
    parked: {} as AppDependencies["parked"],
    undo: {} as AppDependencies["undo"],
    whatIf: () => Promise.reject(new Error("Nothing is expected to be tried.")),
    intake: {
      read: () => Promise.reject(new Error("No documents are expected.")),
      readFile: () => Promise.reject(new Error("No large documents are expected.")),
      ...intake,
    },
    chat: {} as AppDependencies["chat"],
    chatLimits: new ChatLimits(10, 2),
    config: appConfigOfFakes,
    logger: pino({ level: "debug" }, log),
    progress: () => Promise.reject(new Error("Nobody is expected to ask.")),
    isLogExchanged: () => false,
    readiness: () => Promise.resolve({ isReady: true, waitsFor: [], threadsAway: [], isStopping: false }),
    disk: roomyDisk,
    agents: {} as AppDependencies["agents"],
    searchesWeb: false,
    lastUses: { note: () => undefined, of: () => undefined },
    signIn: {
      limits: new SignInLimits(),
      identityProvider: null,
      firstAccount: new FirstAccount(),
      idleMs: 60_000,
      lifetimeMs: 60_000,
      hasAccounts: () => Promise.resolve(true),
    },
    files: {} as AppDependencies["files"],
    uploads: { make: () => Promise.reject(new Error("No upload is expected.")) },
    webSearch: { search: () => Promise.reject(new Error("Nobody is expected to search the web.")) },
    waitUntilProjected: () => Promise.resolve(),
    consistencyTokens: tokensOfFakes,
    isSearchable: () => Promise.resolve(true),
    ...dependencies,
  });
  return { ...(await startServer(app, { host: "127.0.0.1", port: 0, patience })), logLines, given };
}
