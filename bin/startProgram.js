/** Starts the bundled program. Only read where Node is new enough: an old one would not even parse it. */
"use strict";

const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

const program = join(__dirname, "../dist/bundle/main.js");

if (existsSync(program)) {
  void import(pathToFileURL(program).href);
} else {
  console.error("enterprise-search has not been built yet. Run `npm run build` in its folder first.");
  process.exitCode = 1;
}
