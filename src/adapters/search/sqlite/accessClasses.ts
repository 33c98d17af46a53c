import { LRUCache } from "lru-cache";
import { GrowingNumbers, withRoomFor } from "./growingPostings.js";
import { createHash } from "node:crypto";
import type { PrincipalToken } from "../../../shared/ids.js";
import type { SqliteDatabase } from "../../sqlite/database.js";

/** How many people's open classes are remembered. */
const rememberedPeople = 1_000;
/** Memory for which classes are open to people. For other people the classes are looked through again: 5 ns a class. */
const rememberedBytes = 32 * 1024 * 1024;

interface OpenClasses {
  /** 1 at the number of every class that shares a token with the person. */
  readonly isOpen: Uint8Array;
  /** Classes up to this number have been looked at. */
  readonly upTo: number;
}

/**
 * Turns what a person holds into the access classes that it opens. Classes never change and are never renumbered, so
 * once they were looked through for somebody, only new ones have to be looked at. Takes four bytes for each token of a
 * class, and each token once.
 */
export class AccessClasses {
  /** Tokens of classes and of people, numbered. */
  private readonly numberOf = new Map<string, number>();
  /** The tokens of all classes, in the order of classes. */
  private readonly tokens = new GrowingNumbers();
  /** Where the tokens of a class begin, by its number. They go on to where those of the next one begin. */
  private readonly starts = new GrowingNumbers();
  private readonly holders = new LRUCache<string, Int32Array>({ max: rememberedPeople });
  private readonly opened = new LRUCache<string, OpenClasses>({
    maxSize: rememberedBytes,
    sizeCalculation: ({ isOpen }) => isOpen.length + 1,
  });
  /** Which tokens somebody holds, while classes are looked through for them. */
  private held: Uint8Array = new Uint8Array(0);
  private readonly additions;
  private lastClass = 0;

  constructor(database: SqliteDatabase) {
    // Takes a third of the time that rows take which are handed over one by one.
    database.function("take_class", (id: number, tokens: string) => this.take(id, tokens));
    this.additions = database.prepare<[number]>(
      "SELECT 1 FROM access_classes WHERE id > ? AND take_class(id, tokens) ORDER BY id",
    );
  }

  /** Loads new classes. Call it inside the read transaction in which the documents are read. */
  refresh(): void {
    this.additions.get(this.lastClass);
  }

  knows(key: string): boolean {
    return this.holders.has(key);
  }

  /** Remembers what the person with this key holds: equal keys mean equal tokens. */
  learn(key: string, tokens: readonly PrincipalToken[]): void {
    this.holders.set(
      key,
      Int32Array.from(tokens, (token) => this.toNumber(token)),
    );
  }

  /** 1 at the number of every class that the person may see. The key must be known. */
  allowedTo(key: string): Uint8Array {
    const holder = this.holders.get(key);
    if (holder === undefined) throw new Error("The tokens behind this key were never sent.");
    const known = this.opened.get(key) ?? { isOpen: new Uint8Array(0), upTo: 0 };
    if (known.upTo === this.lastClass && known.isOpen.length > this.lastClass) return known.isOpen;
    const isOpen = withRoomFor(known.isOpen, this.lastClass + 1);
    this.open(holder, isOpen, known.upTo);
    this.opened.set(key, { isOpen, upTo: this.lastClass });
    return isOpen;
  }

  /** Called for each new class, in ascending order. Returns 0: it is no row of the answer. */
  private take(id: number, tokens: string): 0 {
    while (this.starts.size <= id) this.starts.push(this.tokens.size);
    for (const token of tokensInClass(tokens)) this.tokens.push(this.toNumber(token));
    this.lastClass = id;
    return 0;
  }

  private toNumber(token: string): number {
    const known = this.numberOf.get(token);
    if (known !== undefined) return known;
    this.numberOf.set(token, this.numberOf.size);
    return this.numberOf.size - 1;
  }

  /** Marks the classes behind this one that share a token with the holder. */
  private open(holder: Int32Array, isOpen: Uint8Array, after: number): void {
    const held = (this.held = withRoomFor(this.held, this.numberOf.size));
    for (const token of holder) held[token] = 1;
    const { values: tokens, size } = this.tokens;
    const { values: starts } = this.starts;
    for (let id = after + 1; id <= this.lastClass; id++) {
      const end = id === this.lastClass ? size : (starts[id + 1] as number);
      for (let at = starts[id] as number; at < end; at++) if (held[tokens[at] as number] === 1) isOpen[id] = 1;
    }
    for (const token of holder) held[token] = 0;
  }
}

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
