import { createHistory } from "../../src/audit/asOf/history.js";
import type { AskHistory, HistoryQuestion } from "../../src/audit/historyQuestions.js";
import { firstVersion } from "../../src/events/projection.js";
import { openSqliteEventSource } from "../../src/adapters/log/sqlite/openSqliteEventSource.js";
import { sqlitePermissionHistoryStorage } from "../../src/adapters/permissionHistory/sqlite/sqlitePermissionHistoryStorage.js";
import { seededRandom } from "../corpus.js";
import { percentile, timed, type Measurement } from "../measure.js";
import { datasource, documentIdOf, emailOf, logBegins, logEnds, type AuditLogSize } from "./auditLog.js";

const questionsPerRound = 100;
const pageSize = 100;
const mostMs = 100;
const patienceMs = 5_000;

/**
 * From the question to its first page of a hundred, with the total, as of any time; by the thread that the service
 * asks.
 */
export async function measureFirstPages(
  dataDir: string,
  size: AuditLogSize,
  rounds: number,
): Promise<readonly Measurement[]> {
  const source = openSqliteEventSource({ file: `${dataDir}/log.sqlite` });
  const storage = sqlitePermissionHistoryStorage({ dataDir, patienceMs, logHead: () => source.head() });
  const { reader, close } = await storage.openReader(firstVersion);
  const { clock, page } = reader;
  const services = { patienceMs, log: source, now: () => new Date(), clock, progress: clock, page };
  const history = (question: AskHistory): ReturnType<ReturnType<typeof createHistory>> =>
    createHistory(services)(question);
  const random = seededRandom(23);
  const below = (limit: number): number => Math.floor(random() * limit);
  const ask = async (question: HistoryQuestion): Promise<void> => {
    const time = logBegins + below(logEnds(size) - logBegins);
    const answer = await history({ question, at: { kind: "time", time }, next: null, count: pageSize });
    if (!answer.ok) throw new Error(answer.error.type);
  };
  const measured = async (name: string, make: () => HistoryQuestion): Promise<Measurement> => {
    await ask(make());
    const times: number[] = [];
    for (let index = 0; index < rounds * questionsPerRound; index++) times.push(await timed(() => ask(make())));
    const p99 = percentile(times, 99);
    return {
      name: `audit ${name} as of any time, first page of ${pageSize} with its total (p99, ms)`,
      ...{ ratio: p99, target: `≤ ${mostMs}`, met: p99 <= mostMs },
      ours: `p50 ${percentile(times, 50).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, at most ${Math.max(...times).toFixed(1)} ms`,
      peer: "",
      rounds,
    };
  };
  const measurements = [
    await measured("who", () => ({ kind: "who", datasource, documentId: documentIdOf(below(size.documents)) })),
    await measured("what", () => ({ kind: "what", user: emailOf(below(size.people)) })),
  ];
  await close();
  source.close();
  return measurements;
}
