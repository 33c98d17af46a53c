import { lookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector, EnvHttpProxyAgent, Pool, type Dispatcher } from "undici";
import type { AllowedHosts } from "./allowedHosts.js";
import { isPublicAddress } from "./publicAddress.js";

/** Thrown instead of a connection to an address that is not public. */
export class ForbiddenAddress extends Error {
  override readonly name = "ForbiddenAddress";
}

/** Proxies, as the environment names them; an empty text: none. */
export interface Proxies {
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
 * Connects to public unicast addresses and to hosts that are named, and to nothing else. What counts is the address that
 * the socket gets: it comes out of the one look-up that is made for this connection. Connections are not kept.
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
