import { Readable } from "node:stream";
import { json } from "typia";
import { clientGone } from "../../http/apiContext.js";
import { valueOf } from "../../http/envelopes.js";
import { route } from "../../http/route.js";
import { unnamed, answerMessage, type Checked } from "../../http/validation/message.js";
import { recordQuestion } from "./recordQuestion.js";
import { strictQueryOf } from "../../http/validation/parameters.js";
import { ok } from "../../shared/result.js";
import type { ExportRequest, PublicKeyAnswer } from "../export/auditExport.js";
import { moment } from "../messages/auditParameters.js";

const publicKeyAnswer = answerMessage(json.schema<PublicKeyAnswer>());

/** The parameters of `GET /api/audit/export`. */
const exportQuestion = strictQueryOf(
  {
    from: moment(
      "An ISO 8601 time, a consistency token or a position: without what was so by then. Left out: from the first fact.",
    ),
    to: moment("An ISO 8601 time, a consistency token or a position: what was so by then. Left out: now."),
  },
  ({ from, to }): Checked<ExportRequest> => ok({ from: from.kind === "now" ? null : from, to }),
);

const ndjson = "application/x-ndjson";

async function* textsOf(chunks: AsyncIterable<{ readonly text: string }>): AsyncGenerator<string, void, void> {
  for await (const { text } of chunks) if (text !== "") yield text;
}

const hashes = ["4f1c…", "9b07…", "d2e8…"];
const example = [
  `{"format":"permission-facts/1","namespace":"default","from":null,"to":null,"from_position":"0","to_position":"1204","made_at":"2026-01-31T18:00:00.000Z","facts_before":0,"previous":"07aa…","hash":"${hashes[0]}"}`,
  `{"n":1,"position":"1","stream":"datasource-handbook","revision":0,"type":"DatasourceRegistered","time":"2026-01-12T09:00:00.000Z","by":"pDrRIAPnr1V9","facts":{"datasource_id":"7c1e0a9b4d2f48a6b3e5","datasource":"handbook"},"previous":"07aa…","hash":"${hashes[1]}"}`,
  `{"signed":"permission-facts/1","count":1,"facts":1,"position":"1204","last":"${hashes[1]}","header":"${hashes[0]}","public_key":"MCow…","hash":"${hashes[2]}","signature":"6c1e…"}`,
].join("\n");

const tag = "Audit";
const access = "auditor";

const exportFacts = route({
  method: "GET",
  path: "/api/audit/export",
  access,
  query: exportQuestion,
  async handle(context, { query }) {
    const { chunks, toPosition } = valueOf(await context.services.auditExport.open(query, clientGone(context)));
    await recordQuestion(context, { question: "export", about: {}, asOf: String(toPosition) });
    context.set("Content-Type", ndjson);
    context.set("Content-Disposition", 'attachment; filename="permission-facts.jsonl"');
    context.body = Readable.from(textsOf(chunks), { highWaterMark: 1 });
  },
  description: {
    tag,
    summary: "Export the facts that decide who may see what",
    description:
      "One JSON object a line: a header, the facts in the order of the log, a signed head. Every fact is chained by SHA-256 to the one before, back to the first of the log, so that exports can be joined. An answer without its last line, the signed head, broke off.",
    success: {
      description: "The export, as it is made.",
      mediaType: ndjson,
      schema: unnamed({ type: "string" }),
      example,
    },
  },
});

const readPublicKey = route({
  method: "GET",
  path: "/api/audit/public-key",
  access,
  async handle(context) {
    context.body = await context.services.auditExport.publicKey();
  },
  description: {
    tag,
    summary: "Read the public key of the signatures of exports",
    success: {
      description: "The key. It is made where there is none yet.",
      schema: publicKeyAnswer,
      example: {
        algorithm: "Ed25519",
        fingerprint: "5b1d-0c9e-77a4-e2f0-8d31-64bc-19fe-a053",
        public_key: "-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n",
      },
    },
  },
});

/** Exports of permission facts, and the key that they are verified with. */
export const auditExportRoutes = [exportFacts, readPublicKey];
