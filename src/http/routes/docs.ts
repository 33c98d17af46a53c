import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Route } from "../route.js";

const swaggerFolder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

/** Everything comes from this service, and nothing is sent anywhere else. */
const pageHeaders = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
};
const assetHeaders = { "Cache-Control": "public, max-age=3600" };

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Enterprise search: API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="/docs/page.css">
    <link rel="icon" type="image/png" href="/docs/favicon.png">
  </head>
  <body>
    <div id="api"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/**
 * What Swagger UI shows though we have none of it (links between answers, a choice of servers) is left out; on narrow
 * screens nothing is squeezed into columns or runs off the page.
 */
const layout = `body { margin: 0; }
.swagger-ui .info { margin: 32px 0 16px; }
.swagger-ui .scheme-container { margin: 0 0 16px; padding: 12px 0; }
.swagger-ui .scheme-container .schemes > .schemes-server-container, .swagger-ui .response-col_links { display: none; }
.swagger-ui .scheme-container .schemes { justify-content: flex-end; }
.swagger-ui .opblock .opblock-section-header { min-height: 44px; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .info .title { font-size: 28px; }
  .swagger-ui .opblock-tag { display: grid; grid-template-columns: 1fr auto; padding: 10px 4px; font-size: 20px; }
  .swagger-ui .opblock-tag small { grid-row: 2; grid-column: 1 / -1; padding: 4px 0 0; }
  .swagger-ui .opblock .opblock-summary-method { min-width: 64px; padding: 6px 0; font-size: 12px; }
  .swagger-ui .opblock-body, .swagger-ui .models { overflow-wrap: anywhere; }
  .swagger-ui .opblock-description-wrapper, .swagger-ui .responses-inner, .swagger-ui .table-container { padding: 12px; }
  .swagger-ui table.responses-table, .swagger-ui table.parameters { table-layout: fixed; }
  .swagger-ui .responses-table .response-col_status { width: 44px; }
  .swagger-ui .headers .header-col { overflow-wrap: normal; }
  .swagger-ui table.parameters thead { display: none; }
  .swagger-ui table.parameters tr, .swagger-ui table.parameters td { display: block; width: auto; max-width: none; }
  .swagger-ui table.parameters tbody tr td { padding: 4px 0; }
  .swagger-ui .parameters-col_description input, .swagger-ui .parameters-col_description select { width: 100%; max-width: 100%; }
}
`;

const start = `SwaggerUIBundle({ url: "/openapi.json", dom_id: "#api", deepLinking: true, validatorUrl: null, persistAuthorization: false });
`;

/**
 * The API description, and a page that shows it. Each is made when it is first asked for: the description takes a tenth
 * of a start, and files of the page are read from the installed package.
 */
export function docsRoutes(describe: () => object): readonly Route[] {
  return [
    file("/openapi.json", "application/json; charset=utf-8", { "Cache-Control": "no-cache" }, () =>
      Buffer.from(JSON.stringify(describe())),
    ),
    file("/docs", "text/html; charset=utf-8", pageHeaders, () => Buffer.from(page)),
    file("/docs/start.js", "text/javascript; charset=utf-8", assetHeaders, () => Buffer.from(start)),
    file("/docs/swagger-ui-bundle.js", "text/javascript; charset=utf-8", assetHeaders, () =>
      readFileSync(join(swaggerFolder, "swagger-ui-bundle.js")),
    ),
    file("/docs/swagger-ui.css", "text/css; charset=utf-8", assetHeaders, () =>
      readFileSync(join(swaggerFolder, "swagger-ui.css")),
    ),
    file("/docs/page.css", "text/css; charset=utf-8", assetHeaders, () => Buffer.from(layout)),
    file("/docs/favicon.png", "image/png", assetHeaders, () => readFileSync(join(swaggerFolder, "favicon-32x32.png"))),
  ];
}

function file(path: string, type: string, headers: Readonly<Record<string, string>>, read: () => Buffer): Route {
  let bytes: Buffer | null = null;
  return {
    method: "GET",
    path,
    access: "open",
    handle(context) {
      context.set({ ...headers, "Content-Type": type });
      context.body = bytes ??= read();
    },
  };
}
