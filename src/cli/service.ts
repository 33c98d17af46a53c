import { resolve } from "node:path";
import type { ProjectionsAnswer, ProjectionStatus } from "../readModels/projectionStatus.js";
import { ApiClient, describeAnswer, type ApiAnswer, type ApiRequest, ensureReachable } from "./apiClient.js";
import { CliFailure, usageFailure, explainStartFailure } from "./cliFailure.js";
import { ProgressLine, type Terminal } from "./terminal.js";
import { delay } from "../shared/waiting.js";
import { readConfig, type Config } from "../config.js";
import { createLogger } from "../logging.js";
import { mintOperatorCredential } from "../shared/credential.js";

/** Which service a command asks. */
export interface AskedService {
  /** Address of one that runs; left out: this process starts one on the data folder. */
  readonly url?: string;
  /** The role whose key the running service takes. */
  readonly keyOf: "an operator" | "an auditor";
  /**
   * Projections that have to have come as far as the log; with none of them, a service on the data folder projects, and
   * nothing is waited for. Left out: it answers from read models as they are.
   */
  readonly restsOn?: readonly string[];
  /** Whether the data folder may begin with this command; default: there has to be data in it. */
  readonly mayBegin?: boolean;
}

/**
 * Asks the service that the command names: one that runs, with the key in ENTERPRISE_SEARCH_KEY, or one on the data
 * folder, which is started for it and stopped again whatever happens.
 */
export async function withService<Value>(
  terminal: Terminal,
  { url, keyOf, restsOn, mayBegin = false }: AskedService,
  use: (service: Service) => Promise<Value>,
): Promise<Value> {
  if (url !== undefined) {
    const service = new Service(terminal, { url, credential: keyFor(terminal, keyOf), local: null });
    await ensureReachable(url, terminal.interrupted);
    return use(service);
  }
  // Once this is read, an interrupt ends the process no more: the command ends by itself, with what it has started.
  const { interrupted } = terminal;
  const local = await startLocalService(terminal, {
    projecting: restsOn !== undefined,
    folder: mayBegin ? "make" : "find",
  });
  try {
    interrupted.throwIfAborted();
    const service = new Service(terminal, { ...local, local });
    if (restsOn !== undefined && restsOn.length > 0) await service.untilProjected(restsOn);
    return await use(service);
  } finally {
    await local.stop();
  }
}

function keyFor({ environment }: Terminal, keyOf: AskedService["keyOf"]): string {
  const key = environment["ENTERPRISE_SEARCH_KEY"];
  if (key !== undefined && /^[\x21-\x7e]+$/.test(key)) return key;
  throw usageFailure(
    `--url needs the personal key of ${keyOf} there, in the environment variable ENTERPRISE_SEARCH_KEY.`,
  );
}

interface ServiceAddress {
  readonly url: string;
  readonly credential: string;
  /** null: it runs elsewhere. */
  readonly local: LocalService | null;
  /** Aborts what is asked; default: when the command is interrupted. */
  readonly signal?: AbortSignal;
  /** How long projections that are waited for may stand still; default: a minute, longer than any batch takes. */
  readonly standstillMs?: number;
}

const lookMs = 200;
const standstillMs = 60_000;
const quietMs = 1_000;

/** A service, as commands ask it. Every failure is a sentence. */
export class Service {
  readonly url: string;
  /** Where its answers come from: the data folder, or the address of a service that runs elsewhere. */
  readonly source: string;
  private readonly client: ApiClient;
  private readonly local: LocalService | null;
  private readonly signal: AbortSignal;
  private readonly patienceMs: number;

  constructor(
    private readonly terminal: Terminal,
    address: ServiceAddress,
  ) {
    const { url, credential, local, signal = terminal.interrupted } = address;
    this.url = url;
    this.source = local?.dataDir ?? url;
    this.local = local;
    this.signal = signal;
    this.patienceMs = address.standstillMs ?? standstillMs;
    this.client = new ApiClient({
      url,
      credential,
      signal,
      onRetry: (reason) => terminal.note(`The service ${reason}; trying again.`),
    });
  }

  /** What a request is answered with. */
  async ask<Answer>(request: ApiRequest): Promise<Answer> {
    const answer = await this.client.request(request);
    if (answer.status === 200) return answer.body as Answer;
    throw failureOf(answer);
  }

  /** The bytes of an answer without bounds, as they come. */
  async stream(request: ApiRequest): Promise<AsyncIterable<Uint8Array>> {
    const answer = await this.client.stream(request);
    if ("status" in answer) throw failureOf(answer);
    return answer;
  }

  /** Where projections stand. */
  projections(): Promise<ProjectionsAnswer> {
    return this.ask({ method: "GET", path: "/api/admin/projections" });
  }

  /**
   * Waits until these projections, unless they are paused, have come as far as the log reaches now; shows how far they
   * are. A service that runs elsewhere sees to that itself. Fails, with a clause
   * that says so, where they stand still for a minute.
   */
  async untilProjected(names: readonly string[]): Promise<void> {
    if (this.local === null) return;
    const progress = new ProjectionProgress(this.terminal, this.patienceMs);
    let end: bigint | null = null;
    try {
      for (;;) {
        const answer = await this.projections();
        end ??= BigInt(answer.log);
        const behind = answer.projections.filter(
          (status) => names.includes(status.name) && isBehind(status, end ?? 0n),
        );
        if (behind.length === 0) return;
        progress.show(behind.map(positionOf), end);
        await delay(lookMs, this.signal);
        this.signal.throwIfAborted();
      }
    } finally {
      progress.stop();
    }
  }

  /** Waits until what dropped versions have stored is freed. A service that runs elsewhere sees to that itself. */
  async untilFreed(): Promise<void> {
    if (this.local === null) return;
    if (this.terminal.showsProgress) this.terminal.note("Freeing what it has stored …");
    await this.local.freed();
  }
}

const positionOf = ({ position }: ProjectionStatus): bigint => (position === null ? -1n : BigInt(position));
const isBehind = (status: ProjectionStatus, end: bigint): boolean =>
  status.state !== "paused" && positionOf(status) < end;

/**
 * Shows on a terminal how far projections have come, where it takes more than a moment, and fails where they stand
 * still.
 */
class ProjectionProgress {
  private readonly line: ProgressLine;
  private readonly begun = performance.now();
  private movedAt = this.begun;
  private reached: readonly bigint[] = [];
  private shown: bigint | null = null;

  constructor(
    terminal: Terminal,
    private readonly patienceMs: number,
  ) {
    this.line = new ProgressLine(terminal, "of the log");
  }

  show(positions: readonly bigint[], end: bigint): void {
    const now = performance.now();
    if (positions.join() !== this.reached.join()) this.movedAt = now;
    this.reached = positions;
    if (now - this.movedAt >= this.patienceMs)
      throw new CliFailure(
        `the read models have not moved for ${Math.round(this.patienceMs / 1_000)} seconds. The log says above why they cannot be written, most likely a full disk or an engine that is down.`,
      );
    if (now - this.begun < quietMs) return;
    const slowest = positions.reduce((least, each) => (each < least ? each : least), end);
    if (this.shown === null) this.line.start(Number(end));
    this.line.advance(Number(slowest) - Number(this.shown ?? 0n));
    this.shown = slowest;
  }

  stop(): void {
    this.line.stop();
  }
}

/** What went wrong, from an answer that is no success: what is wrong with the request, or why it cannot be answered. */
function failureOf(answer: ApiAnswer): CliFailure {
  const issues = issuesIn(answer);
  if (issues !== null) return usageFailure(describeIssues(issues));
  const { detail } = (answer.body ?? {}) as { readonly detail?: unknown };
  const isRefusal = answer.status >= 400 && answer.status < 500 && typeof detail === "string";
  return new CliFailure(isRefusal ? detail : describeAnswer(answer));
}

/** What of an issue it takes to say what is wrong. */
interface DescribedIssue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** What is wrong with a request, a sentence a line. */
const describeIssues = (issues: readonly DescribedIssue[]): string => issues.map(describeIssue).join("\n");

function describeIssue({ loc: [, ...field], msg, type }: DescribedIssue): string {
  const said = type === "missing" ? "It is missing" : capitalised(msg.replace(/^Value error, /, ""));
  return field.length === 0 ? `${said}.` : `${field.join(".")}: ${said}.`;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The issues of an answer that refuses a request for what it holds; null where it does not. */
function issuesIn(answer: Pick<ApiAnswer, "status" | "body">): readonly DescribedIssue[] | null {
  const { detail } = (answer.body ?? {}) as { readonly detail?: unknown };
  return answer.status === 422 && Array.isArray(detail) ? (detail as readonly DescribedIssue[]) : null;
}

/** The settings from the environment. Fails with every setting that is wrong, by name. */
export function loadConfig({ environment, printsToTerminal }: Terminal): Config {
  const config = readConfig({
    ...environment,
    LOG_FORMAT: environment["LOG_FORMAT"] || (printsToTerminal ? "pretty" : ""),
  });
  if (config.ok) return config.value;
  throw usageFailure(["The settings are not valid:", ...config.error.map((problem) => `  ${problem}`)].join("\n"));
}

/** A service in this process, and what its only client needs. */
interface LocalService {
  readonly url: string;
  readonly dataDir: string;
  /** Takes everything; made for this process and known to it alone. */
  readonly credential: string;
  /** Resolves once what dropped versions have stored is freed. */
  freed(): Promise<void>;
  stop(): Promise<void>;
}

/** How long a server on the same folder has to begin a rebuild before this process does. */
const serversTurnMs = 2_000;

/** What a command does with the service of the data folder. */
interface LocalUse {
  /** Whether read models are brought up to date too; else it answers from what is there. */
  readonly projecting: boolean;
  /** `make`: a folder without data is where the service begins; `find`: there has to be data already. */
  readonly folder: "make" | "find";
}

/**
 * Starts the service of DATA_DIR in this process, on a free port of this machine alone, beside a running server or not.
 */
export async function startLocalService(terminal: Terminal, { projecting, folder }: LocalUse): Promise<LocalService> {
  const config = loadConfig(terminal);
  // Loaded only when it is needed, so that help and mistakes are answered at once.
  const { startService } = await import("../main.js");
  const credential = mintOperatorCredential();
  const service = await startService(
    { ...config, role: projecting ? "all" : "api", host: "127.0.0.1", port: 0 },
    createLogger({ ...config, logLevel: "error", logTo: "stderr" }),
    {
      ...{ operatorCredential: credential, rebuildsBeginAfterMs: serversTurnMs, folder },
      mayBeBehind: !projecting,
      expiresFiles: false,
      isPatient: true,
    },
  ).catch((error: unknown) => {
    throw explainStartFailure(error, config);
  });
  const dataDir = resolve(config.dataDir);
  return { url: service.url, dataDir, credential, freed: () => service.freed(), stop: () => service.stop() };
}
