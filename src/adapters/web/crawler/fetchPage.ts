import { Readable, type Transform } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { request, type Dispatcher } from "undici";
import { boundedBody } from "../../../shared/network.js";
import type { AllowedHosts } from "./allowedHosts.js";

export interface FetchOptions {
  readonly dispatcher: Dispatcher;
  readonly hosts: AllowedHosts;
  readonly userAgent: string;
  /** The most bytes of a body, as sent and as unpacked. */
  readonly maxBytes: number;
}

interface FetchRequest {
  readonly accept: string;
  readonly signal: AbortSignal;
  readonly mostRedirects: number;
  /** Rejects where an address may not be asked. Called again for each redirect. */
  mayFetch?(address: URL): Promise<void>;
  /** Whether a media type is worth its body; it is in lower case and without parameters. */
  isWanted(mimeType: string): boolean;
}

/** What an address has answered. */
export interface FetchedPage {
  readonly status: number;
  /** In lower case and without parameters; empty where none was said. */
  readonly mimeType: string;
  readonly charset: string | null;
  /** Empty unless the status is 200. */
  readonly bytes: Buffer;
}

const longestAddress = 2_000;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Asks an address of the web, and follows where it leads. Nothing is sent but what stands here: no cookies, no
 * referrer, no credentials.
 *
 * @throws PageNotRead, or whatever went wrong on the way.
 */
export async function fetchPage(url: URL, options: FetchOptions, asked: FetchRequest): Promise<FetchedPage> {
  for (let [address, hops] = [url, 0]; ; hops++) {
    requireWebAddress(address, options.hosts);
    await asked.mayFetch?.(address);
    const response = await send(address, options, asked);
    const { location } = response.headers;
    if (!redirects.has(response.statusCode) || location === undefined) return taken(response, options, asked);
    leave(response);
    if (hops === asked.mostRedirects) throw new PageNotRead("The address leads on too often.");
    address = target(String(location), address);
  }
}

function requireWebAddress(address: URL, hosts: AllowedHosts): void {
  const { protocol, port, hostname, username, password } = address;
  if (address.href.length > longestAddress) throw new PageNotRead("The address is too long.");
  if (protocol !== "http:" && protocol !== "https:") throw new PageNotRead("The address is none of the web.");
  if (username !== "" || password !== "") throw new PageNotRead("The address holds credentials.");
  const asked = port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
  if (!hosts.mayAsk(withoutBrackets(hostname), asked)) throw new PageNotRead("The port is none of the web.");
}

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");

const send = (address: URL, { dispatcher, userAgent }: FetchOptions, { accept, signal }: FetchRequest) =>
  request(address, {
    ...{ dispatcher, signal, method: "GET" },
    headers: {
      accept,
      "accept-encoding": "gzip, deflate, br",
      "accept-language": "de, en;q=0.9, *;q=0.5",
      "user-agent": userAgent,
    },
  });

function target(location: string, from: URL): URL {
  // Headers come as bytes, which mean UTF-8 where they are no ASCII.
  const written = Buffer.from(location, "latin1").toString();
  if (!URL.canParse(written, from.href)) throw new PageNotRead("The address leads to none.");
  return new URL(written, from);
}

/** Ends a connection whose body nobody wants. */
function leave({ body }: Dispatcher.ResponseData): void {
  body.on("error", () => undefined).destroy();
}

async function taken(
  response: Dispatcher.ResponseData,
  { maxBytes }: FetchOptions,
  { isWanted, signal }: FetchRequest,
): Promise<FetchedPage> {
  const { statusCode: status, headers, body } = response;
  const { mimeType, charset } = contentType(headers["content-type"]);
  if (status !== 200) {
    leave(response);
    return { status, mimeType, charset, bytes: Buffer.alloc(0) };
  }
  try {
    if (!isWanted(mimeType)) throw new PageNotRead("Pages of this type are not read.");
    if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
    const bytes = await unpacked(boundedBody(body, maxBytes, tooLarge), headers["content-encoding"], {
      maxBytes,
      signal,
    });
    return { status, mimeType, charset, bytes };
  } catch (error) {
    leave(response);
    throw error;
  }
}

const tooLarge = (): PageNotRead => new PageNotRead("The page is too large.");

function contentType(header: string | readonly string[] | undefined): Pick<FetchedPage, "mimeType" | "charset"> {
  const [mimeType = "", ...parameters] = String(header ?? "").split(";");
  const charset = /^\s*charset\s*=\s*["']?([\w.:-]{1,40})/i;
  const said = parameters.map((parameter) => charset.exec(parameter)?.[1]).find((value) => value !== undefined);
  return { mimeType: mimeType.trim().toLowerCase(), charset: said ?? null };
}

const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** What was packed once; what was packed several times is a trap. */
async function unpacked(
  body: AsyncIterable<Uint8Array>,
  encoding: string | readonly string[] | undefined,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Buffer> {
  const named = String(encoding ?? "identity")
    .trim()
    .toLowerCase();
  if (named === "identity" || named === "") return buffer(body);
  const unpacker = Object.hasOwn(unpackers, named) ? unpackers[named]?.() : undefined;
  if (unpacker === undefined) throw new PageNotRead("The page is packed in a way that is not known.");
  const packed = Readable.from(body, { objectMode: false, signal });
  packed.on("error", (error) => unpacker.destroy(error)).pipe(unpacker);
  try {
    return await buffer(boundedBody(unpacker, maxBytes, tooLarge));
  } finally {
    packed.destroy();
    unpacker.destroy();
  }
}

/** Why a page is not read; for those who carry the project on, nobody is told. */
export class PageNotRead extends Error {
  override readonly name = "PageNotRead";
}
