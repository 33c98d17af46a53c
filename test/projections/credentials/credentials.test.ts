import { credentials } from "../../../projections/credentials/project.js";
import type { DomainEvent } from "../../../src/events/domainEvent.js";
import type { CredentialRecord } from "../../../src/readModels/credentials.js";
import { toCredentialId, toDatasourceId, toDatasourceName, toEmail } from "../../../src/shared/ids.js";
import { projectionScenarios } from "../../support/givenProjection.js";
import { recordedAt } from "../../support/recordEvents.js";
import { readModelEngines, type ReadModelEngine } from "../../support/readModelEngines.js";

const scenariosOn = (engine: ReadModelEngine) =>
  projectionScenarios<unknown, readonly CredentialRecord[]>(async () => {
    const readModels = await engine.open();
    return {
      projection: credentials as never,
      writer: readModels.writers.credentials as never,
      rows: () => readModels.readers.credentials.list(),
      close: () => readModels.close(),
    };
  });

const account = {
  id: toCredentialId("account1"),
  name: "crawler",
  datasources: [
    { name: toDatasourceName("wiki"), datasourceId: toDatasourceId("wiki-1") },
    { name: toDatasourceName("later"), datasourceId: null },
  ],
  secretSha256: "ab",
  expiresAt: null,
};
const key = {
  id: toCredentialId("key1"),
  email: toEmail("ann@example.org"),
  secretSha256: "cd",
  expiresAt: "2027-01-01T00:00:00.000Z",
  roles: ["operator"],
} as const;
const accountCreated: DomainEvent = { type: "ServiceAccountCreated", data: account };
const accountRevoked: DomainEvent = { type: "ServiceAccountRevoked", data: { id: account.id } };
const keyCreated: DomainEvent = { type: "ApiKeyCreated", data: key };
const keyRevoked: DomainEvent = { type: "ApiKeyRevoked", data: { id: key.id } };
/** What every credential has at its beginning. */
const begun = { createdAt: recordedAt, createdBy: "operator", lastUsedAt: null, previousSecret: null, revokedAt: null };
const accountRow: CredentialRecord = {
  ...account,
  kind: "serviceAccount",
  ...begun,
  email: null,
  roles: [],
};
const keyRow: CredentialRecord = {
  ...key,
  kind: "apiKey",
  ...begun,
  name: null,
  datasources: null,
};

describe("credentials", () => {
  for (const engine of readModelEngines) engine.describe(() => credentialsSuite(engine));
});

function credentialsSuite(engine: ReadModelEngine): void {
  const given = scenariosOn(engine);

  it("keeps both kinds, oldest first", () =>
    given([keyCreated, accountCreated]).redelivered().then([keyRow, accountRow]));

  it("notes when one was revoked, once", () =>
    given([accountCreated, keyCreated, accountRevoked, keyRevoked])
      .redelivered()
      .then([
        { ...accountRow, revokedAt: recordedAt },
        { ...keyRow, revokedAt: recordedAt },
      ]));

  it("binds a limit to the datasource that has come", () => {
    const datasources = account.datasources.map(({ name }) => ({ name, datasourceId: toDatasourceId(`${name}-1`) }));
    return given([accountCreated, { type: "ServiceAccountBound", data: { id: account.id, datasources } }])
      .redelivered()
      .then([{ ...accountRow, datasources }]);
  });

  it("keeps an account for all datasources apart from one for none", () =>
    given([
      { type: "ServiceAccountCreated", data: { ...account, datasources: null } },
      { type: "ServiceAccountCreated", data: { ...account, id: toCredentialId("account2"), datasources: [] } },
    ]).then([
      { ...accountRow, datasources: null },
      { ...accountRow, id: toCredentialId("account2"), datasources: [] },
    ]));

  it("takes a credential of which an event cannot be applied for revoked", async () => {
    await given([accountCreated]).parked().then([]);
    await given([accountRevoked]).parked().then([]);
  });
}
