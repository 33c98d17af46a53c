import { ok } from "../../shared/result.js";
import { unnamed, type BodyMessage } from "../../http/validation/message.js";

/** A JSON-RPC message, or several from older clients: the protocol checks itself what it says. */
export const mcpMessage: BodyMessage<unknown> = {
  ...unnamed({ oneOf: [{ type: "object" }, { type: "array", items: { type: "object" } }] }),
  check: (value) => ok(value),
};
