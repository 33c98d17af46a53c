/** What a request line names, taken apart and not decoded. */
export interface RequestTarget {
  /** `*` for the service as a whole, which only OPTIONS asks about. */
  readonly path: string;
  /** What follows `?`. */
  readonly search: string;
}

const schemeAndAuthority = /^https?:\/\/[^/?#]*/i;

/**
 * Takes the target of a request apart: `/path?search`, the absolute form that clients send to proxies and that every
 * server has to accept (RFC 9112, 3.2.2), or `*` (3.2.4). Whom an absolute form addresses does not matter: there is one
 * service.
 */
export function parseRequestTarget(method: string, target: string): RequestTarget {
  const local = target.startsWith("/") ? target : target.replace(schemeAndAuthority, "");
  const mark = local.indexOf("?");
  const path = mark === -1 ? local : local.slice(0, mark);
  // Without a path, OPTIONS in absolute form means `*` (RFC 9112, 3.2.4), and anything else `/`.
  return { path: path || (method === "OPTIONS" ? "*" : "/"), search: mark === -1 ? "" : local.slice(mark + 1) };
}
