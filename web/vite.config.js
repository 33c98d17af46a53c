/**
 * Builds the pages into `dist/web`: names with a hash of their content, so that browsers keep them, and nothing inline,
 * which the Content-Security-Policy would refuse. `npm run build` runs it.
 */
import { defineConfig } from "vite";

const pages = defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    sourcemap: false,
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  // The API of a service that runs beside `npx vite web`.
  server: { proxy: { "/api": "http://127.0.0.1:8080", "/openapi.json": "http://127.0.0.1:8080" } },
  logLevel: "warn",
});

// Vite asks for a default export.
// oxlint-disable-next-line import/no-default-export
export default pages;
