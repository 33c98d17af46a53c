import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Answer } from "../answer.js";
import type { Route } from "../route.js";

const swaggerFolder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

/** Everything comes from this service, and nothing is sent anywhere else. */
const pageHeaders = [
  "Content-Security-Policy",
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Referrer-Policy",
  "no-referrer",
  "Cache-Control",
  "no-cache",
];
const assetHeaders = ["Cache-Control", "public, max-age=3600"];

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Enterprise search: API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="/docs/favicon.png">
  </head>
  <body>
    <div id="api"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const start = `SwaggerUIBundle({ url: "/openapi.json", dom_id: "#api", deepLinking: true, validatorUrl: null, persistAuthorization: false });
`;

/** The API description, and a page that shows it. Files of the page are read from the installed package, once. */
export function docsRoutes(apiDescription: object): readonly Route[] {
  const description = Buffer.from(JSON.stringify(apiDescription));
  return [
    file("/openapi.json", "application/json; charset=utf-8", ["Cache-Control", "no-cache"], () => description),
    file("/docs", "text/html; charset=utf-8", pageHeaders, () => Buffer.from(page)),
    file("/docs/start.js", "text/javascript; charset=utf-8", assetHeaders, () => Buffer.from(start)),
    file("/docs/swagger-ui-bundle.js", "text/javascript; charset=utf-8", assetHeaders, () => readFileSync(join(swaggerFolder, "swagger-ui-bundle.js"))),
    file("/docs/swagger-ui.css", "text/css; charset=utf-8", assetHeaders, () => readFileSync(join(swaggerFolder, "swagger-ui.css"))),
    file("/docs/favicon.png", "image/png", assetHeaders, () => readFileSync(join(swaggerFolder, "favicon-32x32.png"))),
  ];
}

function file(path: string, type: string, headers: readonly string[], read: () => Buffer): Route {
  let bytes: Buffer | null = null;
  const handle = (): Answer => ({ status: 200, raw: { type, bytes: (bytes ??= read()) }, headers });
  return { method: "GET", path, access: "open", handle };
}
