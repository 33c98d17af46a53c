import { compatibleError } from "../../chat/messages/chatErrors.js";
import type { ApiMiddleware } from "../apiContext.js";

/** Puts a second envelope beside ours on all that is refused below `base`: the clients of that API read no other. */
export const compatibleEnvelopes =
  (base: string): ApiMiddleware =>
  async (context, next) => {
    await next();
    const { body, path, status } = context;
    if (!path.startsWith(base) || !isRefusal(body)) return;
    context.body = { ...body, error: compatibleError(status, body.detail) };
  };

const isRefusal = (body: unknown): body is { readonly detail: unknown } =>
  typeof body === "object" && body !== null && "detail" in body && !("error" in body);
