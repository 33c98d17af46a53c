import type { Counted, Counts } from "../../../../queries/ports.js";
import { toDatasourceId } from "../../../shared/ids.js";
import type { RedisReply } from "../../redis/redisConnection.js";
import type { ReadSession } from "./readSession.js";

/**
 * Counts the fields of hashes, at the same cost whatever their length. What belongs to a deleted datasource goes with
 * it.
 */
export const countsIn = (session: ReadSession): Counted => ({
  counts: async (projection): Promise<Counts> => {
    if (projection === "groupClosure") return countClosure(session);
    if (projection !== "catalogue" && projection !== "credentials") return {};
    const { store } = await session.state(projection);
    const counted = projection === "catalogue" ? (["catalogue"] as const) : (["credentials", "accounts"] as const);
    const { replies } = await session.snapshot(store, (keys) => counted.map((hash) => ["HLEN", keys[hash]]));
    const [first, second] = replies.map(Number);
    return projection === "catalogue"
      ? { datasources: first ?? 0 }
      : { credentials: first ?? 0, accounts: second ?? 0 };
  },
});

async function countClosure(session: ReadSession): Promise<Counts> {
  const { store } = await session.state("groupClosure");
  const { replies } = await session.snapshot(store, ({ datasources }) => [["HKEYS", datasources]]);
  const ids = (replies[0] as readonly Buffer[]).map((id) => toDatasourceId(String(id)));
  const { replies: lengths } = await session.snapshot(store, (keys) =>
    ids.flatMap((id) => [
      ["HLEN", keys.groups(id)],
      ["HLEN", keys.people(id)],
    ]),
  );
  return {
    datasources: ids.length,
    groups: sumOf(lengths.filter((_, place) => place % 2 === 0)),
    people: sumOf(lengths.filter((_, place) => place % 2 === 1)),
  };
}

const sumOf = (lengths: readonly RedisReply[]): number =>
  lengths.reduce<number>((sum, length) => sum + Number(length), 0);
