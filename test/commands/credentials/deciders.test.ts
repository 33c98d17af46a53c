import * as apiKey from "../../../commands/apiKey/decider.js";
import * as serviceAccount from "../../../commands/serviceAccount/decider.js";
import { deciderScenarios } from "../../support/givenWhenThen.js";
import { toDatasourceId } from "../../../src/shared/ids.js";
import { apiKeyId, events, serviceAccountId, wiki } from "../../support/examples.js";

describe("the decider of service accounts", () => {
  const given = deciderScenarios(serviceAccount);
  const { ServiceAccountCreated: created, ServiceAccountBound: bound, ServiceAccountRevoked: revoked } = events;
  const create = { type: "CreateServiceAccount", created: created.data } as const;
  const revoke = { type: "RevokeServiceAccount", id: serviceAccountId } as const;

  it("CreateServiceAccount created", () => given([]).when(create).then([created]));
  it("CreateServiceAccount repeated", () => given([created]).when(create).thenNothing());
  const { id, datasources: found } = bound.data;
  const bind = { type: "BindServiceAccount", id, found } as const;
  const later = [{ name: wiki, datasourceId: toDatasourceId("another") }];
  it("BindServiceAccount bound", () => given([created]).when(bind).then([bound]));
  it("BindServiceAccount repeated: it stays with the incarnation that came first", () =>
    given([created, bound])
      .when({ ...bind, found: later })
      .thenNothing());
  it("BindServiceAccount without limits, or revoked", () => {
    given([{ ...created, data: { ...created.data, datasources: null } }])
      .when(bind)
      .thenNothing();
    given([created, revoked]).when(bind).thenNothing();
  });
  it("BindServiceAccount rejected: no such account", () =>
    given([]).when(bind).thenRejected({ type: "CredentialNotFound", id: serviceAccountId }));
  const { ServiceAccountRotated: rotated, ServiceAccountUsed: used } = events;
  const rotate = { type: "RotateServiceAccount", ...rotated.data } as const;
  const note = { type: "NoteServiceAccountUsed", ...used.data, everyMs: 3_600_000 } as const;
  it("RotateServiceAccount rotated, as often as it is asked for", () => {
    given([created]).when(rotate).then([rotated]);
    given([created, rotated]).when(rotate).then([rotated]);
  });
  it("RotateServiceAccount rejected: revoked, or no such account", () => {
    given([created, revoked]).when(rotate).thenRejected({ type: "CredentialRevoked", id: serviceAccountId });
    given([]).when(rotate).thenRejected({ type: "CredentialNotFound", id: serviceAccountId });
  });
  it("NoteServiceAccountUsed used, once in the given time", () => {
    given([created]).when(note).then([used]);
    given([created, used]).when(note).thenNothing();
    given([created, revoked]).when(note).thenNothing();
    given([]).when(note).thenNothing();
  });
  it("RevokeServiceAccount revoked", () => given([created]).when(revoke).then([revoked]));
  it("RevokeServiceAccount repeated", () => given([created, revoked]).when(revoke).thenNothing());
  it("RevokeServiceAccount rejected: no such account", () =>
    given([]).when(revoke).thenRejected({ type: "CredentialNotFound", id: serviceAccountId }));
});

describe("the decider of personal keys", () => {
  const given = deciderScenarios(apiKey);
  const { ApiKeyCreated: created, ApiKeyRevoked: revoked } = events;
  const create = { type: "CreateApiKey", created: created.data } as const;
  const revoke = { type: "RevokeApiKey", id: apiKeyId } as const;

  it("CreateApiKey created", () => given([]).when(create).then([created]));
  it("CreateApiKey repeated", () => given([created]).when(create).thenNothing());
  const { ApiKeyUsed: used } = events;
  const note = { type: "NoteApiKeyUsed", ...used.data, everyMs: 3_600_000 } as const;
  it("NoteApiKeyUsed used, once in the given time", () => {
    given([created]).when(note).then([used]);
    given([created, used]).when(note).thenNothing();
    given([created, revoked]).when(note).thenNothing();
  });
  it("RevokeApiKey revoked", () => given([created]).when(revoke).then([revoked]));
  it("RevokeApiKey repeated", () => given([created, revoked]).when(revoke).thenNothing());
  it("RevokeApiKey rejected: no such key", () =>
    given([]).when(revoke).thenRejected({ type: "CredentialNotFound", id: apiKeyId }));
});
