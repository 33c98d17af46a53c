import { BlockList, isIPv4, isIPv6 } from "node:net";

/** What IANA's registry of special purposes does not call globally reachable, and what is no unicast. */
const closedIPv4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;
/** Of what is unicast for everybody: protocols and tunnels (Teredo, ORCHID, 6to4), and what documents use. */
const closedIPv6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const;
/** IPv4 in other words: mapped addresses, and those of NAT64. */
const carriersOfIPv4 = [
  ["::ffff:0:0", 96],
  ["64:ff9b::", 96],
] as const;

function listOf(ranges: readonly (readonly [string, number])[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list;
}

const closed = { ipv4: listOf(closedIPv4, "ipv4"), ipv6: listOf(closedIPv6, "ipv6") };
/** All that is handed out for unicast. */
const unicastIPv6 = listOf([["2000::", 3]], "ipv6");
const carriesIPv4 = listOf(carriersOfIPv4, "ipv6");

/** Whether an address, as a socket takes it, leads to one machine of the public network. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closed.ipv4.check(address, "ipv4");
  // A zone is one of this machine's links.
  if (!isIPv6(address) || address.includes("%")) return false;
  if (carriesIPv4.check(address, "ipv6")) return isPublicAddress(carriedIPv4(address));
  return unicastIPv6.check(address, "ipv6") && !closed.ipv6.check(address, "ipv6");
}

/** The IPv4 address in the last 32 bits. */
function carriedIPv4(address: string): string {
  const [high = "", low = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split(":").slice(-2);
  const bits = Number.parseInt(high || "0", 16) * 0x1_00_00 + Number.parseInt(low || "0", 16);
  return [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256).join(".");
}
