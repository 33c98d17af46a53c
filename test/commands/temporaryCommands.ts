import { rm } from "node:fs/promises";
import { createCommands, type CommandsOptions } from "../../commands/createCommands.js";
import type { Commands, Written } from "../../commands/commands.js";
import type { Rejection } from "../../commands/rejection.js";
import { openSqliteEventLog } from "../../src/adapters/log/sqlite/openSqliteEventLog.js";
import type { DomainEvent, RecordedEvent } from "../../src/events/domainEvent.js";
import { toEmail } from "../../src/shared/ids.js";
import type { Result } from "../../src/shared/result.js";
import { openLogIn, logFileIn } from "../adapters/log/sqlite/temporaryLog.js";
import { batchesToEnd, eventsOf, type EventLogUnderTest } from "../contracts/eventLogFixtures.js";
import { operator, wiki } from "../support/examples.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

/** When everything in these tests happens. */
export const now = new Date("2026-01-02T03:04:05.678Z");

/** The write side on an embedded log in a folder of its own. */
export interface CommandsUnderTest {
  readonly commands: Commands;
  readonly under: EventLogUnderTest;
  /** Another process's write side on the same log. */
  another(options?: Partial<CommandsOptions>): Promise<Commands>;
  /** Everything in the log, in order. */
  recorded(): Promise<readonly RecordedEvent[]>;
  close(): Promise<void>;
}

export async function openTemporaryCommands(options: Partial<CommandsOptions> = {}): Promise<CommandsUnderTest> {
  const folder = temporaryFolder("commands").path;
  const under = await openLogIn(folder);
  const others: { close(): Promise<void> }[] = [];
  const create = (log: CommandsOptions["log"], changed: Partial<CommandsOptions>): Commands =>
    createCommands({ log, productName: "amber", now: () => now, ...changed });
  return {
    commands: create(under.log, options),
    under,
    async another(changed = {}) {
      const log = await openSqliteEventLog({ file: logFileIn(folder) });
      others.push(log);
      return create(log, changed);
    },
    recorded: async () => eventsOf(await batchesToEnd(under.source)),
    async close() {
      for (const log of others) await log.close();
      await under.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** What was answered; fails where the command was refused. */
export async function accepted<Value>(result: Promise<Result<Written<Value>, Rejection>>): Promise<Written<Value>> {
  const answer = await result;
  if (answer.ok) return answer.value;
  throw new Error(`Refused: ${JSON.stringify(answer.error)}`);
}

/** `accepted`, or the type of the rejection. */
export async function outcome(result: Promise<Result<unknown, Rejection>>): Promise<"accepted" | Rejection["type"]> {
  const answer = await result;
  return answer.ok ? "accepted" : answer.error.type;
}

/** How often each outcome came, by its name. */
export async function tally(
  results: readonly Promise<Result<unknown, Rejection>>[],
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const one of await Promise.all(results.map(outcome))) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}

export const countOf = (recorded: readonly RecordedEvent[], type: DomainEvent["type"]): number =>
  recorded.filter(({ event }) => event.type === type).length;

/** Registers the datasource `wiki`, without subs and properties, with these people and groups. */
export async function withPrincipals(
  commands: Commands,
  { users = [], groups = [] }: { readonly users?: readonly string[]; readonly groups?: readonly string[] },
): Promise<void> {
  await accepted(
    commands.registerDatasource(
      { name: wiki, displayName: null, icon: null, subs: [], objectDefinitions: [] },
      operator,
    ),
  );
  await Promise.all(
    users.map((email) =>
      accepted(commands.registerUser({ datasource: wiki, email: toEmail(email), name: null }, operator)),
    ),
  );
  await Promise.all(groups.map((name) => accepted(commands.createGroup({ datasource: wiki, name }, operator))));
}
