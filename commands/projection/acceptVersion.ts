import type { Commands } from "../commands.js";
import type { CommandServices } from "../services.js";
import { handleProjection, readModelNamed } from "./handleProjection.js";

/** Lets the version under way be served although it differs. */
export const createAcceptVersion =
  (services: CommandServices): Commands["acceptVersion"] =>
  ({ name }, context) =>
    handleProjection(services, readModelNamed(name), context, (projection) => ({ type: "AcceptVersion", projection }));
