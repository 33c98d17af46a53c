import { join } from "node:path";
import { expect } from "chai";
import { createClient } from "redis";
import { catalogue } from "../../../projections/catalogue/readModel.js";
import { credentials as projection } from "../../../projections/credentials/project.js";
import type { ProjectionWriter } from "../../../projections/ports.js";
import type { CatalogueReader, Checkpointed } from "../../../queries/ports.js";
import { openSqliteReadModels } from "../../../src/adapters/store/sqlite/sqliteStorages.js";
import type { ApiKeyCreated } from "../../../src/events/credential.js";
import { toCredentialId, toEmail } from "../../../src/shared/ids.js";
import { beginning, toPosition } from "../../../src/shared/position.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import type { CredentialsUnderTest } from "../../contracts/credentialReaderContract.js";
import { events } from "../../support/examples.js";
import { deliver } from "../../support/givenProjection.js";
import { openOnRedis } from "../../support/readModelEngines.js";
import { openReadModelWriters } from "../../support/readModelWriters.js";
import { recordEvents } from "../../support/recordEvents.js";
import { readRedis, type RedisPlace } from "../../support/redisReadModels.js";
import { describeOnAnyRedis } from "../../support/redisServer.js";
import { openTemporaryReadModels } from "../../support/temporaryReadModels.js";
import Database from "better-sqlite3";

const id = toCredentialId("old");
const created: ApiKeyCreated = {
  type: "ApiKeyCreated",
  data: { id, email: toEmail("old@example.org"), secretSha256: "cd", expiresAt: null, roles: ["operator"] },
};
const registered = events.DatasourceRegistered;
/** As it stood in the file of a release without accounts. */
const olderTables = `
  DROP TABLE credentials; DROP TABLE accounts; DROP TABLE account_roles; DROP TABLE sessions; DROP TABLE sign_ins;
  CREATE TABLE credentials (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, secret_sha256 TEXT NOT NULL, expires_at TEXT,
    created_at TEXT NOT NULL, revoked_at TEXT, name TEXT, datasources TEXT, email TEXT
  );
  INSERT INTO credentials VALUES (1, 'old', 'apiKey', 'cd', NULL, '2026-01-01T00:00:00Z', NULL, NULL, NULL, 'old@example.org');
  INSERT INTO parked_events VALUES ('credentials', 2, 'apiKey-old', 'ApiKeyCreated', 'apiKey-old', 'once');
  PRAGMA user_version = 2`;

interface OlderReadModels extends CredentialsUnderTest {
  readonly catalogue: CatalogueReader & Checkpointed;
}

/** Readers come first, as they do where an api process is started before a projector. */
async function olderOnSqlite(): Promise<OlderReadModels> {
  const models = openTemporaryReadModels();
  await deliver(
    { projection: catalogue as never, writer: models.writers.catalogue as never },
    recordEvents([registered]),
  );
  await deliver({ projection, writer: models.writers.credentials }, recordEvents([created]));
  const folder = temporaryFolder("older-read-models");
  const file = join(folder.path, "readModels.sqlite");
  const current = new Database(models.file);
  current.prepare("VACUUM INTO ?").run(file);
  current.close();
  models.close();
  const older = new Database(file);
  older.exec(olderTables);
  older.close();
  const readers = openSqliteReadModels({ file });
  const writers = openReadModelWriters(file);
  const close = (): void => {
    readers.close();
    writers.close();
    folder.remove();
  };
  return { ...readers, writer: writers.credentials, close };
}

async function olderOnRedis(): Promise<OlderReadModels> {
  const models = await openOnRedis();
  await deliver(
    { projection: catalogue as never, writer: models.writers.catalogue as never },
    recordEvents([registered]),
  );
  const { url, namespace } = models.place as RedisPlace;
  const client = createClient({ url });
  await client.connect();
  const key = `{${namespace}}:rows:${await client.hGet(`{${namespace}}:state`, "store")}:credentials`;
  await client.hSet(key, id, JSON.stringify({ ...created.data, kind: "apiKey", createdAt: "2026-01-01T00:00:00Z" }));
  await client.hSet(`{${namespace}}:state`, "credentials", "2/1-1");
  client.destroy();
  const readers = await readRedis({ url, namespace });
  const close = async (): Promise<void> => {
    readers.close();
    await models.close();
  };
  return { ...readers, writer: models.writers.credentials as ProjectionWriter<never>, close };
}

describe("credentials that were stored before there were accounts", () => {
  describe("on SQLite", () => olderRowsSuite(olderOnSqlite));
  describeOnAnyRedis("on Redis", () => olderRowsSuite(olderOnRedis));
});

function olderRowsSuite(openOlder: () => Promise<OlderReadModels>): void {
  let older: OlderReadModels;
  beforeEach(async () => {
    older = await openOlder();
  });
  afterEach(() => older.close());

  it("are projected afresh, and then say by whom they were made", async () => {
    expect(await older.credentials.position()).to.equal(beginning);
    expect(await older.credentials.find(id)).to.equal(null);
    await deliver({ projection, writer: older.writer }, recordEvents([created]));
    expect(await older.credentials.list()).to.have.length(1);
    expect(await older.credentials.find(id)).to.deep.include({ createdBy: "operator", roles: ["operator"] });
  });

  it("go alone: the other read models stay as they are", async () => {
    expect(await older.catalogue.position()).to.equal(toPosition(2));
    expect(await older.catalogue.list()).to.have.length(1);
  });
}
