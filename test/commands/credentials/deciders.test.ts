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
  it("RevokeApiKey revoked", () => given([created]).when(revoke).then([revoked]));
  it("RevokeApiKey repeated", () => given([created, revoked]).when(revoke).thenNothing());
  it("RevokeApiKey rejected: no such key", () =>
    given([]).when(revoke).thenRejected({ type: "CredentialNotFound", id: apiKeyId }));
});
