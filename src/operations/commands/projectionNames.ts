import { projectionKinds } from "../../events/projection.js";

/** How help tells which projections there are. */
export const projectionNames = `the projection: ${Object.keys(projectionKinds).join(", ")}`;
