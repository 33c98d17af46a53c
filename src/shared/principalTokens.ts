import { createHash } from "node:crypto";
import type { DatasourceId, Email, PrincipalToken } from "./ids.js";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const tokenLength = 11;

type PrincipalKind = "anonymous" | "user" | "group";

/**
 * Mints the principal tokens of one namespace. The same function serves documents and people, so that
 * "may see" is nothing but "share a token": an 11-character base62 form of a 64-bit truncated SHA-256 over
 * namespace, datasource generation, kind and value. Only minted tokens may enter a filter.
 */
export class PrincipalTokens {
  constructor(private readonly namespace: string) {}

  /** Held by every person registered on the datasource (spec: Visibility rules, 1 and 2). */
  anonymous(datasource: DatasourceId): PrincipalToken {
    return this.mint(datasource, "anonymous", "");
  }

  /** Held by the one registered person with this login email (spec: Visibility rules, 3 and 5). */
  user(datasource: DatasourceId, email: Email): PrincipalToken {
    return this.mint(datasource, "user", email);
  }

  /** Held by members of the group that has this name now (spec: Visibility rules, 4 and 8). */
  group(datasource: DatasourceId, groupName: string): PrincipalToken {
    return this.mint(datasource, "group", groupName);
  }

  private mint(datasource: DatasourceId, kind: PrincipalKind, value: string): PrincipalToken {
    const digest = createHash("sha256").update(JSON.stringify([this.namespace, datasource, kind, value])).digest();
    return toBase62(digest.readBigUInt64BE(0)) as PrincipalToken;
  }
}

function toBase62(value: bigint): string {
  let text = "";
  for (let rest = value; text.length < tokenLength; rest /= 62n) text = alphabet.charAt(Number(rest % 62n)) + text;
  return text;
}
