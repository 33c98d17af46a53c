import { z } from "zod";
import { personOf, type ApiContext } from "../../http/apiContext.js";
import { refusal, valueOf } from "../../http/envelopes.js";
import { publicOrigin } from "../../http/publicOrigin.js";
import { RefusedRequest } from "../../http/refusedRequest.js";
import type { FindTextPart } from "../../../queries/queries.js";
import type { DocumentDetails, TextPart } from "../../readModels/search.js";
import { cutText } from "../../shared/cutText.js";
import { documentAddress } from "../../shared/documentAddress.js";
import { readsHere, tool } from "./tool.js";

/** UTF-16 units of a text that are told at once: some 15,000 tokens, which clients pass on to models. */
const longestText = 50_000;

/** The second half of what ChatGPT's connectors ask for. */
export const fetchDocument = tool({
  name: "fetch",
  title: "Read a document",
  description: `Reads a document that \`search\` has found. At most ${longestText} characters come at once; where a text goes on, its end says with which \`start\` to go on reading.`,
  input: z.object({
    id: z.string().min(1).describe("Its id, as `search` returns it."),
    start: z.int().min(0).default(0).describe("How many characters to pass over."),
  }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string().describe("Where people open it."),
    metadata: z.record(z.string(), z.string()),
  }),
  annotations: readsHere,
  async call(context, { id, start }) {
    const { details, text, next } = await read(context, id, start);
    const goesOn = next !== null && { truncated: "true", next_start: String(next) };
    return {
      ...{ id: details.id, title: details.title },
      text: next === null ? text : `${text}\n\n[The text goes on. Fetch it again with "start": ${next}.]`,
      url: documentAddress(publicOrigin(context), details),
      metadata: { ...metadataOf(details), ...goesOn },
    };
  },
});

interface ReadText {
  readonly details: DocumentDetails;
  readonly text: string;
  /** Where it goes on; null: nowhere. */
  readonly next: number | null;
}

async function read(context: ApiContext, id: string, start: number): Promise<ReadText> {
  const { services, state } = context;
  const asked = { person: personOf(context), id, includeText: true, atLeast: state.atLeast };
  const { details, text: first } = valueOf(await services.queries.findDocument(asked));
  let [text, passed] = ["", 0];
  for await (const part of first === null ? [] : partsOf(context, first, { ...asked, details })) {
    text += part.slice(Math.max(0, start - passed));
    passed += part.length;
    if (text.length > longestText) break;
  }
  // A start may lie inside a surrogate pair.
  const [told = ""] = cutText(text.replace(/^[\udc00-\udfff]/, " "), () => longestText);
  return { details, text: told, next: told.length < text.length ? start + told.length : null };
}

/** The parts of a text, each read when it is wanted, all of the same version of the document. */
async function* partsOf(
  { services: { queries } }: ApiContext,
  first: TextPart,
  asked: Omit<FindTextPart, "part">,
): AsyncGenerator<string, void, void> {
  yield first.text;
  for (let part = 1; part < first.parts; part++) {
    const found = await queries.findTextPart({ ...asked, part });
    if (!found.ok && found.error.type === "DocumentNotFound")
      throw new RefusedRequest(refusal(409, "The document has changed while it was read. Fetch it again."));
    yield valueOf(found).text;
  }
}

function metadataOf(details: DocumentDetails): Record<string, string> {
  const told = {
    ...{ datasource: details.datasource, path: details.path, author: details.author },
    ...{ last_modified: details.lastModified, file_type: details.fileType, mime_type: details.mimeType },
  };
  return Object.fromEntries(Object.entries(told).filter((entry): entry is [string, string] => entry[1] !== null));
}
