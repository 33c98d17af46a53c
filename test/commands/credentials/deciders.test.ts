import * as apiKey from "../../../commands/apiKey/decider.js";
import * as serviceAccount from "../../../commands/serviceAccount/decider.js";
import { deciderScenarios } from "../../support/givenWhenThen.js";
import { apiKeyId, events, serviceAccountId } from "../../support/examples.js";

describe("the decider of service accounts", () => {
  const given = deciderScenarios(serviceAccount);
  const { ServiceAccountCreated: created, ServiceAccountRevoked: revoked } = events;
  const create = { type: "CreateServiceAccount", created: created.data } as const;
  const revoke = { type: "RevokeServiceAccount", id: serviceAccountId } as const;

  it("CreateServiceAccount created", () => given([]).when(create).then([created]));
  it("CreateServiceAccount repeated", () => given([created]).when(create).thenNothing());
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
