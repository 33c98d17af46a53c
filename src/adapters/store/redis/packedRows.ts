import type { GroupRow, PersonRow } from "../../../../projections/groupClosure/ports.js";
import type { GroupId, PrincipalToken } from "../../../shared/ids.js";
import { fromBytes, toBytes, type SortedIndexes } from "../../../shared/sortedIndexes.js";

/** A minted token is as long in bytes as in characters. */
const tokenLength = 11;
const groupHeader = tokenLength + 1 + 2 + 4;
const personHeader = 1 + tokenLength;

/** Token, lengths of id and name, number of parents; then id, name, parents, ancestors, the last two as u32. */
export function packGroup({ token, groupId, name, parents, ancestors }: GroupRow): Buffer {
  const [id, title] = [Buffer.from(groupId), Buffer.from(name)];
  const header = Buffer.alloc(groupHeader);
  header.write(token, 0, "latin1");
  header.writeUInt8(id.length, tokenLength);
  header.writeUInt16LE(title.length, tokenLength + 1);
  header.writeUInt32LE(parents.length, tokenLength + 3);
  return Buffer.concat([header, id, title, toBytes(parents), toBytes(ancestors)]);
}

/** The whole row, for writers. */
export function unpackGroup(index: number, bytes: Buffer): GroupRow {
  const nameAt = groupHeader + bytes.readUInt8(tokenLength);
  const parentsAt = nameAt + bytes.readUInt16LE(tokenLength + 1);
  const ancestorsAt = ancestorsPlace(bytes);
  return {
    index,
    groupId: bytes.toString("utf8", groupHeader, nameAt) as GroupId,
    name: bytes.toString("utf8", nameAt, parentsAt),
    token: tokenOf(bytes),
    parents: fromBytes(bytes.subarray(parentsAt, ancestorsAt)),
    ancestors: fromBytes(bytes.subarray(ancestorsAt)),
  };
}

/** What a reader needs of a group. */
export interface GroupAccess {
  readonly token: PrincipalToken;
  readonly ancestors: SortedIndexes;
}

/** Reads the access part of what {@link packGroup} packed. */
export const unpackGroupAccess = (bytes: Buffer): GroupAccess => ({
  token: tokenOf(bytes),
  ancestors: ownIndexes(bytes.subarray(ancestorsPlace(bytes))),
});

/** Whether registered, token, direct groups as u32. */
export function packPerson({ registered, token, groups }: PersonRow): Buffer {
  return Buffer.concat([Buffer.from([registered ? 1 : 0]), Buffer.from(token, "latin1"), toBytes(groups)]);
}

/** A person on a datasource, without saying who and where. */
export type PersonAccess = Pick<PersonRow, "registered" | "token" | "groups">;

/** What {@link packPerson} packed. */
export const unpackPerson = (bytes: Buffer): PersonAccess => ({
  registered: bytes[0] === 1,
  token: bytes.toString("latin1", 1, personHeader) as PrincipalToken,
  groups: ownIndexes(bytes.subarray(personHeader)),
});

const tokenOf = (bytes: Buffer): PrincipalToken => bytes.toString("latin1", 0, tokenLength) as PrincipalToken;

function ancestorsPlace(bytes: Buffer): number {
  const [id, name, parents] = [
    bytes.readUInt8(tokenLength),
    bytes.readUInt16LE(tokenLength + 1),
    bytes.readUInt32LE(tokenLength + 3),
  ];
  return groupHeader + id + name + 4 * parents;
}

/** A copy, because what is remembered must not keep the server's whole answer in memory. */
const ownIndexes = (bytes: Buffer): SortedIndexes => fromBytes(Uint8Array.from(bytes));
