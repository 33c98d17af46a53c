import { clientGone } from "../../http/apiContext.js";
import { jsonBody } from "../../http/body/jsonBody.js";
import { route } from "../../http/route.js";
import { toWebSearchRequest, webSearchAnswer, webSearchMessage } from "../messages/webSearch.js";

const searchWeb = route({
  method: "POST",
  path: "/api/beta/web_search",
  access: "apiKey",
  body: jsonBody(webSearchMessage),
  async handle(context, { body }) {
    const request = { ...toWebSearchRequest(body), signal: clientGone(context) };
    context.body = await context.services.webSearch.search(request);
  },
  description: {
    tag: "Web search",
    summary: "Search the web",
    description:
      "Asks an engine outside, which the operator has chosen for each mode, and merges what several queries find. Every mode answers in the same form; in `context` the first result is a summary, and its description says how it was made. Version v0.1.46.",
    example: { queries: ["rail passenger rights delay compensation"], count: 3, mode: "search" },
    success: {
      description: "The best results first; none where nothing was found.",
      schema: webSearchAnswer,
      example: [
        {
          url: "https://example.org/passenger-rights",
          metadata: { title: "Passenger rights", description: "What passengers are owed for delays." },
          content: "After a delay of 60 minutes a quarter of the fare is paid back.",
        },
      ],
    },
    failures: {
      503: "No engine serves the mode, and the message names the setting; or the engine cannot be asked now. See Retry-After where it is there.",
    },
  },
});

/** Web search (spec: Web search). */
export const webSearchRoutes = [searchWeb];
