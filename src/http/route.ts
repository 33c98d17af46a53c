import type { Commands } from "../../commands/commands.js";
import type { Undo } from "../operations/undo/undo.js";
import type { Verification } from "../operations/verify/verification.js";
import type { AuditQueries } from "../audit/auditQueries.js";
import type { AuditExport } from "../audit/export/auditExport.js";
import type { Queries } from "../../queries/queries.js";
import type { Position } from "../shared/position.js";
import type { Answer } from "./answer.js";
import type { ApiRequest } from "./apiRequest.js";
import type { Access } from "./authentication.js";
import type { MemoryBudget } from "./memoryBudget.js";
import type { DocumentIntake, EventLog, ProjectionOverview } from "./ports.js";
import type { WhatIf } from "../audit/whatIf/http/trial.js";

/** What routes work with. */
export interface RouteServices {
  readonly commands: Commands;
  readonly queries: Queries;
  readonly audit: AuditQueries;
  readonly auditExport: AuditExport;
  readonly eventLog: EventLog;
  readonly projections: ProjectionOverview;
  readonly verification: Verification;
  readonly undo: Undo;
  readonly whatIf: WhatIf;
  readonly intake: DocumentIntake;
  readonly maxBodyBytes: number;
  readonly memory: MemoryBudget;
  isReady(): Promise<boolean>;
  /** Waits, boundedly, until the read models of access and catalogue serve this position. */
  settle(position: Position): Promise<void>;
}

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** A parameter as the API description tells of it. */
export interface ParameterDescription {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly description: string;
  readonly required?: boolean;
  readonly schema: object;
}

/** How the API description tells of a route. Names of schemas are those of the message types. */
export interface RouteDescription {
  readonly tag:
    | "Datasources"
    | "Documents"
    | "Users"
    | "Groups"
    | "Memberships"
    | "Search"
    | "Audit"
    | "Projections"
    | "Events"
    | "Credentials"
    | "Operation";
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly ParameterDescription[];
  /** Alternatives are one of. */
  readonly body?: { readonly schemas: readonly string[]; readonly example: unknown };
  readonly success: {
    readonly description: string;
    readonly schema: object;
    readonly example?: unknown;
    readonly carriesToken?: true;
    /** `application/json` where left out. */ readonly mediaType?: string;
  };
  /** Besides 401, 422 and 500: status and when. */
  readonly failures?: Readonly<Record<number, string>>;
}

export interface Route {
  readonly method: Method;
  /** `{name}` stands for one segment. */
  readonly path: string;
  readonly access: Access;
  handle(request: ApiRequest, services: RouteServices): Promise<Answer> | Answer;
}

/** A route of the public interface. */
export interface DescribedRoute extends Route {
  readonly description: RouteDescription;
}
