import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { nothingHere } from "../envelopes.js";
import { RefusedRequest } from "../refusedRequest.js";
import type { Route } from "../route.js";
import { unchecked } from "../pathParameters.js";

/**
 * Everything comes from this service. Nothing that a title, a text or a model says can become markup: scripts of this
 * origin alone run, and the browser refuses to make elements of text (docs/design/dashboard.md). One policy may name
 * the address of a script: that of the worker that draws pages of PDFs.
 */
const pageHeaders = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types pdf-worker",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  "X-Frame-Options": "DENY",
  "Cache-Control": "no-cache",
};

/**
 * A script that runs as a worker goes by the policy that it comes with: what draws a stranger's PDF may compile the
 * decoders of its images, and ask nobody but this service.
 */
const workerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** Its content is in its name. */
const hashed = /-[\w-]{8}\.\w+$/;

const yearSeconds = 31_536_000;
const hourSeconds = 3_600;

/** Beside each file the same, compressed by the build. */
const compressed = ".br";

const plain = "identity";

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** Where a page may be opened; the page itself finds out what to show there. */
const pagePaths = [
  "/",
  "/welcome",
  "/search",
  "/ask",
  "/access",
  "/service-accounts",
  "/api-keys",
  "/datasources",
  "/datasources/{rest}",
  "/read-models",
  "/events",
  "/documents/{rest}",
  "/accounts",
  "/profile",
] as const;

/** The dashboard's page and its files, from `dist/web`. None where it was not built: then nothing is at `/`. */
export function pageRoutes(): readonly Route[] {
  const folder = builtPages();
  if (folder === null) return [];
  const answerPage = answerFile(join(folder, "index.html"), { ...pageHeaders, "Content-Type": mediaTypes[".html"] });
  return [...pagePaths.map((path) => pageAt(path, answerPage)), assetsIn(join(folder, "assets"))];
}

const anything = {
  description: { name: "rest", in: "path", description: "What the page shows.", schema: {} },
  isRest: true,
  refusalOf: () => null,
} as const;

const pageAt = (path: string, handle: Route["handle"]): Route => ({
  method: "GET",
  path,
  access: "open",
  ...(path.endsWith("{rest}") && { params: [anything] }),
  handle,
});

/** One route for all of them: the router tries every pattern at each request. */
function assetsIn(folder: string): Route<"/assets/{name}"> {
  const names = readdirSync(folder).filter((name) => !name.endsWith(compressed));
  const answers = new Map(names.map((name) => [name, answerAsset(name, join(folder, name))]));
  return {
    method: "GET",
    path: "/assets/{name}",
    access: "open",
    params: [unchecked("name", "Name of a file.", {})],
    handle(context, request) {
      const answer = answers.get(request.params.name);
      if (answer === undefined) throw new RefusedRequest(nothingHere);
      return answer(context, request);
    },
  };
}

function answerAsset(name: string, file: string): Route["handle"] {
  const age = hashed.test(name) ? `public, max-age=${yearSeconds}, immutable` : `public, max-age=${hourSeconds}`;
  return answerFile(file, {
    "Cache-Control": age,
    "Content-Security-Policy": workerPolicy,
    "Content-Type": mediaTypes[extname(name)] ?? "application/octet-stream",
  });
}

/** Answers with a file, compressed for clients that take that; it is read when it is first asked for. */
function answerFile(file: string, headers: Readonly<Record<string, string | undefined>>): Route["handle"] {
  const read = { [plain]: readLazily(file), br: readLazily(`${file}${compressed}`) };
  return (context) => {
    const encoding = context.acceptsEncodings("br", plain) === "br" ? "br" : plain;
    context.set({ ...(headers as Record<string, string>), Vary: "Accept-Encoding" });
    if (encoding === "br") context.set("Content-Encoding", encoding);
    context.body = read[encoding]();
  };
}

function readLazily(file: string): () => Buffer {
  let bytes: Buffer | null = null;
  return () => (bytes ??= readFileSync(file));
}

/** The folder `web` beside the bundle, or above the compiled program; null: the pages were not built. */
function builtPages(): string | null {
  for (let at = dirname(fileURLToPath(import.meta.url)); at !== dirname(at); at = dirname(at)) {
    const folder = join(at, "web");
    if (hasPage(folder)) return folder;
  }
  return null;
}

function hasPage(folder: string): boolean {
  try {
    return readdirSync(folder).includes("index.html") && readdirSync(folder).includes("assets");
  } catch {
    return false;
  }
}
