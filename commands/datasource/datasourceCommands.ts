import type { Datasource, ChildSub, DatasourceEvent } from "../../src/events/datasource.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import type { RegisterDatasource, UpdateDatasource } from "./declaration.js";
import type { DatasourceName } from "../../src/shared/ids.js";
import type { SubDeclaration } from "./subTree.js";
import { datasourceStream } from "../../src/events/streams.js";
import { failed, ok } from "../../src/shared/result.js";
import type { CommandHandler } from "../handleCommand.js";
import { datasourceAggregate, decide, evolve, type DatasourceCommand } from "./decider.js";
import { refuseOutsider } from "./liveDatasource.js";

/**
 * Registers a datasource with its subs and property schemas; a name that was deleted begins a new incarnation (spec:
 * POST /datasources).
 */
export function registerDatasource(
  { handler, minting }: CommandServices,
  declaration: RegisterDatasource,
  context: CommandContext,
): CommandResult<Datasource> {
  return handleDatasource(handler, context, {
    name: declaration.name,
    command: { type: "RegisterDatasource", datasourceId: minting.datasourceId(), declaration },
    answer: ({ datasource }) => datasource as Datasource,
  });
}

/** Changes label, icon or property schemas; what is not given stays (spec: PUT /datasources/{name}). */
export function updateDatasource(
  { handler }: CommandServices,
  update: UpdateDatasource,
  context: CommandContext,
): CommandResult<Datasource> {
  return handleDatasource(handler, context, {
    name: update.name,
    command: { type: "UpdateDatasource", update },
    answer: ({ datasource }) => datasource as Datasource,
  });
}

interface DeleteDatasource {
  readonly name: DatasourceName;
}

/** Closes the datasource's incarnation for good (spec: DELETE /datasources/{name}). */
export function deleteDatasource(
  { handler }: CommandServices,
  { name }: DeleteDatasource,
  context: CommandContext,
): CommandResult<null> {
  return handleDatasource(handler, context, { name, command: { type: "DeleteDatasource", name }, answer: () => null });
}

interface AddSub {
  readonly datasource: DatasourceName;
  readonly sub: SubDeclaration;
}

interface AddedSub {
  readonly name: string;
  readonly key: string;
  readonly parentKey: string | null;
  /** The subs that were declared nested in it. */
  readonly subs: readonly ChildSub[];
}

/** Adds a sub, with those nested in it (spec: POST /datasources/{name}/subs). */
export function addSub(
  { handler }: CommandServices,
  { datasource, sub }: AddSub,
  context: CommandContext,
): CommandResult<AddedSub> {
  return handleDatasource(handler, context, {
    name: datasource,
    command: { type: "AddSub", datasource, sub },
    answer: addedSub,
  });
}

function addedSub({ events }: DatasourceOutcome): AddedSub {
  const added = events.find((event) => event.type === "SubAdded");
  if (added === undefined) throw new Error("Adding a sub led to no SubAdded event.");
  const { name, key, parentKey, subs } = added.data;
  return { name, key, parentKey, subs };
}

interface RemoveSub {
  readonly datasource: DatasourceName;
  readonly key: string;
  /** Says which child is meant where a key stands under several parents; null: not given. */
  readonly parentKey: string | null;
}

/** Removes a sub and its children; documents stay (spec: DELETE /datasources/{name}/subs/{sub_key}). */
export function removeSub(
  { handler }: CommandServices,
  { datasource, key, parentKey }: RemoveSub,
  context: CommandContext,
): CommandResult<null> {
  return handleDatasource(handler, context, {
    name: datasource,
    command: { type: "RemoveSub", datasource, key, parentKey },
    answer: () => null,
  });
}

/** What a decided command leaves. */
interface DatasourceOutcome {
  readonly events: readonly DatasourceEvent[];
  /** null where the datasource was deleted. */
  readonly datasource: Datasource | null;
}

/** Handles a command of the datasource with this name; outside the credential's limits it is refused first. */
async function handleDatasource<Value>(
  handler: CommandHandler,
  context: CommandContext,
  {
    name,
    command,
    answer,
  }: { readonly name: DatasourceName; readonly command: DatasourceCommand; answer(outcome: DatasourceOutcome): Value },
): CommandResult<Value> {
  const refusal = refuseOutsider(context, name);
  if (refusal !== null) return failed(refusal);
  return handler.handle({
    aggregate: datasourceAggregate,
    stream: datasourceStream(name),
    context,
    decide(state) {
      const outside = refuseOutsider(context, name, state?.datasourceId ?? null);
      if (outside !== null) return failed(outside);
      const decision = decide(command, state);
      if (!decision.ok) return decision;
      const events = decision.value;
      return ok({ events, value: answer({ events, datasource: events.reduce(evolve, state) }) });
    },
  });
}
