import { projectionKinds, readModelNames } from "../../events/projection.js";

/** How help tells which projections there are. */
export const projectionNames = `the projection: ${Object.keys(projectionKinds).join(", ")}`;

/** And those that have versions, and can be compared with the log: a reaction has neither. */
export const namesOfReadModels = `the projection: ${readModelNames.join(", ")}`;
