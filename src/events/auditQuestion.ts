import type { DatasourceName, Email } from "../shared/ids.js";

/** What can be asked about the past, or about other people. */
export type AuditQuestionKind =
  "search" | "access" | "who" | "what" | "history" | "exposure" | "what-if" | "export" | "web-queries";

/** About whom or what a question was. What a search looked for is nobody's business. */
interface AuditedSubject {
  readonly user?: Email;
  /** `{datasource}/{id}` */
  readonly document?: string;
  readonly group?: { readonly datasource: DatasourceName; readonly name: string };
  /** The position of an event, in decimal digits. */
  readonly event?: string;
}

/** Somebody with the right to was answered; who it was, and when, is in the metadata. */
export interface AuditQuestionAnswered {
  readonly type: "AuditQuestionAnswered";
  readonly data: {
    readonly question: AuditQuestionKind;
    readonly about: AuditedSubject;
    /** The position as of which it was answered, in decimal digits; of an export, its end. */
    readonly asOf: string;
  };
}

/** Stream `auditQuestion-{credential}`: what was asked with it. It decides nothing, and no projection follows it. */
export type AuditQuestionEvent = AuditQuestionAnswered;

export const auditQuestionEventTypes: Readonly<Record<AuditQuestionEvent["type"], true>> = {
  AuditQuestionAnswered: true,
};
