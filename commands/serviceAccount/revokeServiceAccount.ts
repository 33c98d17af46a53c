import { serviceAccountStream } from "../../src/events/streams.js";
import type { Commands } from "../commands.js";
import { answering } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { decide, serviceAccountAggregate } from "./decider.js";

/** Ends a service account for good; revoking it again changes nothing. */
export const createRevokeServiceAccount =
  ({ handler }: CommandServices): Commands["revokeServiceAccount"] =>
  ({ id }, context) =>
    handler.handle({
      aggregate: serviceAccountAggregate,
      stream: serviceAccountStream(id),
      context,
      decide: (state) => answering(decide({ type: "RevokeServiceAccount", id }, state), null),
    });
