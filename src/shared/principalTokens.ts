import { hash } from "node:crypto";
import type { DatasourceId, Email, GroupId, PrincipalToken } from "./ids.js";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const tokenLength = 11;
/** Documents name few groups, again and again. Takes some megabytes. */
const rememberedGroups = 20_000;

type PrincipalKind = "anonymous" | "user" | "group";

/**
 * Mints the principal tokens of one namespace. The same function serves documents and people, so "may see" is nothing
 * but "share a token". A token is an 11-character base62 form of a 64-bit truncated SHA-256 over namespace, datasource
 * incarnation, kind and value. Only minted tokens may enter a filter.
 */
export class PrincipalTokens {
  /** Keyed by datasource and name; a datasource's id holds no blank. */
  private readonly ofGroups = new Map<string, PrincipalToken>();

  constructor(private readonly namespace: string) {}

  /** The token that every person registered on the datasource holds (spec: Visibility rules, 1 and 2). */
  anonymous(datasource: DatasourceId): PrincipalToken {
    return this.mint(datasource, "anonymous", "");
  }

  /** The token that the one registered person with this login email holds (spec: Visibility rules, 3 and 5). */
  user(datasource: DatasourceId, email: Email): PrincipalToken {
    return this.mint(datasource, "user", email);
  }

  /** The token that members of the group with this name hold now (spec: Visibility rules, 4 and 8). */
  group(datasource: DatasourceId, groupName: string): PrincipalToken {
    const key = `${datasource} ${groupName}`;
    const known = this.ofGroups.get(key);
    if (known !== undefined) return known;
    const token = this.mint(datasource, "group", groupName);
    if (this.ofGroups.size >= rememberedGroups) this.ofGroups.clear();
    this.ofGroups.set(key, token);
    return token;
  }

  /**
   * The token of a deleted group, for rows that still name the group: no document can carry it, since names hold no
   * NUL.
   */
  deletedGroup(datasource: DatasourceId, groupId: GroupId): PrincipalToken {
    return this.mint(datasource, "group", `\0${groupId}`);
  }

  private mint(datasource: DatasourceId, kind: PrincipalKind, value: string): PrincipalToken {
    const digest = hash("sha256", JSON.stringify([this.namespace, datasource, kind, value]), "buffer");
    return toBase62(digest.readUInt32BE(0), digest.readUInt32BE(4)) as PrincipalToken;
  }
}

/** Divides a 64-bit number, given by its halves, by 62 as on paper: people and documents need millions of tokens. */
function toBase62(high: number, low: number): string {
  let text = "";
  for (let [upper, lower] = [high, low]; text.length < tokenLength;) {
    const quotient = Math.floor(upper / 62);
    const rest = (upper - quotient * 62) * 2 ** 32 + lower;
    upper = quotient;
    lower = Math.floor(rest / 62);
    text = alphabet.charAt(rest - lower * 62) + text;
  }
  return text;
}
