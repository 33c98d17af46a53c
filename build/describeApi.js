/**
 * Writes the description of the API, as `/openapi.json` answers it, into `dist/openapi.json`. Run by `npm run build`.
 */
import { writeFileSync } from "node:fs";
import { features } from "../dist/src/wiring/features.js";
import { describeApi } from "../dist/src/http/openapi/describeApi.js";

writeFileSync("dist/openapi.json", JSON.stringify(describeApi(features, "amber"), null, 2));
