import type { Commands } from "../../commands/commands.js";
import type { Queries } from "../../queries/queries.js";
import type { RequestShares, UploadQuotas, RateLimits, SearchBacklog } from "./limits.js";
import type { AllAgents } from "../readModels/agents.js";
import type { ConsistencyTokens } from "../shared/consistencyTokens.js";
import type { DatasourceName } from "../shared/ids.js";
import type { Position } from "../shared/position.js";
import type { AwaitedReadModel } from "./messages/health.js";
import type { RequestsUnderWay } from "../shared/requestsUnderWay.js";
import type { FirstAccount } from "./signIn/firstAccount.js";
import type { LastUses } from "./signIn/lastUses.js";
import type { SignInLimits } from "./signIn/signInLimits.js";
import type { RefusalOf } from "./refusedRequest.js";
import type { Turns } from "../shared/waiting.js";
import type { DataDisk, DocumentIntake, IdentityProvider, UploadedFiles, UploadFolder } from "./ports.js";

/** Whether the service should get requests, and which read models do not answer yet. */
export interface Readiness {
  readonly isReady: boolean;
  readonly waitsFor: readonly AwaitedReadModel[];
  /** The names of threads that have ended and are not at work again. */
  readonly threadsAway: readonly string[];
  /** It ends, and still answers what comes. */
  readonly isStopping: boolean;
}

/** What signing in rests on. */
export interface SignInServices {
  readonly limits: SignInLimits;
  /** null: there is none. */
  readonly identityProvider: IdentityProvider | null;
  readonly firstAccount: FirstAccount;
  /** A session that nobody uses for so long is over. */
  readonly idleMs: number;
  /** And after so long one that is used. */
  readonly lifetimeMs: number;
  /** Whether anybody has an account. */
  hasAccounts(): Promise<boolean>;
}

/** What routes work with: `context.services`. Each feature declares beside its routes what these need besides. */
export interface RouteServices {
  readonly commands: Commands;
  readonly queries: Queries;
  readonly intake: DocumentIntake;
  /** The address under which people reach the service; null: whichever they asked. */
  readonly publicUrl: string | null;
  readonly refusalOf: RefusalOf;
  readonly maxBodyBytes: number;
  /** The most bytes of a document's binary, decoded. */
  readonly maxBinaryBytes: number;
  readonly files: UploadedFiles;
  readonly agents: AllAgents;
  readonly uploads: UploadFolder;
  readonly uploadQuotas: UploadQuotas;
  /** The most bytes of an uploaded file. */
  readonly maxUploadBytes: number;
  /** The name that models are said to be owned by. */
  readonly productName: string;
  readonly shares: RequestShares;
  /** For documents. */
  readonly searchBacklog: SearchBacklog;
  /** The turns of replacements of groups' members that have lost a race, by datasource. */
  readonly replacements: Turns<DatasourceName>;
  readonly rateLimits: RateLimits;
  readonly lastUses: Pick<LastUses, "note" | "of">;
  readonly signIn: SignInServices;
  readonly consistencyTokens: ConsistencyTokens;
  readonly disk: DataDisk;
  readiness(): Promise<Readiness>;
  /**
   * Whether the file of the log is another than the one that was opened. What is served rests on the old one, so
   * nothing is answered until the service is started again.
   */
  isLogExchanged(): boolean;
  /** Where requests are kept for the watcher of this thread; null: nobody watches. */
  readonly underWay: RequestsUnderWay | null;
  /** Waits, boundedly, until the read models of access and catalogue serve this position. */
  waitUntilProjected(position: Position): Promise<void>;
}
