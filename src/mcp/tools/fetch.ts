import { z } from "zod";
import { inUtc } from "../../shared/instant.js";
import { passagesOf, passagesWithin, withHeadings } from "../../analysis/passages.js";
import { personOf, type ApiContext } from "../../http/apiContext.js";
import { refusal, valueOf } from "../../http/envelopes.js";
import { searchLimits } from "../../api/searchParameters.js";
import { publicOrigin } from "../../http/publicAddresses.js";
import { RefusedRequest } from "../../http/refusedRequest.js";
import type { FindTextPart } from "../../../queries/queries.js";
import type { DocumentDetails, TextPart } from "../../readModels/search.js";
import { cutText } from "../../shared/texts.js";
import { documentAddress } from "../../shared/documentAddress.js";
import { readsHere, tool } from "./tool.js";

/** UTF-16 units of a text that are told at once: some 15,000 tokens, which clients pass on to models. */
const longestText = 50_000;
/** UTF-16 units of passages that are told where something is looked for. */
const mostOfPassages = 20_000;
/** How far into a text passages are looked for. */
const mostLookedThrough = 3_000_000;

/** The second half of what ChatGPT's connectors ask for. */
export const fetchDocument = tool({
  name: "fetch",
  title: "Read a document",
  description: `Reads a document that \`search\` has found. At most ${longestText} characters come at once; where a text goes on, its end says with which \`start\` to go on reading. With a \`query\`, of a longer text only the passages come that fit it, under their headings.`,
  input: z.object({
    id: z.string().min(1).describe("Its id, as `search` returns it."),
    start: z.int().min(0).default(0).describe("How many characters to pass over."),
    query: z
      .string()
      .trim()
      .max(searchLimits.longestQuery)
      .default("")
      .describe("What is looked for in the document. Left out: its text is read from `start` on."),
  }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string().describe("Where people open it."),
    metadata: z.record(z.string(), z.string()),
  }),
  annotations: readsHere,
  async call(context, { id, start, query }, signal) {
    const { details, text, more } =
      query === "" ? await readFrom(context, id, start) : await readAbout(context, id, query, signal);
    return {
      ...{ id: details.id, title: details.title },
      text: more === null ? text : `${text}\n\n[${more.sentence}]`,
      url: documentAddress(publicOrigin(context), details),
      metadata: { ...metadataOf(details), ...more?.metadata },
    };
  },
});

interface ReadText {
  readonly details: DocumentDetails;
  readonly text: string;
  /** What is told of the rest; null: this is all. */
  readonly more: { readonly sentence: string; readonly metadata: Readonly<Record<string, string>> } | null;
}

async function readFrom(context: ApiContext, id: string, start: number): Promise<ReadText> {
  const { details, text } = await read(context, id, start, longestText);
  // A start may lie inside a surrogate pair.
  const told = pieceOf(text.replace(/^[\udc00-\udfff]/, " "));
  if (told.length === text.length) return { details, text: told, more: null };
  const next = start + told.length;
  const sentence = `The text goes on. Fetch it again with "start": ${next}.`;
  return { details, text: told, more: { sentence, metadata: { truncated: "true", next_start: String(next) } } };
}

/** The beginning of a text, to the end of a passage. */
function pieceOf(text: string): string {
  const [beginning = ""] = cutText(text, () => longestText);
  if (beginning.length === text.length) return text;
  const ends = passagesOf(beginning).map(({ end }) => end);
  // The last passage goes on.
  return beginning.slice(0, ends.at(-2) ?? beginning.length);
}

async function readAbout(context: ApiContext, id: string, query: string, signal: AbortSignal): Promise<ReadText> {
  const { details, text } = await read(context, id, 0, mostLookedThrough);
  if (text.length <= mostOfPassages) return { details, text, more: null };
  const source = { text: text.slice(0, mostLookedThrough), title: details.title };
  const passages = await passagesWithin(mostOfPassages, query, source, signal);
  const sentence = 'These are passages of the text. Fetch it without a "query" to read all of it.';
  const told = passages.map(withHeadings).join("\n\n[…]\n\n");
  return { details, text: told, more: { sentence, metadata: { truncated: "true" } } };
}

/** A text from `start` on, as far as a little more than `most` characters where it is longer. */
async function read(
  context: ApiContext,
  id: string,
  start: number,
  most: number,
): Promise<{ readonly details: DocumentDetails; readonly text: string }> {
  const { services, state } = context;
  const asked = { person: personOf(context), id, includeText: true, atLeast: state.atLeast };
  const { details, text: first } = valueOf(await services.queries.findDocument(asked));
  let [text, passed] = ["", 0];
  for await (const part of first === null ? [] : partsOf(context, first, { ...asked, details })) {
    text += part.slice(Math.max(0, start - passed));
    passed += part.length;
    if (text.length > most) break;
  }
  return { details, text };
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
    ...{
      last_modified: details.lastModified === null ? null : inUtc(details.lastModified),
      file_type: details.fileType,
      mime_type: details.mimeType,
    },
  };
  return Object.fromEntries(Object.entries(told).filter((entry): entry is [string, string] => entry[1] !== null));
}
