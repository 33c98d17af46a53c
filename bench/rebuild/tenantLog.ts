import { hash, randomUUID } from "node:crypto";
import type { AppendOutcome } from "../../commands/ports.js";
import { openSqliteEventLog } from "../../src/adapters/log/sqlite/openSqliteEventLog.js";
import { documentStream } from "../../src/events/streams.js";
import { toCredentialId, toDatasourceName } from "../../src/shared/ids.js";
import {
  emailOf,
  foundation,
  groupName,
  makeOrganisation,
  memberships,
  type Organisation,
} from "../closure/organisation.js";
import { recordLog } from "../closure/recordLog.js";
import { Corpus, seededRandom } from "../corpus.js";
import { toIndexed } from "../searchCorpus.js";
import { untilAppended } from "../untilAppended.js";

/** How large a tenant is. People have as many memberships as it takes to fill the log. */
export interface TenantSize {
  readonly events: number;
  readonly documents: number;
  readonly people: number;
  readonly groups?: number;
}

/** What a log was filled with. */
export interface Tenant {
  readonly organisation: Organisation;
  readonly documents: number;
  readonly events: number;
  readonly questions: readonly string[];
  /** Belongs to groups that documents name. */
  readonly person: string;
}

const usualGroups = 2_000;
const depth = 10;
const concurrency = 500;
/** The datasource of `organisation.ts`. */
const datasource = toDatasourceName("organisation");

/** Writes a log as the service would: an organisation with its memberships, then documents with their texts. */
export async function recordTenant(
  file: string,
  { events, documents, people, groups = usualGroups }: TenantSize,
  report: (line: string) => void,
): Promise<Tenant> {
  const groupsPerPerson = Math.max(1, Math.round((events - documents - people - 2.2 * groups) / people));
  const organisation = makeOrganisation(5, { groups, depth, people, groupsPerPerson });
  report("writing the organisation");
  const written = [...foundation(organisation), ...memberships(organisation)];
  await recordLog(file, written);
  report("writing the documents");
  const corpus = new Corpus(11);
  await recordDocuments(file, organisation, corpus, documents);
  const questions = Array.from({ length: 200 }, (_, index) => corpus.text(1 + (index % 4)));
  return { organisation, documents, events: written.length + documents, questions, person: emailOf(0) };
}

async function recordDocuments(
  file: string,
  { datasourceId, groupIds }: Organisation,
  corpus: Corpus,
  documents: number,
): Promise<void> {
  const random = seededRandom(12);
  const log = await openSqliteEventLog({ file });
  const metadata = {
    at: new Date().toISOString(),
    by: toCredentialId("benchmark123"),
    correlationId: "bench",
    causationId: "bench",
  } as const;
  let underWay: Promise<AppendOutcome>[] = [];
  for (let number = 0; number < documents; number++) {
    const document = corpus.document(`d${number}`);
    const names = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
      groupName(Math.floor(random() * groupIds.length)),
    );
    const reference = { sha256: hash("sha256", document.text), bytes: Buffer.byteLength(document.text) };
    const data = { ...toIndexed(document, names), datasourceId, datasource, content: reference };
    const stream = documentStream(datasourceId, data.documentId);
    const contents = [{ datasource, stream, reference, text: document.text }];
    const event = { id: randomUUID(), event: { type: "DocumentIndexed", data }, metadata } as const;
    underWay.push(
      log.append({
        stream,
        expectedRevision: "noStream",
        events: [event],
        contents,
      }),
    );
    if (underWay.length === concurrency) await untilAppended(underWay.splice(0));
  }
  await untilAppended(underWay);
  underWay = [];
  await log.close();
}
