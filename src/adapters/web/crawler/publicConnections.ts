import { lookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction, BlockList, isIPv4, isIPv6 } from "node:net";
import { buildConnector, EnvHttpProxyAgent, Pool, type Dispatcher } from "undici";
import type { AllowedHosts } from "./allowedHosts.js";

/** Thrown instead of a connection to an address that is not public. */
export class ForbiddenAddress extends Error {
  override readonly name = "ForbiddenAddress";
}

/** Proxies, as the environment names them; an empty text: none. */
interface Proxies {
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** Finds all addresses of a name. */
export type Resolve = (
  hostname: string,
  found: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

const askSystem: Resolve = (hostname, found) => lookup(hostname, { all: true }, found);

/**
 * Connects to public unicast addresses and to hosts that are named, and to nothing else. What counts is the address
 * that the socket gets: it comes out of the one look-up that is made for this connection. Connections are not kept.
 */
export function publicConnections(hosts: AllowedHosts, proxies: Proxies, resolve: Resolve = askSystem): Dispatcher {
  const guard = new AddressGuard(hosts, resolve);
  return new EnvHttpProxyAgent({
    // A proxy that is not named here is none: the library would ask the environment.
    ...{ httpProxy: "", httpsProxy: proxies.httpsProxy, noProxy: proxies.noProxy },
    ...{ pipelining: 0, connect: guardedConnector(guard) },
    // What asks the proxy for tunnels.
    clientFactory: (origin: URL, options: object) => tunnelsByAddress(origin, options, guard),
  });
}

function guardedConnector(guard: AddressGuard): buildConnector.connector {
  return (options, callback) => {
    const { hostname, port, protocol } = options;
    const target = { hostname, port: portOf(port, protocol) };
    // Sockets look up names alone.
    if (isIP(hostname) !== 0 && !guard.allows(target, hostname)) return callback(forbidden(), null);
    buildConnector({ lookup: guard.lookupFor(target) })(options, callback);
  };
}

const portOf = (port: string, protocol: string): number =>
  port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
const forbidden = (): ForbiddenAddress => new ForbiddenAddress("The address is not public.");

interface Target {
  readonly hostname: string;
  readonly port: number;
}

class AddressGuard {
  constructor(
    private readonly hosts: AllowedHosts,
    private readonly resolve: Resolve,
  ) {}

  allows({ hostname, port }: Target, address: string): boolean {
    return isPublicAddress(address) || this.hosts.isNamed(hostname, port);
  }

  /** A look-up for one socket that knows of no other addresses than those which that socket may connect to. */
  lookupFor(target: Target): LookupFunction {
    return (hostname, { all }, found) =>
      this.resolve(hostname, (error, addresses) => {
        const [first, ...others] = addresses?.filter(({ address }) => this.allows(target, address)) ?? [];
        if (error !== null) found(error, []);
        else if (first === undefined) found(forbidden(), []);
        else if (all === true) found(null, [first, ...others]);
        else found(null, first.address, first.family);
      });
  }

  /** An address that may be connected to. */
  addressOf(target: Target): Promise<string> {
    const { hostname } = target;
    if (isIP(hostname) !== 0)
      return this.allows(target, hostname) ? Promise.resolve(hostname) : Promise.reject(forbidden());
    return new Promise((resolve, reject) =>
      this.lookupFor(target)(hostname, { all: false }, (error, address) =>
        error === null ? resolve(String(address)) : reject(error),
      ),
    );
  }
}

/** Asks a proxy for tunnels to addresses that were looked up and judged here, not to names that it looks up itself. */
function tunnelsByAddress(proxy: URL, options: object, guard: AddressGuard): Dispatcher {
  const pool = new Pool(proxy, options);
  const toName = pool.connect.bind(pool) as (asked: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>;
  const connect = async ({ path = "", ...asked }: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    const { hostname, port } = new URL(`tunnel://${path}`);
    const address = await guard.addressOf({ hostname: hostname.replace(/^\[|\]$/g, ""), port: Number(port) });
    return toName({ ...asked, path: `${isIP(address) === 6 ? `[${address}]` : address}:${port}` });
  };
  return Object.assign(pool, { connect });
}

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
/** The closed part of global unicast: protocols, tunnels (Teredo, ORCHID, 6to4), and addresses for documentation. */
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
