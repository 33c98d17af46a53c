import type { Rejection, SubPath, SyncRunEnd } from "../../commands/rejection.js";
import { queryBounds, type QueryExcess } from "../analysis/queryBounds.js";
import type { QueryFailure } from "../../queries/queries.js";
import type { ExtractionBusy, ReadModelUnavailable, WebSearchUnavailable } from "../shared/failures.js";
import type { Result } from "../shared/result.js";
import { extraForbidden, valueError, type Issue, mostIssues } from "./validation/issue.js";
import { RefusedRequest, type Refusal } from "./refusedRequest.js";
import { counted, notStorable } from "../shared/texts.js";

/** `{detail}` with a sentence (spec: Envelopes). */
const refusal = (status: number, detail: string, headers?: Refusal["headers"]): Refusal => ({
  status,
  body: { detail },
  headers,
});

/** The standard 422 envelope (spec: Validation error body). */
const invalidRequest = (issues: readonly Issue[]): Refusal => ({
  status: 422,
  body: { detail: issues.slice(0, mostIssues) },
});

/** A name as it stands in a sentence. */
const quoted = (name: string): string => JSON.stringify(name);

type Refused =
  | "CredentialRevoked"
  | "AccountEmailInvalid"
  | "AccountExists"
  | "AccountNotFound"
  | "AccountIsDisabled"
  | "OwnAdministratorRole"
  | "OwnAccountDisabled"
  | "AccountLinkInvalid"
  | "PasswordWrong"
  | "PasswordRefused"
  | "SignInRefused";

/** What a request gets that is refused because of an account, a password or a credential. */
const accountRefusals: {
  readonly [Type in Refused]: (rejection: Extract<Rejection, { readonly type: Type }>) => Refusal;
} = {
  CredentialRevoked: ({ id }) => refusal(409, `The credential ${quoted(id)} is revoked, for good. Create another one.`),
  AccountEmailInvalid: () =>
    invalidRequest([
      valueError(["body", "email"], "an account is known by an email address of 254 characters at most"),
    ]),
  AccountExists: ({ email }) => refusal(409, `There is an account for ${quoted(email)} already.`),
  AccountNotFound: ({ email }) => refusal(404, `There is no account for ${quoted(email)}.`),
  AccountIsDisabled: ({ email }) =>
    refusal(403, `The account ${quoted(email)} is disabled. An administrator can enable it.`),
  OwnAdministratorRole: () =>
    refusal(409, "Nobody takes their own administrator role, so that one administrator is left. Ask another one."),
  OwnAccountDisabled: () =>
    refusal(409, "Nobody disables their own account, so that one administrator is left. Ask another one."),
  AccountLinkInvalid: () =>
    refusal(403, "The link does not hold any more: it was used, replaced, or is too old. Ask for another one."),
  PasswordWrong: () => refusal(403, "The present password is another one. Nothing was changed."),
  PasswordRefused: ({ reason }) => invalidRequest([valueError(["body", "password"], reason)]),
  SignInRefused: () =>
    refusal(401, "The e-mail or the password is wrong, or the account cannot be used.", {
      "WWW-Authenticate": "Bearer",
    }),
};

type Failure = Rejection | QueryFailure;

export { invalidRequest, refusal };

/** What a request gets whose address leads nowhere. */
export const nothingHere: Refusal = refusal(404, "There is nothing at this address. The API is described at /docs.");

const excessWords: { readonly [Kind in QueryExcess["of"]]: string } = {
  exclusions: "excluded words and phrases",
  phraseWords: "words in one phrase",
};

const retryAfter = (seconds: number): Refusal["headers"] => ({ "Retry-After": String(seconds) });
const stepsTo = (sub: SubPath): readonly (string | number)[] => sub.flatMap((index) => ["subs", index]);
const under = (parentKey: string | null): string => (parentKey === null ? "" : ` under ${quoted(parentKey)}`);

/** What became of a sync run that is over. */
const endsOfRuns: Readonly<Record<SyncRunEnd, string>> = {
  committed: "has been committed.",
  aborted: "has been aborted, and deleted nothing.",
  expired: "has expired, and deleted nothing.",
  datasourceDeleted: "is one of a datasource that has been deleted since.",
};

/** What a request gets, whatever it asks, while the read model that decides about it is away. */
export const unavailable = ({ retryAfterSeconds }: ReadModelUnavailable): Refusal =>
  refusal(
    503,
    "The service cannot look up what the answer rests on at the moment. Send the request again.",
    retryAfter(retryAfterSeconds),
  );

/** What a command gets where the log has not answered for as long as it was asked. */
export const logUnavailable: Refusal = refusal(
  503,
  "The event log does not answer at the moment, so it is not known whether this was written. Send the request again; what was written already is found.",
  retryAfter(1),
);

/** What a request gets whose file cannot be read now, or whose question no engine of the web answers. */
export const notNow = ({ message, retryAfterSeconds }: ExtractionBusy | WebSearchUnavailable): Refusal =>
  refusal(503, message, retryAfterSeconds === null ? undefined : retryAfter(retryAfterSeconds));

/** What a command gets where there is no room to write it down. */
export const diskFull: Refusal = refusal(
  503,
  "The disk of the service is full, so nothing can be written at the moment. Send the request again once an operator has made room.",
  retryAfter(30),
);

/** What a command gets where the time that it would be written with lies far before the newest event's. */
export const clockIsBehind = (sentence: string): Refusal => refusal(503, sentence, retryAfter(30));

/** Every way in which a command or a query can be refused, and what the client gets. The only such table. */
const refusals: { readonly [Type in Failure["type"]]: (failure: Extract<Failure, { type: Type }>) => Refusal } = {
  DatasourceExists: ({ datasource }) => refusal(409, `A datasource named ${quoted(datasource)} exists already.`),
  DatasourceNotFound: ({ datasource }) => refusal(404, `There is no datasource named ${quoted(datasource)}.`),
  DatasourceForbidden: ({ datasource }) =>
    refusal(
      403,
      `This service account is limited to other datasources than ${quoted(datasource)}, or to an earlier one of that name.`,
    ),
  SubExists: ({ key, parentKey }) =>
    refusal(409, `A sub with the key ${quoted(key)} exists already${under(parentKey)}.`),
  SubNotFound: ({ key, parentKey }) => refusal(404, `There is no sub with the key ${quoted(key)}${under(parentKey)}.`),
  SubParentNotFound: ({ parentKey }) => refusal(404, `There is no top-level sub with the key ${quoted(parentKey)}.`),
  SubAmbiguous: ({ key, parentKeys }) =>
    refusal(
      409,
      `The key ${quoted(key)} stands under several parents. Say which one with ?parent_key=, one of ${parentKeys.join(", ")}.`,
    ),
  SubParentContradicted: ({ parentKey, nestedIn, at }) =>
    invalidRequest([
      valueError(
        ["body", ...stepsTo(at), "parent_key"],
        `the sub is nested in ${quoted(nestedIn)}, and cannot have the parent ${quoted(parentKey)} as well`,
      ),
    ]),
  SubTooDeep: ({ parentKey, at, field }) =>
    invalidRequest([
      valueError(
        ["body", ...stepsTo(at), field],
        `subs have two levels at most, and ${quoted(parentKey)} is on the second`,
      ),
    ]),
  SubKeyUnderivable: ({ name, at }) =>
    invalidRequest([
      valueError(["body", ...stepsTo(at), "key"], `no key can be derived from the name ${quoted(name)}; send a key`),
    ]),
  SubsCannotChange: () =>
    invalidRequest([
      extraForbidden(["body", "subs"], "subs cannot be changed here; add and remove them at /datasources/{name}/subs"),
    ]),
  PropertyTypeConflict: ({ property, types }) =>
    invalidRequest([
      valueError(
        ["body", "object_definitions"],
        `the property ${quoted(property)} is defined with several types: ${types.join(", ")}`,
      ),
    ]),
  EmailEmpty: () => refusal(400, "The email is missing or empty."),
  UserExists: ({ datasource, email }) =>
    refusal(409, `The user ${quoted(email)} exists already in the datasource ${quoted(datasource)}.`),
  UserNotFound: ({ datasource, email }) =>
    refusal(404, `There is no user ${quoted(email)} in the datasource ${quoted(datasource)}.`),
  GroupNameInvalid: ({ reason }) => refusal(400, reason),
  GroupExists: ({ datasource, group }) =>
    refusal(409, `The group ${quoted(group)} exists already in the datasource ${quoted(datasource)}.`),
  GroupNotFound: ({ datasource, group }) =>
    refusal(404, `There is no group ${quoted(group)} in the datasource ${quoted(datasource)}.`),
  MembershipExists: ({ group, member }) =>
    refusal(409, `${quoted(member)} is a member of the group ${quoted(group)} already.`),
  MembershipNotFound: ({ group, member }) =>
    refusal(404, `${quoted(member)} is not a member of the group ${quoted(group)}.`),
  MembershipCycle: ({ path }) => refusal(409, `The membership would close a cycle: ${path.join(" -> ")}.`),
  DocumentSchemaViolation: ({ code, message }) => ({
    status: 422,
    body: { status: "error", details: { error_code: code, message } },
  }),
  WouldWiden: ({ documentId }) =>
    refusal(
      409,
      `The document ${quoted(documentId)} is restricted, and every registered user of the datasource would see it. Send its permissions, or push without never_widen.`,
    ),
  FileUnstorable: () => invalidRequest([valueError(["body", "documents", "body", "binary_base64"], notStorable)]),
  SyncRunNotFound: ({ id }) => refusal(404, `There is no sync run with the id ${quoted(id)}.`),
  SyncRunOver: ({ id, because }) =>
    refusal(409, `The sync run ${quoted(id)} ${endsOfRuns[because]} Start another one.`),
  SyncRunOpen: ({ id }) => refusal(409, `The sync run ${quoted(id)} has to be committed first.`),
  SyncRunOfOtherDatasource: ({ id, datasource }) =>
    refusal(
      409,
      `The sync run ${quoted(id)} is one of the datasource ${quoted(datasource)}: nothing of another datasource can be pushed with it.`,
    ),
  SyncRunDeletesTooMuch: ({ missing, documents, maxDeletedShare }) => ({
    status: 409,
    body: {
      detail: `${missing} of ${counted(documents, "document")} were not seen in this run and would be deleted, more than its max_deleted_share of ${maxDeletedShare}. Nothing was deleted, and the run goes on. Commit again with confirm=true if that is meant; otherwise push what is missing, or abort the run.`,
      would_delete: missing,
      documents,
    },
  }),
  FileNotFound: ({ id }) => refusal(404, `There is no file with the id ${quoted(id)}.`),
  FileUnreadable: ({ reason }) =>
    invalidRequest([valueError(["body", "file"], `the file cannot be read. ${reason.replace(/\.$/, "")}`)]),
  FileOfOtherType: ({ uploadType, found }) =>
    invalidRequest([valueError(["body", "file"], `the file is ${found} and no ${uploadType}; say in type what it is`)]),
  AgentNotFound: ({ id }) => refusal(404, `There is no agent with the id ${quoted(id)}.`),
  CredentialNotFound: ({ id }) => refusal(404, `There is no credential with the id ${quoted(id)}.`),
  ...accountRefusals,
  ProjectionNotFound: ({ projection }) => refusal(404, `There is no projection named ${quoted(projection)}.`),
  ProjectionIsReaction: ({ projection }) =>
    refusal(
      409,
      `${quoted(projection)} is a reaction, not a read model: what it did is done once, and there is nothing to build anew.`,
    ),
  RebuildUnderWay: ({ projection, version }) =>
    refusal(
      409,
      `Version ${version} of ${quoted(projection)} is under way already. Wait for it, accept it, or drop it.`,
    ),
  NothingToAccept: ({ projection }) => refusal(409, `No version of ${quoted(projection)} waits to be accepted.`),
  VersionNotReady: ({ projection, version }) =>
    refusal(
      409,
      `Version ${version} of ${quoted(projection)} cannot be served yet: it has not been compared, or it differs and was not accepted.`,
    ),
  NoVersionKept: ({ projection }) =>
    refusal(409, `No earlier version of ${quoted(projection)} was kept, so there is none to go back to.`),
  VersionServed: ({ projection, version }) =>
    refusal(
      409,
      `Version ${version} of ${quoted(projection)} is the one that is served. Go back to another, or build one, before it is dropped.`,
    ),
  VersionNotFound: ({ projection, version }) => refusal(404, `${quoted(projection)} has no version ${version}.`),
  ParkedEventTakesAway: ({ projection, eventType }) =>
    refusal(
      409,
      `Leaving ${eventType} out of ${quoted(projection)} would let people keep what they have lost, or make answers about the past wrong, so its scope stays closed: retry it, or rebuild the projection with a version of the program that can apply it.`,
    ),
  TooLarge: ({ bytes, maxBytes }) =>
    refusal(
      413,
      `What would be recorded of this comes to ${bytes} bytes, and at most ${maxBytes} can be recorded at once. Nothing was written. In a document's permissions, name groups instead of single users; replace a group's members in parts.`,
    ),
  TooMuchContention: () =>
    refusal(
      503,
      "Other writers kept changing the same data. Nothing was written; send the request again.",
      retryAfter(1),
    ),
  DocumentNotFound: ({ id }) => refusal(404, `There is no document with the id ${quoted(id)}.`),
  UnknownDatasourceFilter: ({ value }) =>
    invalidRequest([
      valueError(
        ["query", "data_source"],
        `${quoted(value)} can be no data source: names are lowercase words of letters and digits, joined by single underscores, and subs follow after two`,
      ),
    ]),
  QueryTooLarge: ({ of, found }) =>
    invalidRequest([
      valueError(
        ["query", "query"],
        `a search takes at most ${queryBounds[of]} ${excessWords[of]}, and this one has ${found}; leave some out`,
      ),
    ]),
  NotYetConsistent: ({ waitedMs }) =>
    refusal(
      503,
      `The write behind X-Consistency-Token is not served yet, after ${waitedMs} ms of waiting. Send the request again.`,
      retryAfter(1),
    ),
  TokenBeyondLog: () =>
    refusal(
      409,
      "X-Consistency-Token names a write that the log of this service does not hold: it is another service's, or older than a restore of the log. Send the request again without it, or with the token of a later write.",
    ),
  NotComparable: ({ projection }) =>
    refusal(409, `${quoted(projection)} answers no questions of its own, so there is nothing to compare with the log.`),
  VersionStandsStill: ({ projection, version }) =>
    refusal(
      409,
      `Version ${version} of ${quoted(projection)} was served before and stands still, so it cannot be held against the log. The one that is served, and one that is being built, can.`,
    ),
  ParkedEventNotFound: ({ projection, position }) =>
    refusal(404, `No event at position ${position} is parked in ${quoted(projection)}.`),
  ReadModelBehind: ({ projection }) =>
    refusal(
      503,
      `${quoted(projection)} does not come as far as the log. Look at its status; send the request again once it has caught up.`,
      retryAfter(30),
    ),
  AccessUnavailable: ({ datasource }) =>
    refusal(
      503,
      `Who may see what in the datasource ${quoted(datasource)} cannot be decided at the moment. Access is refused until an operator has repaired it.`,
      retryAfter(30),
    ),
  ExportRangeReversed: () =>
    invalidRequest([valueError(["query", "from"], "the moment must not lie behind that of `to`")]),
  HistoryParked: ({ datasource }) =>
    refusal(
      503,
      `An event ${datasource === null ? "" : `of the datasource ${quoted(datasource)} `}could not be applied or read, so what was so since then is not known. Moments before it can be asked for; an operator has to repair the rest.`,
      retryAfter(30),
    ),
  HistoryBehind: ({ waitedMs }) =>
    refusal(
      503,
      `The permission history has not come as far as this question asks, after ${waitedMs} ms of waiting. Send the request again.`,
      retryAfter(1),
    ),
  MomentInFuture: ({ parameter }) =>
    invalidRequest([valueError(["query", parameter], "the moment must not lie in the future")]),
};

/** Status and envelope of an expected failure. */
export function toRefusal(failure: Failure): Refusal {
  // The table's type pairs every failure with its own row; a lookup by a union cannot say so.
  return (refusals[failure.type] as (failure: Failure) => Refusal)(failure);
}

/** The value of a result that succeeded; a failure ends the request with its envelope. */
export function valueOf<Value>(result: Result<Value, Failure>): Value {
  if (result.ok) return result.value;
  throw new RefusedRequest(toRefusal(result.error));
}

/** The message of a check that passed; issues end the request with the standard envelope. */
export function checked<Message>(result: Result<Message, readonly Issue[]>): Message {
  if (result.ok) return result.value;
  throw new RefusedRequest(invalidRequest(result.error));
}
