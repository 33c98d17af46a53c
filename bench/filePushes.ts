import { docx, paragraph } from "../test/support/files/office.js";
import { Corpus, type CorpusDocument } from "./corpus.js";
import { registerDatasource } from "./http.js";
import { atLeast, interleave, median, timed, type Measurement } from "./measure.js";
import { startServiceProcess, type ServiceProcess } from "./processes.js";

const datasource = "bench";
const documentsPerRound = 1_000;
const clients = 8;
const docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/** Small Word documents, pushed one by one by several clients, and the same texts pushed as text. */
export async function measureFilePushes(rounds: number): Promise<Measurement> {
  const service = await startServiceProcess();
  try {
    await registerDatasource(service);
    const corpus = new Corpus(17);
    const documents = Array.from({ length: documentsPerRound }, (_, index) => corpus.document(`${index}`));
    const files = documents.map(asFile);
    const texts = documents.map(asText);
    const push = (bodies: readonly object[], kind: string) => (round: number) =>
      timed(() => pushAll(service, bodies, `${kind}-${round}`));
    // What starts and is compiled with the first files is there for all others.
    await push(files, "warm-files")(0);
    await push(texts, "warm-texts")(0);
    const figures = await interleave(rounds, push(files, "files"), push(texts, "texts"));
    const rate = (milliseconds: readonly number[]): number => (documentsPerRound / median(milliseconds)) * 1_000;
    const [ours, peer] = [rate(figures.ours), rate(figures.peer)];
    return {
      name: `${documentsPerRound} small DOCX pushed by ${clients} clients ÷ the same texts pushed as text`,
      ...atLeast(0.5, ours / peer),
      ...{ ours: `${ours.toFixed(0)}/s`, peer: `${peer.toFixed(0)}/s`, rounds },
    };
  } finally {
    await service.stop();
  }
}

async function pushAll(service: ServiceProcess, bodies: readonly object[], round: string): Promise<void> {
  const rest = bodies.entries();
  const push = async (): Promise<void> => {
    for (const [index, body] of rest) await pushOne(service, { ...body, id: `${round}-${index}` });
  };
  await Promise.all(Array.from({ length: clients }, push));
}

async function pushOne(service: ServiceProcess, document: object): Promise<void> {
  const answer = await fetch(`${service.url}/api/indexing/documents`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${service.serviceAccount}` },
    body: JSON.stringify({ documents: document }),
  });
  const { results } = (await answer.json()) as { readonly results?: readonly { readonly outcome: string }[] };
  if (results?.[0]?.outcome !== "sent") throw new Error(`A document was not sent: ${answer.status}.`);
}

const described = ({ title }: CorpusDocument): object => ({ datasource, title, file_type: "file" });

const asText = (document: CorpusDocument): object => ({
  ...described(document),
  body: { mime_type: "text/plain", text_content: document.text },
});

const asFile = (document: CorpusDocument): object => ({
  ...described(document),
  body: { mime_type: docxType, binary_base64: docx(paragraphs(document.text)).toString("base64") },
});

const paragraphs = (text: string): string => text.split("\n").map(paragraph).join("");
