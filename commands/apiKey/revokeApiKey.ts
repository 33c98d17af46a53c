import { apiKeyStream } from "../../src/events/streams.js";
import type { Commands } from "../commands.js";
import { answering } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { decide, apiKeyAggregate } from "./decider.js";

/** Ends a personal key for good; revoking it again changes nothing. */
export const createRevokeApiKey =
  ({ handler }: CommandServices): Commands["revokeApiKey"] =>
  ({ id }, context) =>
    handler.handle({
      aggregate: apiKeyAggregate,
      stream: apiKeyStream(id),
      context,
      decide: (state) => answering(decide({ type: "RevokeApiKey", id }, state), null),
    });
