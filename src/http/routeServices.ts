import type { Commands } from "../../commands/commands.js";
import type { Queries } from "../../queries/queries.js";
import type { AuditQueries } from "../audit/auditQueries.js";
import type { Chat } from "../chat/chat.js";
import type { ChatLimits } from "../chat/routes/chatLimits.js";
import type { AuditExport } from "../audit/export/auditExport.js";
import type { WhatIf } from "../audit/whatIf/requests/whatIf.js";
import type { ParkedEvents } from "../operations/parked/parkedEvents.js";
import type { Undo } from "../operations/undo/undo.js";
import type { Verification } from "../operations/verify/verification.js";
import type { AllAgents } from "../readModels/agents.js";
import type { ConsistencyTokens } from "../shared/consistencyTokens.js";
import type { DatasourceName } from "../shared/ids.js";
import type { Position } from "../shared/position.js";
import type { WebSearch } from "../webSearch/webSearch.js";
import type { AwaitedReadModel } from "./messages/health.js";
import type { RequestsUnderWay } from "../shared/requestsUnderWay.js";
import type { MemoryBudget } from "./body/memoryBudget.js";
import type { FirstAccount } from "./signIn/firstAccount.js";
import type { LastUses } from "./signIn/lastUses.js";
import type { SignInLimits } from "./signIn/signInLimits.js";
import type { RateLimits } from "./rateLimits.js";
import type { RefusalOf } from "./refusedRequest.js";
import type { SearchBacklog } from "./body/searchBacklog.js";
import type { Turns } from "../shared/turns.js";
import type {
  DataDisk,
  DocumentIntake,
  EventReader,
  IdentityProvider,
  ProjectionOverview,
  UploadedFiles,
  UploadFolder,
} from "./ports.js";

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

/** What routes work with: `context.services`. */
export interface RouteServices {
  readonly commands: Commands;
  readonly queries: Queries;
  readonly audit: AuditQueries;
  readonly auditExport: AuditExport;
  readonly eventLog: EventReader;
  readonly projections: ProjectionOverview;
  readonly verification: Verification;
  readonly parked: ParkedEvents;
  readonly undo: Undo;
  readonly whatIf: WhatIf;
  readonly intake: DocumentIntake;
  /** The address under which people reach the service; null: whichever they asked. */
  readonly publicUrl: string | null;
  readonly refusalOf: RefusalOf;
  readonly maxBodyBytes: number;
  /** Of a document's binary, decoded. */
  readonly maxBinaryBytes: number;
  readonly files: UploadedFiles;
  readonly agents: AllAgents;
  readonly uploads: UploadFolder;
  /** Of an uploaded file. */
  readonly maxUploadBytes: number;
  readonly webSearch: WebSearch;
  /** Whether an engine serves the tenant's default mode. */
  readonly searchesWeb: boolean;
  readonly chat: Chat;
  /** How many answers are made at once. */
  readonly chatLimits: ChatLimits;
  /** What models are said to be owned by. */
  readonly productName: string;
  /** For bodies that are large. */
  readonly memory: MemoryBudget;
  /** For documents. */
  readonly searchBacklog: SearchBacklog;
  /** Of groups' members, by datasource: for those that have lost a race. */
  readonly replacements: Turns<DatasourceName>;
  readonly rateLimits: RateLimits;
  readonly lastUses: Pick<LastUses, "note" | "of">;
  readonly signIn: SignInServices;
  readonly consistencyTokens: ConsistencyTokens;
  readonly disk: DataDisk;
  readiness(): Promise<Readiness>;
  /**
   * Whether the file of the log is another than the one that was opened. What is served rests on the old one, so nothing
   * is answered until the service is started again.
   */
  isLogExchanged(): boolean;
  /** Where requests are kept for whoever watches this thread; null: nobody does. */
  readonly underWay: RequestsUnderWay | null;
  /** Waits, boundedly, until the read models of access and catalogue serve this position. */
  waitUntilProjected(position: Position): Promise<void>;
}
