import { createReadStream } from "node:fs";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { FileToExtract } from "../../../../commands/ports.js";
import { boundedBody } from "../../../shared/boundedBody.js";
import { retryAfterMs } from "../../../shared/retryAfter.js";
import { withoutTrailing } from "../../../shared/cutText.js";

export interface TikaReply {
  readonly status: number;
  /** null: it does not say. */
  readonly retryAfterMs: number | null;
  /** Empty unless the status is 200. */
  readonly body: Buffer;
}

export interface TikaQuestion {
  readonly url: string;
  readonly maxCharacters: number;
  readonly signal: AbortSignal;
}

export class TooLargeAnswer extends Error {}

/** Of a character in UTF-8, with room for what is said besides the text. */
const bytesPerCharacter = 4;
const besidesText = 1_048_576;
const sliceBytes = 1_048_576;

/**
 * Sends a file to Tika and gives its answer: a list of JSON objects, of the file and of the files in it. The file is
 * streamed.
 *
 * @throws TooLargeAnswer, or whatever went wrong on the way.
 */
export async function askTika({ url, maxCharacters, signal }: TikaQuestion, file: FileToExtract): Promise<TikaReply> {
  const target = new URL(`${withoutTrailing(url, "/")}/rmeta/text`);
  const request = (target.protocol === "https:" ? requestHttps : requestHttp)(target, {
    method: "PUT",
    signal,
    headers: {
      Accept: "application/json",
      // Tika cuts what is longer, and says so.
      writeLimit: maxCharacters,
      ...(file.mimeType === null ? {} : { "Content-Type": file.mimeType }),
    },
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.once("response", resolve).once("error", reject);
  });
  // Tika may answer before it has all of the file: what counts then is the answer.
  void pipeline(contentOf(file), request, { signal }).catch(() => undefined);
  const answer = await response;
  const status = answer.statusCode ?? 0;
  if (status !== 200) {
    answer.resume();
    return { status, retryAfterMs: retryAfterMs(answer.headers["retry-after"]), body: Buffer.alloc(0) };
  }
  const mostBytes = maxCharacters * bytesPerCharacter + besidesText;
  const body = await buffer(boundedBody(answer, mostBytes, () => new TooLargeAnswer()));
  return { status, retryAfterMs: null, body };
}

function contentOf({ content }: FileToExtract): Readable {
  return content instanceof Uint8Array
    ? Readable.from(slices(content), { objectMode: false })
    : createReadStream(content.path);
}

/** As large ones as are copied at once without holding up the event loop. */
function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
}
