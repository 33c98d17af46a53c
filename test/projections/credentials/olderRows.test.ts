import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import { createClient } from "redis";
import { credentials as projection } from "../../../projections/credentials/project.js";
import type { StreamRestoration } from "../../../projections/ports.js";
import type { CredentialChange } from "../../../projections/credentials/changes.js";
import { openSqliteReadModels } from "../../../src/adapters/store/sqlite/openSqliteReadModels.js";
import type { ApiKeyCreated } from "../../../src/events/credential.js";
import { toCredentialId, toEmail } from "../../../src/shared/ids.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import type { CredentialsUnderTest } from "../../contracts/credentialReaderContract.js";
import { deliver } from "../../support/givenProjection.js";
import { openOnRedis } from "../../support/readModelEngines.js";
import { openReadModelWriters } from "../../support/readModelWriters.js";
import { recordEvents } from "../../support/recordEvents.js";
import { readRedis, type RedisPlace } from "../../support/redisReadModels.js";
import { describeOnAnyRedis } from "../../support/redisServer.js";
import { openTemporaryReadModels } from "../../support/temporaryReadModels.js";
import { apiKeyStream } from "../../../src/events/streams.js";

const id = toCredentialId("old");
const keyOf = (key: string, ...roles: ApiKeyCreated["data"]["roles"]): ApiKeyCreated => ({
  type: "ApiKeyCreated",
  data: { id: toCredentialId(key), email: toEmail(`${key}@example.org`), secretSha256: "cd", expiresAt: null, roles },
});

/**
 * As a release without roles stored it; readers come first, as they do where an api process is started before a
 * projector.
 */
async function olderOnSqlite(): Promise<CredentialsUnderTest> {
  const models = openTemporaryReadModels();
  await deliver({ projection, writer: models.writers.credentials }, recordEvents([keyOf("old")]));
  const folder = temporaryFolder("older-read-models");
  const file = join(folder.path, "readModels.sqlite");
  const current = new Database(models.file);
  current.prepare("VACUUM INTO ?").run(file);
  current.close();
  models.close();
  const older = new Database(file);
  older.exec("DROP TABLE credential_roles; PRAGMA user_version = 1");
  older.close();
  const readers = openSqliteReadModels({ file });
  const writers = openReadModelWriters(file);
  const close = (): void => {
    readers.close();
    writers.close();
    folder.remove();
  };
  return { credentials: readers.credentials, writer: writers.credentials, close };
}

async function olderOnRedis(): Promise<CredentialsUnderTest> {
  const models = await openOnRedis();
  await deliver({ projection, writer: models.writers.credentials }, recordEvents([keyOf("old")]));
  const { url, namespace } = models.place as RedisPlace;
  const client = createClient({ url });
  await client.connect();
  const key = `{${namespace}}:rows:${await client.hGet(`{${namespace}}:state`, "store")}:credentials`;
  const { roles: _roles, ...older } = JSON.parse((await client.hGet(key, id)) ?? "{}") as Record<string, unknown>;
  await client.hSet(key, id, JSON.stringify(older));
  client.destroy();
  const readers = await readRedis({ url, namespace });
  const close = async (): Promise<void> => {
    readers.close();
    await models.close();
  };
  return { credentials: readers.credentials, writer: models.writers.credentials, close };
}

describe("credentials that were stored before there were roles", () => {
  describe("on SQLite", () => olderRowsSuite(olderOnSqlite));
  describeOnAnyRedis("on Redis", () => olderRowsSuite(olderOnRedis));
});

function olderRowsSuite(openOlder: () => Promise<CredentialsUnderTest>): void {
  let older: CredentialsUnderTest;
  beforeEach(async () => {
    older = await openOlder();
  });
  afterEach(() => older.close());

  const rolesOf = async (key: string): Promise<readonly string[] | undefined> =>
    (await older.credentials.find(toCredentialId(key)))?.roles;

  it("prove who somebody is as before, and give no role", async () => {
    expect(await older.credentials.find(id)).to.deep.include({
      id,
      email: "old@example.org",
      secretSha256: "cd",
      revokedAt: null,
      roles: [],
    });
    expect((await older.credentials.list()).map(({ roles }) => roles)).to.deep.equal([[]]);
  });

  it("stand beside new ones, which give theirs, and are revoked like those", async () => {
    await deliver(
      { projection, writer: older.writer },
      recordEvents([keyOf("new", "auditor", "operator"), { type: "ApiKeyRevoked", data: { id } }], 100),
    );
    expect(await rolesOf("new")).to.deep.equal(["auditor", "operator"]);
    expect(await older.credentials.find(id)).to.deep.include({
      roles: [],
      revokedAt: (await older.credentials.list())[0]?.revokedAt,
    });
    expect((await older.credentials.list()).map(({ revokedAt }) => revokedAt !== null)).to.deep.equal([true, false]);
  });

  it("give the roles that their event names once it is followed anew", async () => {
    const restoration = projection.restoration?.({ kind: "stream", stream: apiKeyStream(id) }) as
      StreamRestoration<CredentialChange> | undefined;
    const changes = recordEvents([keyOf("old", "operator")]).flatMap(
      (event) => restoration?.changes(event, false) ?? [],
    );
    const position = await older.writer.checkpoint();
    await older.writer.apply({
      after: position,
      position,
      changes: restoration?.condense?.(changes) ?? [],
      parked: [],
      restored: [`apiKey-${id}`],
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(await rolesOf("old")).to.deep.equal(["operator"]);
  });
}
