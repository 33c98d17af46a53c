import type { Datasource } from "../events/datasource.js";

/** A datasource as stores keep it, in JSON. Rows of before there was a `defaultAccess` mean what was so then. */
export const readStoredDatasource = (json: string): Datasource => ({
  ...{ defaultAccess: "anonymous" },
  ...(JSON.parse(json) as Datasource),
});
