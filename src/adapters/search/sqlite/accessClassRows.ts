import { createHash } from "node:crypto";
import type { PrincipalToken } from "../../../shared/ids.js";
import type { SqliteDatabase } from "../../sqlite/database.js";

/** Longer token lists are looked up by their digest. */
const longestKey = 256;

/** Documents share few distinct token sets: each set is a class with an id that is never used again. */
export class AccessClassRows {
  private readonly find;
  private readonly insert;

  constructor(database: SqliteDatabase) {
    this.find = database.prepare<[string], number>("SELECT id FROM access_classes WHERE key = ?").pluck();
    this.insert = database.prepare("INSERT INTO access_classes (key, tokens) VALUES (?, ?)");
  }

  /** @param tokens distinct and sorted. */
  idOf(tokens: readonly PrincipalToken[]): number {
    const joined = tokens.join(" ");
    const key = joined.length <= longestKey ? joined : createHash("sha256").update(joined).digest("base64");
    return this.find.get(key) ?? Number(this.insert.run(key, joined).lastInsertRowid);
  }
}

/** The tokens of a class, from the column. */
export const tokensInClass = (tokens: string): readonly PrincipalToken[] =>
  tokens === "" ? [] : (tokens.split(" ") as PrincipalToken[]);
