import type { IncomingMessage, ServerResponse } from "node:http";
import type { CommandContext } from "../../commands/commands.js";
import type { CredentialRecord } from "../readModels/credentials.js";
import type { Role } from "../shared/credential.js";
import {
  toDatasourceName,
  toDocumentId,
  toEmail,
  type DatasourceName,
  type DocumentId,
  type Email,
} from "../shared/ids.js";
import { parseConsistencyToken, type Position } from "../shared/position.js";
import { valueError } from "../validation/issue.js";
import { textIssue, textRules } from "../validation/parameters.js";
import { parseQueryString, type QueryString } from "../validation/queryString.js";
import type { Checked } from "../validation/requestBodies.js";
import { parseStrictJson } from "../validation/strictJson.js";
import { RefusedRequest } from "./answer.js";
import { roleMissing } from "./authentication.js";
import { checked, invalidRequest, toAnswer } from "./envelopes.js";
import { operatorOfThisProcess } from "./operatorCredential.js";
import { readBody } from "./requestBody.js";
import type { TrialContext } from "../audit/whatIf/http/trial.js";

/** Bodies other than documents: a datasource with an icon of 256 KiB and hundreds of definitions fits. */
const maxSmallBodyBytes = 1_048_576;

/** Where a request comes from and how it was routed. */
export interface RequestOrigin {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Correlates log lines, events and the answer. */
  readonly id: string;
  /** Null on open routes. */
  readonly credential: CredentialRecord | null;
  /** Of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  /** What follows `?`, as it was sent. */
  readonly search: string;
}

/**
 * A routed and authenticated request, as the routes see it. Whatever is wrong with it ends it with a `RefusedRequest`.
 */
export class ApiRequest {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;

  constructor(private readonly origin: RequestOrigin) {
    this.incoming = origin.incoming;
    this.outgoing = origin.outgoing;
  }

  /** On whose behalf a command is given. */
  get context(): CommandContext {
    return { by: this.proven().id, correlationId: this.origin.id, allowedDatasources: this.proven().datasources };
  }

  /** On whose behalf requests are tried. */
  get trial(): TrialContext {
    return { credential: this.proven(), requestId: this.origin.id };
  }

  /** The searching person: whom the personal key is bound to. */
  get person(): Email {
    return toEmail(this.proven().email ?? "");
  }

  get query(): QueryString {
    return checked(parseQueryString(this.origin.search));
  }

  /** What the read has to have seen; null where the client asks for nothing. */
  get atLeast(): Position | null {
    const token = this.incoming.headers["x-consistency-token"];
    if (token === undefined) return null;
    const position = parseConsistencyToken(String(token));
    if (position !== null) return position;
    throw new RefusedRequest(
      invalidRequest([
        valueError(["header", "x-consistency-token"], "the token must be one that this service answered a write with"),
      ]),
    );
  }

  /** True where the client names this media type as one that it takes. */
  accepts(mediaType: string): boolean {
    const accepted = this.incoming.headers.accept ?? "";
    return accepted.split(",").some((range) => range.split(";")[0]?.trim().toLowerCase() === mediaType);
  }

  /** A path parameter, decoded; nothing is said about its form. */
  parameter(name: string): string {
    return this.origin.parameters[name] ?? "";
  }

  datasourceParameter(name: string): DatasourceName {
    return toDatasourceName(this.checkedParameter(name, textRules.slug));
  }

  slugParameter(name: string): string {
    return this.checkedParameter(name, textRules.slug);
  }

  documentIdParameter(name: string): DocumentId {
    return toDocumentId(this.checkedParameter(name, textRules.documentId));
  }

  emailParameter(name: string): Email {
    return toEmail(this.checkedParameter(name, textRules.email));
  }

  groupParameter(name: string): string {
    return this.checkedParameter(name, textRules.groupName);
  }

  /** The body of every route but documents', parsed and checked. */
  async body<Message>(check: (input: unknown) => Checked<Message>): Promise<Message> {
    const { bytes } = await readBody(this.incoming, this.outgoing, { maxBytes: maxSmallBodyBytes });
    return checked(check(checked(parseStrictJson(bytes))));
  }

  /** Ends the request of a key that was not made for this role (403). */
  requireRole(role: Role): void {
    if (!this.proven().roles.includes(role)) throw roleMissing(role);
  }

  /** True for whoever has started this process, and for nobody who holds a key. */
  get isOperatorOfThisProcess(): boolean {
    return this.origin.credential === operatorOfThisProcess;
  }

  mayUse(datasource: DatasourceName): boolean {
    const allowed = this.proven().datasources;
    return allowed === null || allowed.includes(datasource);
  }

  /** Ends a read of a datasource that the service account is not made for (403). */
  requireDatasource(datasource: DatasourceName): void {
    if (!this.mayUse(datasource)) throw new RefusedRequest(toAnswer({ type: "DatasourceForbidden", datasource }));
  }

  private checkedParameter(name: string, rule: { readonly pattern?: string; readonly maxLength: number }): string {
    const text = this.parameter(name);
    const issue = textIssue(["path", name], text, rule);
    if (issue === null) return text;
    throw new RefusedRequest(invalidRequest([issue]));
  }

  private proven(): CredentialRecord {
    const { credential } = this.origin;
    if (credential === null) throw new Error("A route without authentication asked who is calling.");
    return credential;
  }
}
