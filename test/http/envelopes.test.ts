import { expect } from "chai";
import type { Rejection } from "../../commands/rejection.js";
import type { QueryFailure } from "../../queries/queries.js";
import { toRefusal } from "../../src/http/envelopes.js";

type Failure = Rejection | QueryFailure;

/** One of each; the type makes sure of it. */
const failures: { readonly [Type in Failure["type"]]: readonly [Extract<Failure, { type: Type }>, number] } = {
  DatasourceExists: [{ type: "DatasourceExists", datasource: "wiki" }, 409],
  DatasourceNotFound: [{ type: "DatasourceNotFound", datasource: "wiki" }, 404],
  DatasourceForbidden: [{ type: "DatasourceForbidden", datasource: "wiki" }, 403],
  SubExists: [{ type: "SubExists", key: "hr", parentKey: null }, 409],
  SubNotFound: [{ type: "SubNotFound", key: "travel", parentKey: "hr" }, 404],
  SubParentContradicted: [{ type: "SubParentContradicted", parentKey: "hr", nestedIn: "it", at: [0, 1] }, 422],
  SubParentNotFound: [{ type: "SubParentNotFound", parentKey: "hr" }, 404],
  SubAmbiguous: [{ type: "SubAmbiguous", key: "travel", parentKeys: ["hr", "it"] }, 409],
  SubTooDeep: [{ type: "SubTooDeep", parentKey: "travel", at: [2, 0], field: "subs" }, 422],
  SubKeyUnderivable: [{ type: "SubKeyUnderivable", name: "!!!", at: [] }, 422],
  PropertyTypeConflict: [{ type: "PropertyTypeConflict", property: "owner", types: ["TEXT", "DATE"] }, 422],
  EmailEmpty: [{ type: "EmailEmpty" }, 400],
  UserExists: [{ type: "UserExists", datasource: "wiki", email: "ada@example.org" }, 409],
  UserNotFound: [{ type: "UserNotFound", datasource: "wiki", email: "ada@example.org" }, 404],
  GroupNameInvalid: [{ type: "GroupNameInvalid", reason: "The name holds whitespace." }, 400],
  GroupExists: [{ type: "GroupExists", datasource: "wiki", group: "staff" }, 409],
  GroupNotFound: [{ type: "GroupNotFound", datasource: "wiki", group: "staff" }, 404],
  MembershipExists: [{ type: "MembershipExists", group: "staff", member: "ada@example.org" }, 409],
  MembershipNotFound: [{ type: "MembershipNotFound", group: "staff", member: "ada@example.org" }, 404],
  MembershipCycle: [{ type: "MembershipCycle", path: ["a", "b", "a"] }, 409],
  DocumentSchemaViolation: [
    { type: "DocumentSchemaViolation", code: "UNKNOWN_PROPERTY", message: "Known: owner." },
    422,
  ],
  WouldWiden: [{ type: "WouldWiden", documentId: "d1" }, 409],
  FileUnstorable: [{ type: "FileUnstorable" }, 422],
  SyncRunNotFound: [{ type: "SyncRunNotFound", id: "r1" }, 404],
  SyncRunOver: [{ type: "SyncRunOver", id: "r1", because: "expired" }, 409],
  SyncRunOpen: [{ type: "SyncRunOpen", id: "r1" }, 409],
  SyncRunOfOtherDatasource: [{ type: "SyncRunOfOtherDatasource", id: "r1", datasource: "wiki" }, 409],
  SyncRunDeletesTooMuch: [{ type: "SyncRunDeletesTooMuch", missing: 9, documents: 10, maxDeletedShare: 0.2 }, 409],
  FileNotFound: [{ type: "FileNotFound", id: "file_1" }, 404],
  FileUnreadable: [{ type: "FileUnreadable", reason: "The PDF is encrypted." }, 422],
  FileOfOtherType: [{ type: "FileOfOtherType", uploadType: "image", found: "text/plain" }, 422],
  AgentNotFound: [{ type: "AgentNotFound", id: "a1" }, 404],
  CredentialRevoked: [{ type: "CredentialRevoked", id: "sa1" }, 409],
  AccountEmailInvalid: [{ type: "AccountEmailInvalid", email: "operator" }, 422],
  AccountExists: [{ type: "AccountExists", email: "ada@example.org" }, 409],
  AccountNotFound: [{ type: "AccountNotFound", email: "ada@example.org" }, 404],
  AccountIsDisabled: [{ type: "AccountIsDisabled", email: "ada@example.org" }, 403],
  OwnAdministratorRole: [{ type: "OwnAdministratorRole" }, 409],
  OwnAccountDisabled: [{ type: "OwnAccountDisabled" }, 409],
  AccountLinkInvalid: [{ type: "AccountLinkInvalid" }, 403],
  PasswordWrong: [{ type: "PasswordWrong" }, 403],
  PasswordRefused: [{ type: "PasswordRefused", reason: "The password is easy to guess." }, 422],
  SignInRefused: [{ type: "SignInRefused" }, 401],
  CredentialNotFound: [{ type: "CredentialNotFound", id: "k1" }, 404],
  ProjectionNotFound: [{ type: "ProjectionNotFound", projection: "nothing" }, 404],
  ProjectionIsReaction: [{ type: "ProjectionIsReaction", projection: "contentErasure" }, 409],
  RebuildUnderWay: [{ type: "RebuildUnderWay", projection: "search", version: 2 }, 409],
  NothingToAccept: [{ type: "NothingToAccept", projection: "search" }, 409],
  VersionNotReady: [{ type: "VersionNotReady", projection: "search", version: 2 }, 409],
  NoVersionKept: [{ type: "NoVersionKept", projection: "search" }, 409],
  VersionServed: [{ type: "VersionServed", projection: "search", version: 1 }, 409],
  VersionNotFound: [{ type: "VersionNotFound", projection: "search", version: 9 }, 404],
  ParkedEventTakesAway: [
    { type: "ParkedEventTakesAway", projection: "groupClosure", eventType: "MembershipRemoved" },
    409,
  ],
  TooLarge: [{ type: "TooLarge", bytes: 1_200_000, maxBytes: 1_048_576 }, 413],
  TooMuchContention: [{ type: "TooMuchContention", stream: "groupGraph-1" }, 503],
  DocumentNotFound: [{ type: "DocumentNotFound", id: "wiki__a" }, 404],
  UnknownDatasourceFilter: [{ type: "UnknownDatasourceFilter", value: "nowhere" }, 422],
  TokenBeyondLog: [{ type: "TokenBeyondLog" }, 409],
  QueryTooLarge: [{ type: "QueryTooLarge", of: "exclusions", found: 17 }, 422],
  SubsCannotChange: [{ type: "SubsCannotChange", datasource: "wiki" }, 422],
  NotYetConsistent: [{ type: "NotYetConsistent", waitedMs: 5_000 }, 503],
  NotComparable: [{ type: "NotComparable", projection: "contentErasure" }, 409],
  VersionStandsStill: [{ type: "VersionStandsStill", projection: "search", version: 1 }, 409],
  ParkedEventNotFound: [{ type: "ParkedEventNotFound", projection: "search", position: "42" }, 404],
  ReadModelBehind: [{ type: "ReadModelBehind", projection: "search" }, 503],
  AccessUnavailable: [{ type: "AccessUnavailable", datasource: "wiki" }, 503],
  ExportRangeReversed: [{ type: "ExportRangeReversed" }, 422],
  HistoryParked: [{ type: "HistoryParked", datasource: "wiki" }, 503],
  HistoryBehind: [{ type: "HistoryBehind", waitedMs: 5_000 }, 503],
  MomentInFuture: [{ type: "MomentInFuture", parameter: "at" }, 422],
};

const bodyOf = (failure: Failure): { detail?: unknown } => toRefusal(failure).body as { detail?: unknown };

describe("an expected failure", () => {
  for (const [failure, status] of Object.values(failures) as (readonly [Failure, number])[]) {
    it(`is ${status} for ${failure.type}`, () => {
      expect(toRefusal(failure).status).to.equal(status);
    });
  }

  it("is one sentence, where it is no 422", () => {
    for (const [failure, status] of Object.values(failures) as (readonly [Failure, number])[]) {
      if (status !== 422) expect(bodyOf(failure).detail).to.be.a("string").and.match(/\.$/);
    }
  });

  it("is the standard envelope for a 422 of a request, the service's for one of a document", () => {
    expect(bodyOf(failures.SubTooDeep[0])).to.deep.nested.include({
      "detail[0].loc": ["body", "subs", 2, "subs", 0, "subs"],
      "detail[0].type": "value_error",
    });
    expect(bodyOf(failures.SubKeyUnderivable[0])).to.deep.nested.include({
      "detail[0].loc": ["body", "key"],
      "detail[0].type": "value_error",
    });
    expect(bodyOf(failures.UnknownDatasourceFilter[0])).to.deep.nested.include({
      "detail[0].loc": ["query", "data_source"],
      "detail[0].type": "value_error",
    });
    expect(bodyOf(failures.DocumentSchemaViolation[0])).to.deep.equal({
      status: "error",
      details: { error_code: "UNKNOWN_PROPERTY", message: "Known: owner." },
    });
  });

  it("tells the path of a cycle, and the parents of an ambiguous sub", () => {
    expect(bodyOf(failures.MembershipCycle[0]).detail).to.contain("a -> b -> a");
    expect(bodyOf(failures.SubAmbiguous[0]).detail).to.contain("hr, it");
  });

  it("says when to try again, where trying again helps", () => {
    for (const [failure, status] of Object.values(failures) as (readonly [Failure, number])[]) {
      expect(Object.keys(toRefusal(failure).headers ?? {}), failure.type).to.deep.equal(
        status === 503 ? ["Retry-After"] : status === 401 ? ["WWW-Authenticate"] : [],
      );
    }
  });
});
