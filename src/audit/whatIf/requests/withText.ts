/** What a document that is tried without its text is taken to say. */
const placeholder = "what-if";

/**
 * A request to index documents, with a text for those that carry none: who may see a document does not depend on it,
 * and whoever asks what would be need not have it. Anything else stays as it is.
 */
export function withText(path: string, body: unknown): unknown {
  if (path !== "/api/indexing/documents" || !isObject(body)) return body;
  const { documents } = body;
  return { ...body, documents: Array.isArray(documents) ? documents.map(filled) : filled(documents) };
}

function filled(document: unknown): unknown {
  if (!isObject(document)) return document;
  const { body = {} } = document;
  if (!isObject(body) || isGiven(body["text_content"]) || isGiven(body["binary_base64"])) return document;
  return { ...document, body: { mime_type: "text/plain", ...body, text_content: placeholder } };
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
