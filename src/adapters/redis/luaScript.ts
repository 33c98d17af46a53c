import { createHash } from "node:crypto";
import { ErrorReply } from "redis";
import type { RedisConnection, RedisReply } from "./redisConnection.js";

/**
 * A script that Redis carries out as one step. Its text is sent only where the server does not know it, or no longer
 * does.
 */
export class LuaScript {
  private readonly sha: string;

  constructor(private readonly source: string) {
    this.sha = createHash("sha1").update(source).digest("hex");
  }

  async run(
    connection: RedisConnection,
    keys: readonly string[],
    values: readonly (string | Buffer)[],
    timeoutMs?: number,
  ): Promise<RedisReply> {
    const rest = [String(keys.length), ...keys, ...values];
    try {
      return await connection.bytes(["EVALSHA", this.sha, ...rest], timeoutMs);
    } catch (error) {
      if (!(error instanceof ErrorReply) || !error.message.startsWith("NOSCRIPT")) throw error;
      return connection.bytes(["EVAL", this.source, ...rest], timeoutMs);
    }
  }
}
