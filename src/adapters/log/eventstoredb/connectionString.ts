import { withoutTrailing } from "../../../shared/cutText.js";

/** What has to be known of a connection string before the client reads it. */
export interface ConnectionString {
  /** The string as the client understands it, with a keep-alive interval that only this connection has. */
  readonly text: string;
  /** Hosts and ports without credentials, for error messages. */
  readonly hosts: string;
  /** True for several nodes, of which one leads. */
  readonly isCluster: boolean;
}

const example =
  "esdb://host:2113?tls=false, esdb://user:password@host:2113 or esdb+discover://user:password@cluster:2113";
const scheme = /^(?:esdb|kurrentdb|kurrent|kdb)(\+discover)?:\/\//;
const defaultKeepAliveMs = 10_000;
/** The first node that is asked for the leader may hang. */
const gossipTimeoutSeconds = 2;

/** Names in lower case, without `_` and `-`, as the client compares them. */
const knownOptions = new Set([
  "connectionname",
  "defaultdeadline",
  "discoveryinterval",
  "gossiptimeout",
  "keepaliveinterval",
  "keepalivetimeout",
  "maxdiscoverattempts",
  "nodepreference",
  "tls",
  "tlscafile",
  "tlsverifycert",
  "throwonappendfailure",
  "usercertfile",
  "userkeyfile",
]);

let connections = 0;

/**
 * Checks what the client would warn about while quoting the whole string, password included, or would accept to our
 * harm. Knows the newer names of the scheme. Throws an Error whose sentence names no credentials.
 *
 * The keep-alive interval differs by a millisecond for each connection of a process. gRPC lets channels with equal
 * settings share a TCP connection and its flow-control window. One subscription that waits for its projection can use
 * that window up, and every other call on it would wait as well.
 */
export function readConnectionString(given: string): ConnectionString {
  const trimmed = given.trim();
  const match = scheme.exec(trimmed);
  if (match === null)
    throw new Error(
      `The event store's connection string must begin with esdb:// or kurrentdb://, for example ${example}.`,
    );
  const rest = withoutTrailing(trimmed.slice(match[0].length), "/");
  const afterCredentials = rest.slice(rest.lastIndexOf("@") + 1);
  const credentials = rest.slice(0, rest.length - afterCredentials.length);
  const [hosts = "", query] = afterCredentials.split(/\/?\?(.*)/s);
  if (hosts === "") throw new Error(`The event store's connection string names no host. For example: ${example}.`);
  if (credentials !== "" && !/^[^:]+:[^@]+@$/.test(credentials)) {
    throw new Error(
      "The user in the event store's connection string must be written user:password@, with special characters percent-encoded.",
    );
  }
  const options = readOptions(query ?? "");
  const keepAlive = (options.keepAliveMs ?? defaultKeepAliveMs) + ++connections;
  const text = `${schemeFor(hosts, match[1])}://${credentials}${hosts}?${[...withGossipTimeout(options.kept), `keepAliveInterval=${keepAlive}`].join("&")}`;
  return { text, hosts, isCluster: match[1] !== undefined || hosts.includes(",") };
}

/**
 * When the client is told to discover, it asks only the first of several hosts for the leader; otherwise it asks each
 * of them.
 */
const schemeFor = (hosts: string, discover = ""): string => `esdb${hosts.includes(",") ? "" : discover}`;

const withGossipTimeout = (options: readonly string[]): readonly string[] =>
  options.some((option) => /^gossip[_-]?timeout=/i.test(option))
    ? options
    : [...options, `gossipTimeout=${gossipTimeoutSeconds}`];

function readOptions(query: string): { readonly kept: readonly string[]; readonly keepAliveMs?: number } {
  const kept: string[] = [];
  let keepAliveMs: number | undefined;
  for (const option of query.split("&").filter((part) => part !== "")) {
    const [name = "", value = ""] = option.split(/=(.*)/s);
    const flat = name.trim().toLowerCase().replaceAll(/[_-]/g, "");
    if (!knownOptions.has(flat) || value === "")
      throw new Error(`The event store's connection string has an unknown option or one without a value: ${name}.`);
    if (flat === "tlsverifycert" && value === "false") {
      throw new Error(
        "tlsVerifyCert=false is not supported: name the certificate's authority with tlsCAFile, or use tls=false on a trusted network.",
      );
    }
    if (flat === "throwonappendfailure" && value === "false")
      throw new Error("throwOnAppendFailure=false is not supported: the client then reports wrong revisions.");
    if (flat === "keepaliveinterval") keepAliveMs = readKeepAlive(value);
    else kept.push(`${name.trim()}=${value}`);
  }
  return { kept, ...(keepAliveMs !== undefined && { keepAliveMs }) };
}

/** Without keep-alive a frozen server is never noticed; the client warns below ten seconds. */
function readKeepAlive(value: string): number {
  const milliseconds = Number(value);
  if (Number.isInteger(milliseconds) && milliseconds >= defaultKeepAliveMs) return milliseconds;
  throw new Error(
    `keepAliveInterval must be at least ${defaultKeepAliveMs} milliseconds: it is how a server that hangs is noticed.`,
  );
}
