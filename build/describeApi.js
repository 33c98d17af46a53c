/** Writes the description of the API, as `/openapi.json` answers it, into `dist/openapi.json`. Run by `npm run build`. */
import { writeFileSync } from "node:fs";
import { apiRoutes } from "../dist/src/http/apiRoutes.js";
import { describeApi } from "../dist/src/http/openapi/describeApi.js";

writeFileSync("dist/openapi.json", JSON.stringify(describeApi(apiRoutes, "amber"), null, 2));
