#!/usr/bin/env node
import { existsSync } from "node:fs";

const program = new URL("../dist/bundle/main.js", import.meta.url);

if (existsSync(program)) {
  await import(program.href);
} else {
  console.error("enterprise-search has not been built yet. Run `npm run build` in its folder first.");
  process.exitCode = 1;
}
