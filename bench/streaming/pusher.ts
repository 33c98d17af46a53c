import { Corpus } from "../corpus.js";
import { datasource, type PushOrder, type PushReport } from "./messages.js";

/**
 * Pushes documents into a service as fast as it takes them, in a process of its own: what it costs to make them must
 * not delay a client that measures. Started by `startPusher`; takes orders one after the other.
 */
const documentsPerRequest = 500;
const requestsInFlight = 4;
/** Texts are made before the first order; every document gets an id of its own. */
const texts = new Corpus(17);
const made = Array.from({ length: 20_000 }, (_, index) => texts.document(`made-${index}`));

let stopping = new AbortController();
let serial = 0;

process.on("message", (order: PushOrder | "stop") => {
  if (order === "stop") stopping.abort();
  else void push(order).then((report) => process.send?.(report));
});
process.once("disconnect", () => process.exit(0));
process.send?.("ready");

async function push({ url, serviceAccount, documents }: PushOrder): Promise<PushReport> {
  const { signal } = (stopping = new AbortController());
  const startedAt = performance.now();
  let [left, pushed] = [documents, 0];
  let tokens: readonly string[] = [];
  const pushNext = async (): Promise<void> => {
    while (left > 0 && !signal.aborted) {
      const count = Math.min(documentsPerRequest, left);
      left -= count;
      tokens = [...tokens, await send(url, serviceAccount, count)].slice(-requestsInFlight);
      pushed += count;
    }
  };
  await Promise.all(Array.from({ length: requestsInFlight }, pushNext));
  return { pushed, seconds: (performance.now() - startedAt) / 1_000, token: tokens.join(",") };
}

/** Answers with the consistency token. */
async function send(url: string, serviceAccount: string, count: number): Promise<string> {
  const documents = Array.from({ length: count }, () => {
    const { title, text } = made[serial % made.length] ?? { title: "", text: "" };
    const body = { mime_type: "text/plain", text_content: text };
    return { datasource, id: `streamed-${serial++}`, title, body, file_type: "file" };
  });
  const answer = await fetch(`${url}/api/indexing/documents`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${serviceAccount}` },
    body: JSON.stringify({ documents }),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`POST /documents was answered with ${answer.status}.`);
  return answer.headers.get("x-consistency-token") ?? "";
}
