import Database from "better-sqlite3";
import { createClient, RESP_TYPES } from "redis";
import { packGroup, packPerson, unpackGroup, unpackPerson } from "../../src/adapters/store/redis/packedRows.js";
import { documentKey } from "../../src/adapters/search/typesense/encoding.js";
import { namesOf } from "../../src/adapters/search/typesense/schema.js";
import { toDatasourceId, toDocumentId, toGroupId, toStoredEmail } from "../../src/shared/ids.js";
import { noIndexes, sortedIndexes, toBytes } from "../../src/shared/sortedIndexes.js";
import { tokens } from "./readModelWriters.js";
import type { RedisPlace } from "./redisReadModels.js";

/**
 * What can become of stored rows behind the program's back, in the story of `wiki` (incarnation `wiki-1`): documents
 * `open`, `secret` and `gone`, groups by their indexes, people, the key `key`.
 */
export interface Damage {
  /** `secret` is for whoever sees `open`. */
  widenDocument(): Promise<void>;
  /** `open` is found no more. */
  dropDocument(): Promise<void>;
  /** `secret` has another text. */
  replaceText(): Promise<void>;
  /** Who may see `secret` is not known any more, of all that is on its access list. */
  forgetAccessClass(): Promise<void>;
  /** `gone`, which was deleted, is there. */
  bringBackDocument(): Promise<void>;
  /** The group with the index 2 belongs to the one with the index 1. */
  nestGroup(): Promise<void>;
  /** `bob@example.org` belongs to the group with the index 0. */
  joinPerson(): Promise<void>;
  /** The datasource is called otherwise. */
  renameDatasource(): Promise<void>;
  /** The revocation of the key is forgotten. */
  reviveKey(): Promise<void>;
  /** That the account is disabled is forgotten. */
  enableAccount(): Promise<void>;
  /** The session is somebody else's. */
  takeSession(): Promise<void>;
  /** The datasource answers nobody. */
  suspendDatasource(): Promise<void>;
  /** `planted`, which the log never named, is found by whoever sees `open`. */
  plantDocument(): Promise<void>;
  /** `mallory@example.org` is registered, and belongs to the group with the index 0. */
  plantPerson(): Promise<void>;
  /** There is a group `moles` with the index 3. */
  plantGroup(): Promise<void>;
  /** There is a datasource `shadow`. */
  plantDatasource(): Promise<void>;
  /** The key `skeleton` is for whatever `key` is for. */
  plantKey(): Promise<void>;
}

const bob = "bob@example.org";
const mallory = "mallory@example.org";
const wikiId = toDatasourceId("wiki-1");
const moles = {
  ...{ index: 3, groupId: toGroupId("moles-1"), name: "moles", token: tokens.group(wikiId, "moles") },
  ...{ parents: noIndexes, ancestors: noIndexes },
};

const clientOf = (url: string) => createClient({ url });
type Client = ReturnType<typeof clientOf>;
const rowOf = (client: Client, key: string, field: string): Promise<Buffer> =>
  client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }).hGet(key, field) as Promise<unknown> as Promise<Buffer>;

/** Of the embedded engines. */
export function damageOfSqlite(models: { readonly file: string }, search: { readonly file: string }): Damage {
  const change = (file: string, work: (database: Database.Database) => void): Promise<void> => {
    const database = new Database(file);
    try {
      work(database);
    } finally {
      database.close();
    }
    return Promise.resolve();
  };
  const copyRow = (
    database: Database.Database,
    table: string,
    where: string,
    changed: Readonly<Record<string, unknown>>,
  ): void => {
    const row = database.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table} WHERE ${where}`).get();
    const copy = { ...row, ...changed };
    const columns = Object.keys(copy);
    database
      .prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map((name) => `@${name}`).join()})`)
      .run(copy);
  };
  return {
    widenDocument: () =>
      change(
        search.file,
        (database) =>
          void database
            .prepare(
              "UPDATE documents SET class = (SELECT class FROM documents WHERE document_id = 'open') WHERE document_id = 'secret'",
            )
            .run(),
      ),
    dropDocument: () =>
      change(
        search.file,
        (database) => void database.prepare("DELETE FROM documents WHERE document_id = 'open'").run(),
      ),
    replaceText: () =>
      change(
        search.file,
        (database) =>
          void database
            .prepare(
              "UPDATE texts SET text = 'Another text' WHERE part / 65536 = (SELECT row FROM documents WHERE document_id = 'secret')",
            )
            .run(),
      ),
    forgetAccessClass: () =>
      change(
        search.file,
        (database) =>
          void database
            .prepare("DELETE FROM access_classes WHERE id = (SELECT class FROM documents WHERE document_id = 'secret')")
            .run(),
      ),
    bringBackDocument: () =>
      change(search.file, (database) =>
        copyRow(database, "documents", "document_id = 'open'", { row: 1_000, document_id: "gone" }),
      ),
    plantDocument: () =>
      change(search.file, (database) =>
        copyRow(database, "documents", "document_id = 'open'", { row: 1_001, document_id: "planted" }),
      ),
    plantPerson: () =>
      change(models.file, (database) =>
        copyRow(database, "closure_people", `email = '${bob}'`, {
          ...{
            email: mallory,
            token: tokens.user(wikiId, toStoredEmail(mallory)),
            groups: toBytes(sortedIndexes([0])),
          },
        }),
      ),
    plantGroup: () =>
      change(models.file, (database) =>
        copyRow(database, "closure_groups", "idx = 0", {
          ...{ idx: moles.index, group_id: moles.groupId, name: moles.name, token: moles.token },
          ...{ parents: toBytes(noIndexes), ancestors: toBytes(noIndexes) },
        }),
      ),
    plantDatasource: () =>
      change(models.file, (database) => {
        copyRow(database, "catalogue", "name = 'wiki'", { datasource_id: "shadow-1", name: "shadow" });
        database.exec(
          `UPDATE catalogue SET datasource = json_set(datasource, '$.datasourceId', 'shadow-1', '$.name', 'shadow')
           WHERE name = 'shadow'`,
        );
      }),
    plantKey: () =>
      change(models.file, (database) => copyRow(database, "credentials", "id = 'key'", { number: 99, id: "skeleton" })),
    nestGroup: () =>
      change(
        models.file,
        (database) =>
          void database
            .prepare("UPDATE closure_groups SET ancestors = ? WHERE idx = 2")
            .run(toBytes(sortedIndexes([1]))),
      ),
    joinPerson: () =>
      change(
        models.file,
        (database) =>
          void database
            .prepare("UPDATE closure_people SET groups = ? WHERE email = ?")
            .run(toBytes(sortedIndexes([0])), bob),
      ),
    renameDatasource: () =>
      change(
        models.file,
        (database) =>
          void database
            .prepare("UPDATE catalogue SET datasource = json_set(datasource, '$.displayName', 'Another')")
            .run(),
      ),
    reviveKey: () =>
      change(models.file, (database) => void database.prepare("UPDATE credentials SET revoked_at = NULL").run()),
    enableAccount: () =>
      change(models.file, (database) => void database.prepare("UPDATE accounts SET disabled_at = NULL").run()),
    takeSession: () =>
      change(models.file, (database) => void database.prepare("UPDATE sessions SET email = ?").run(mallory)),
    suspendDatasource: () =>
      change(
        models.file,
        (database) => void database.prepare("UPDATE closure_datasources SET access = 'suspended'").run(),
      ),
  };
}

/** Of Redis and of a server that speaks as Typesense does. */
export function damageOfServers(
  redis: RedisPlace,
  typesense: { readonly url: string; readonly apiKey: string; readonly namespace: string },
): Damage {
  const change = async (
    work: (client: Client, keyOf: (...parts: string[]) => string) => Promise<unknown>,
  ): Promise<void> => {
    const client = clientOf(redis.url);
    await client.connect();
    const store = await client.hGet(`{${redis.namespace}}:state`, "store");
    await work(client, (...parts) => `{${redis.namespace}}:rows:${[store, ...parts].join(":")}`);
    client.destroy();
  };
  const names = namesOf(typesense.namespace);
  const ask = async (method: string, path: string, body?: string): Promise<string> => {
    const answer = await fetch(`${typesense.url}/collections/${path}`, {
      method,
      headers: { "x-typesense-api-key": typesense.apiKey },
      body,
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.text();
  };
  const idOf = (name: string): string => documentKey(toDatasourceId("wiki-1"), toDocumentId(name));
  const stored = async (collection: string, name: string): Promise<Record<string, unknown>> => {
    const rows = (await ask("GET", `${collection}/documents/export`))
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    return rows.find(({ id }) => id === idOf(name)) ?? {};
  };
  const upsert = (collection: string, row: object): Promise<unknown> =>
    ask("POST", `${collection}/documents/import?action=upsert`, JSON.stringify(row));
  return {
    widenDocument: async () => {
      const { cls, acl } = await stored(names.documents, "open");
      await upsert(names.documents, { ...(await stored(names.documents, "secret")), cls, acl });
    },
    dropDocument: async () =>
      void (await ask(
        "DELETE",
        `${names.documents}/documents?filter_by=${encodeURIComponent(`id:=[${idOf("open")}]`)}`,
      )),
    replaceText: async () =>
      void (await upsert(names.documents, { ...(await stored(names.documents, "secret")), text: "Another text" })),
    forgetAccessClass: async () => {
      const { cls } = await stored(names.documents, "secret");
      const rows = (await ask("GET", `${names.state}/documents/export`))
        .split("\n")
        .map((line) => JSON.parse(line) as { readonly id: string; readonly kind: string; readonly n: number });
      const lost = rows.find(({ kind, n }) => kind === "class" && n.toString(36) === cls);
      await ask("DELETE", `${names.state}/documents?filter_by=${encodeURIComponent(`id:=[${lost?.id ?? ""}]`)}`);
    },
    bringBackDocument: async () => {
      await upsert(names.documents, { ...(await stored(names.documents, "open")), id: idOf("gone") });
    },
    plantDocument: async () => {
      const { card, ...row } = await stored(names.documents, "open");
      const planted = { ...row, id: idOf("planted"), card: String(card).replace("wiki__open", "wiki__planted") };
      await upsert(names.documents, planted);
    },
    plantPerson: () =>
      change((client, keyOf) =>
        client.hSet(
          keyOf("people", "wiki-1"),
          mallory,
          packPerson({
            ...{ datasourceId: wikiId, email: toStoredEmail(mallory), registered: true },
            ...{ token: tokens.user(wikiId, toStoredEmail(mallory)), groups: sortedIndexes([0]) },
          }),
        ),
      ),
    plantGroup: () => change((client, keyOf) => client.hSet(keyOf("groups", "wiki-1"), "3", packGroup(moles))),
    plantDatasource: () =>
      change(async (client, keyOf) => {
        const datasource = JSON.parse((await client.hGet(keyOf("catalogue"), "wiki-1")) ?? "{}") as object;
        const shadow = { ...datasource, datasourceId: "shadow-1", name: "shadow" };
        await client.hSet(keyOf("catalogue"), "shadow-1", JSON.stringify(shadow));
      }),
    plantKey: () =>
      change(async (client, keyOf) => {
        const key = JSON.parse(
          (await client.hGet(keyOf("credentialsAndAccounts", "credentials"), "key")) ?? "{}",
        ) as object;
        await client.hSet(
          keyOf("credentialsAndAccounts", "credentials"),
          "skeleton",
          JSON.stringify({ ...key, id: "skeleton" }),
        );
      }),
    nestGroup: () =>
      change(async (client, keyOf) => {
        const row = unpackGroup(2, await rowOf(client, keyOf("groups", "wiki-1"), "2"));
        await client.hSet(keyOf("groups", "wiki-1"), "2", packGroup({ ...row, ancestors: sortedIndexes([1]) }));
      }),
    joinPerson: () =>
      change(async (client, keyOf) => {
        const row = unpackPerson(await rowOf(client, keyOf("people", "wiki-1"), bob));
        await client.hSet(keyOf("people", "wiki-1"), bob, packPerson({ ...row, groups: sortedIndexes([0]) } as never));
      }),
    renameDatasource: () =>
      change(async (client, keyOf) => {
        const json = (await client.hGet(keyOf("catalogue"), "wiki-1")) ?? "{}";
        await client.hSet(
          keyOf("catalogue"),
          "wiki-1",
          JSON.stringify({ ...(JSON.parse(json) as object), displayName: "Another" }),
        );
      }),
    reviveKey: () => change((client, keyOf) => client.hDel(keyOf("credentialsAndAccounts", "revocations"), "key")),
    enableAccount: () =>
      change((client, keyOf) =>
        client.hDel(keyOf("credentialsAndAccounts", "accountFacts"), "disabledAt alice@example.org"),
      ),
    takeSession: () =>
      change(async (client, keyOf) => {
        const sessions = keyOf("credentialsAndAccounts", "sessions");
        for (const [id, json] of Object.entries(await client.hGetAll(sessions)))
          await client.hSet(sessions, id, JSON.stringify({ ...(JSON.parse(json) as object), email: mallory }));
      }),
    suspendDatasource: () =>
      change(async (client, keyOf) => {
        const text = (await client.hGet(keyOf("datasources"), "wiki-1")) ?? "";
        await client.hSet(keyOf("datasources"), "wiki-1", text.replace("open", "suspended"));
      }),
  };
}
