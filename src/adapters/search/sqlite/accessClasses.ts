import { LRUCache } from "lru-cache";
import type { PrincipalToken } from "../../../shared/ids.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { tokensInClass } from "./accessClassRows.js";

/** For how many people their classes are remembered. */
const rememberedPeople = 1_000;

interface Holder {
  readonly tokens: ReadonlySet<PrincipalToken>;
  /** 1 at the number of every class that shares a token with the person. */
  allowed: Uint8Array;
  /** Classes up to this number have been looked at. */
  seenClass: number;
}

/**
 * Turns what a person holds into the access classes that it opens, once per person. Classes never change and are never
 * renumbered, so later only new ones have to be looked at.
 */
export class AccessClasses {
  private readonly byToken = new Map<PrincipalToken, number[]>();
  private readonly tokensSince: (readonly PrincipalToken[])[] = [];
  private readonly holders = new LRUCache<string, Holder>({ max: rememberedPeople });
  private readonly additions;
  private lastClass = 0;

  constructor(database: SqliteDatabase) {
    this.additions = database.prepare<[number], { id: number; tokens: string }>(
      "SELECT id, tokens FROM access_classes WHERE id > ? ORDER BY id",
    );
  }

  /** Loads new classes. Call it inside the read transaction in which the documents are read. */
  refresh(): void {
    for (const { id, tokens } of this.additions.iterate(this.lastClass)) {
      const distinct = tokensInClass(tokens);
      this.tokensSince[id] = distinct;
      for (const token of distinct) {
        const classes = this.byToken.get(token);
        if (classes === undefined) this.byToken.set(token, [id]);
        else classes.push(id);
      }
      this.lastClass = id;
    }
  }

  knows(key: string): boolean {
    return this.holders.has(key);
  }

  /** Remembers what the person with this key holds: equal keys mean equal tokens. */
  learn(key: string, tokens: readonly PrincipalToken[]): void {
    this.holders.set(key, { tokens: new Set(tokens), allowed: new Uint8Array(0), seenClass: 0 });
  }

  /** 1 at the number of every class that the person may see. The key must be known. */
  allowedTo(key: string): Uint8Array {
    const holder = this.holders.get(key);
    if (holder === undefined) throw new Error("The tokens behind this key were never sent.");
    if (holder.seenClass === this.lastClass && holder.allowed.length > this.lastClass) return holder.allowed;
    const allowed = new Uint8Array(this.lastClass + 1);
    allowed.set(holder.allowed.subarray(0, allowed.length));
    if (holder.seenClass === 0) this.allowByToken(holder, allowed);
    else this.allowNewer(holder, allowed);
    holder.allowed = allowed;
    holder.seenClass = this.lastClass;
    return allowed;
  }

  private allowByToken(holder: Holder, allowed: Uint8Array): void {
    for (const token of holder.tokens) for (const id of this.byToken.get(token) ?? []) allowed[id] = 1;
  }

  private allowNewer(holder: Holder, allowed: Uint8Array): void {
    for (let id = holder.seenClass + 1; id <= this.lastClass; id++) {
      if (this.tokensSince[id]?.some((token) => holder.tokens.has(token)) === true) allowed[id] = 1;
    }
  }
}
