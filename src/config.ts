import { accountsContradictions, accountsSettings, type AccountsConfig } from "./settings/accounts.js";
import {
  addressSettings,
  type AddressSettings,
  engineAddress,
  fileOrUnset,
  integer,
  integerOrUnset,
  keyOrUnset,
  oneOf,
  text,
  type Setting,
} from "./settings/kinds.js";
import { chatSettings, type ChatConfig } from "./settings/chat.js";
import { extractionSettings, type ExtractionConfig } from "./settings/extraction.js";
import { meaningSettings, type MeaningConfig } from "./settings/meaning.js";
import { secretOf } from "./settings/secretFiles.js";
import { failed, ok, type Result } from "./shared/result.js";
import { webContradictions, webSettings, type WebConfig } from "./settings/web.js";

/** From nothing to everything. */
const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;

/** The least severe lines that are written. */
type LogLevel = (typeof logLevels)[number];

/** For people, or for programs. */
const logFormats = ["pretty", "json"] as const;

/** How a line is written: `pretty` for people, `json` as one JSON object. */
type LogFormat = (typeof logFormats)[number];

/** What one process of the service does. */
const roles = ["all", "api", "projector"] as const;

/** `api`: answers requests; `projector`: keeps the read models up to date, and answers for its health; `all`: both. */
export type Role = (typeof roles)[number];

/** Every setting of the service, validated. Made by {@link readConfig} only. */
export interface Config
  extends AddressSettings, AccountsConfig, ExtractionConfig, WebConfig, ChatConfig, MeaningConfig {
  readonly role: Role;
  readonly dataDir: string;
  /** Reserved group prefix and prefix of credentials. */
  readonly productName: string;
  readonly namespace: string;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** Largest request body, as sent. */
  readonly maxBodyBytes: number;
  /** Largest `binary_base64`, decoded (spec: Limits). */
  readonly maxBinaryBytes: number;
  /** Largest file that a person may upload. */
  readonly maxUploadBytes: number;
  /** How many files a person may have here, and of how many bytes together. */
  readonly maxFilesOfPerson: number;
  readonly maxFileBytesOfPerson: number;
  /** What uploads and documents leave of the disk of the data folder. */
  readonly diskReserveBytes: number;
  /** After so many days an uploaded file is erased. */
  readonly fileTtlDays: number;
  /** How long a read waits for the consistency token that it came with. */
  readonly consistencyTimeoutMs: number;
  /**
   * After so many milliseconds a search of the embedded index reads nothing more that is not in memory
   * (docs/design/search.md).
   */
  readonly searchBudgetMs: number;
  /** Connection string of the event store that holds events and texts; null: `log.sqlite`. */
  readonly eventStoreUrl: string | null;
  /** Address of the Typesense that holds the search collection; null: `search.sqlite`. */
  readonly typesenseUrl: string | null;
  /** Present where {@link typesenseUrl} is. */
  readonly typesenseApiKey: string | null;
  /** Address of the Redis that holds group closure, catalogue, credentials; null: `readModels.sqlite`. */
  readonly redisUrl: string | null;
  /** PEM of the key that signs exports for auditors; null: one in the data folder. */
  readonly auditSigningKeyFile: string | null;
  /** A client that asks for metrics has to send this token; null: anybody may ask. */
  readonly metricsToken: string | null;
  /** How many requests a minute a credential may make; null: any number. */
  readonly rateLimitPerMinute: number | null;
  /** So much CPU time the main thread may take without a turn of its event loop; 0: it is not watched. */
  readonly watchdogSeconds: number;
}

const settingsByField: { readonly [Field in keyof Config]: Setting<Config[Field]> } = {
  role: {
    name: "ROLE",
    default: "all",
    meaning:
      "What this process does: `api` answers requests, `projector` keeps the read models up to date, `all` does both.",
    ...oneOf(roles),
  },
  ...addressSettings,
  dataDir: {
    name: "DATA_DIR",
    default: "./data",
    meaning: "Folder of the event log and the read models; made where it does not exist.",
    allowed: "the path of a folder",
    ...text(/^[^\0]+$/),
  },
  productName: {
    name: "PRODUCT_NAME",
    default: "amber",
    meaning:
      "Prefix of credentials, and the prefix that group names may not start with. Existing credentials stop working when it changes.",
    allowed: "lowercase letters and digits, a letter first, 32 at most",
    ...text(/^[a-z][a-z0-9]{0,31}$/),
  },
  namespace: {
    name: "NAMESPACE",
    default: "default",
    meaning: "Tenant: goes into every principal token, so that tenants can share engines.",
    allowed: "lowercase letters, digits, `_` and `-`, a letter first, 64 at most",
    ...text(/^[a-z][a-z0-9_-]{0,63}$/),
  },
  logLevel: {
    name: "LOG_LEVEL",
    default: "info",
    meaning: "Least severe log lines that are written. `info` has one line per request.",
    ...oneOf(logLevels),
  },
  logFormat: {
    name: "LOG_FORMAT",
    default: "json",
    meaning:
      "How the log is written: `pretty` for people, `json` as one object a line. Unset: `pretty` where the program's output is a terminal.",
    ...oneOf(logFormats),
  },
  maxBodyBytes: {
    name: "MAX_BODY_BYTES",
    default: "150000000",
    meaning: "Largest body of `POST /documents` in bytes; a larger one is 422. Base64 takes 4 bytes for 3.",
    ...integer(1_024, 500_000_000),
  },
  maxBinaryBytes: {
    name: "INDEXING_API_MAX_BINARY_BYTES",
    default: "104857600",
    meaning: "Largest `binary_base64` of one document in bytes, decoded; a larger one is 422.",
    ...integer(1, 375_000_000),
  },
  maxUploadBytes: {
    name: "MAX_UPLOAD_BYTES",
    default: "52428800",
    meaning: "Largest file that a person may upload, in bytes; a larger one is 413.",
    ...integer(1, 375_000_000),
  },
  maxFilesOfPerson: {
    name: "MAX_FILES_PER_PERSON",
    default: "1000",
    meaning: "How many uploaded files a person may have at once; one more is 413.",
    ...integer(1, 1_000_000),
  },
  maxFileBytesOfPerson: {
    name: "MAX_FILE_BYTES_PER_PERSON",
    default: "2147483648",
    meaning: "How many bytes the uploaded files of a person may have together; what is more is 413.",
    ...integer(1, 1_000_000_000_000),
  },
  diskReserveBytes: {
    name: "DISK_RESERVE_BYTES",
    default: "67108864",
    meaning:
      "How much of the disk of `DATA_DIR` uploads and documents leave (503 beyond), so that revocations and sign-ins can still be written. The file `disk-reserve` in it holds it, and becomes smaller where others fill the disk.",
    ...integer(0, 1_000_000_000_000),
  },
  fileTtlDays: {
    name: "FILE_TTL_DAYS",
    default: "30",
    meaning: "After how many days an uploaded file is erased.",
    ...integer(1, 36_500),
  },
  consistencyTimeoutMs: {
    name: "CONSISTENCY_TIMEOUT_MS",
    default: "5000",
    meaning: "How long a read with an `X-Consistency-Token` waits for that write before it is 503.",
    ...integer(0, 60_000),
  },
  searchBudgetMs: {
    name: "SEARCH_BUDGET_MS",
    default: "100",
    meaning:
      "After how long a search of the embedded index, not counting how long it waits for a processor, reads nothing more that is not in memory, and answers `partial: true` where something is left out.",
    ...integer(10, 60_000),
  },
  eventStoreUrl: {
    name: "EVENTSTORE_URL",
    meaning: "Connection string of EventStoreDB or KurrentDB, for events and texts. Unset: `log.sqlite` in `DATA_DIR`.",
    ...engineAddress("esdb", "esdb+discover", "kurrentdb", "kurrentdb+discover"),
  },
  typesenseUrl: {
    name: "TYPESENSE_URL",
    meaning: "Address of Typesense 29 or newer, for the search collection. Unset: `search.sqlite` in `DATA_DIR`.",
    ...engineAddress("http", "https"),
  },
  typesenseApiKey: {
    name: "TYPESENSE_API_KEY",
    meaning: "The key for it; it must be allowed to make collections and aliases.",
    ...keyOrUnset,
  },
  redisUrl: {
    name: "REDIS_URL",
    meaning:
      "Address of Redis 7 or newer, for group closure, catalogue and credentials. Unset: `readModels.sqlite` in `DATA_DIR`.",
    ...engineAddress("redis", "rediss"),
  },
  auditSigningKeyFile: {
    name: "AUDIT_SIGNING_KEY_FILE",
    meaning:
      "PEM file of the Ed25519 key that signs `audit export`; made where it is missing. Unset: `auditSigningKey.pem` in `DATA_DIR`.",
    ...fileOrUnset,
  },
  metricsToken: {
    name: "METRICS_TOKEN",
    default: "",
    meaning: "What `GET /metrics` has to bring as `Authorization: Bearer`. Unset: whoever reaches it may ask.",
    allowed: "16 to 256 visible characters",
    isSecret: true,
    parse: (value) => (value === "" ? null : /^[!-~]{16,256}$/.test(value) ? value : undefined),
  },
  rateLimitPerMinute: {
    name: "RATE_LIMIT_PER_MINUTE",
    meaning: "How many requests a minute a credential may make, in each process; beyond, 429. Unset: any number.",
    ...integerOrUnset(1, 1_000_000),
  },
  watchdogSeconds: {
    name: "WATCHDOG_SECONDS",
    default: "15",
    meaning:
      "`serve` ends itself where its main thread has taken so many seconds of CPU time without answering anybody, so that whatever keeps it starts it again. 0: never.",
    ...integer(0, 3_600),
  },
  ...accountsSettings,
  ...extractionSettings,
  ...webSettings,
  ...chatSettings,
  ...meaningSettings,
};

/** Name, default and meaning of every setting, in the order in which people are told about them. */
export const settings: readonly {
  readonly name: string;
  readonly default: string;
  readonly meaning: string;
  readonly allowed: string;
  /** True where it may hold a credential, which may then be in a file (`{name}_FILE`). */
  readonly isSecret?: boolean;
}[] = Object.values(settingsByField);

/**
 * Reads the settings from the environment; unset and empty variables take their defaults. A secret may be in the file
 * that `{NAME}_FILE` names. Fails with one sentence per wrong variable, each naming it and what is allowed.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Result<Config, readonly string[]> {
  const problems: string[] = [];
  const read = ([field, setting]: [string, Setting<unknown>]): [string, unknown] => {
    const value = valueOf(setting, env);
    if (!value.ok) problems.push(value.error);
    return [field, value.ok ? value.value : undefined];
  };
  const config = Object.fromEntries(Object.entries(settingsByField).map(read)) as unknown as Config;
  if (problems.length === 0) problems.push(...contradictions(config));
  return problems.length === 0 ? ok(config) : failed(problems);
}

/** What the environment says of one setting, or a sentence that says what is wrong with it. */
function valueOf(
  setting: Setting<unknown>,
  env: Readonly<Record<string, string | undefined>>,
): Result<unknown, string> {
  const { name, allowed, isSecret = false } = setting;
  const given = isSecret ? secretOf(name, env) : ok({ text: env[name], variable: name, isInFile: false });
  if (!given.ok) return given;
  const { text: said, variable, isInFile } = given.value;
  const value = setting.parse(said === undefined || said === "" ? setting.default : said);
  if (value !== undefined) return ok(value);
  if (isInFile) return failed(`${variable} must name a file that holds ${allowed}, but does not.`);
  return failed(`${name} must be ${allowed}, but is ${isSecret ? "not" : JSON.stringify(said)}.`);
}

/** Settings that are right each on its own, but not together. */
function contradictions(config: Config): readonly string[] {
  const { typesenseUrl, typesenseApiKey } = config;
  const others = [...accountsContradictions(config), ...webContradictions(config)];
  if ((typesenseUrl === null) === (typesenseApiKey === null)) return others;
  return [
    ...others,
    typesenseUrl === null
      ? "TYPESENSE_API_KEY is set, but TYPESENSE_URL is not. Set both, or neither."
      : "TYPESENSE_URL is set, but TYPESENSE_API_KEY is not. Set both, or neither.",
  ];
}
