import type { ApiMiddleware } from "../apiContext.js";
import { refusal } from "../envelopes.js";
import { RefusedRequest } from "../refusedRequest.js";

/**
 * Refuses a request of HTTP/1.1 that names no host (RFC 9112, 3.2: 400), and one that expects what this service does
 * not do (RFC 9110, 10.1.1: 417).
 */
export const requestHead: ApiMiddleware = ({ req: { headers, httpVersion } }, next) => {
  if (headers.host === undefined && httpVersion === "1.1")
    throw new RefusedRequest(refusal(400, "The request must name the host that it is for, in the header `Host`."));
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue")
    throw new RefusedRequest(refusal(417, "Of expectations this service meets `100-continue` alone."));
  return next();
};
