import { match } from "ts-pattern";
import type { Datasource, DatasourceEvent } from "../../src/events/datasource.js";
import type { DatasourceId, DatasourceName } from "../../src/shared/ids.js";
import { failed, ok, type Result } from "../../src/shared/result.js";
import type { Aggregate, Decision } from "../aggregate.js";
import type { Rejection } from "../rejection.js";
import { changesOf, type RegisterDatasource, type UpdateDatasource, findPropertyTypeConflict } from "./declaration.js";
import { areSubs, declareSub, declareTree, findSub, withoutSub, withSub, type SubDeclaration } from "./subTree.js";

/** The live incarnation of a datasource name; null before the first and after each deletion. */
export type DatasourceState = Datasource | null;

export type DatasourceCommand =
  | {
      readonly type: "RegisterDatasource";
      readonly datasourceId: DatasourceId;
      readonly declaration: RegisterDatasource;
    }
  | { readonly type: "UpdateDatasource"; readonly update: UpdateDatasource }
  | { readonly type: "DeleteDatasource"; readonly name: DatasourceName }
  | { readonly type: "AddSub"; readonly datasource: DatasourceName; readonly sub: SubDeclaration }
  | {
      readonly type: "RemoveSub";
      readonly datasource: DatasourceName;
      readonly key: string;
      readonly parentKey: string | null;
    };

export const initialState = (): DatasourceState => null;

/** Never changes the state it is given. */
export function evolve(state: DatasourceState, event: DatasourceEvent): DatasourceState {
  return match(event)
    .returnType<DatasourceState>()
    .with({ type: "DatasourceRegistered" }, ({ data }) => data)
    .with({ type: "DatasourceUpdated" }, ({ data }) => state && { ...state, ...changesOf(data) })
    .with({ type: "SubAdded" }, ({ data }) => state && { ...state, subs: withSub(state.subs, data) })
    .with({ type: "SubRemoved" }, ({ data }) => state && { ...state, subs: withoutSub(state.subs, data) })
    .with({ type: "DatasourceDeleted" }, () => null)
    .exhaustive();
}

/** What was addressed is checked before what was sent. */
export function decide(command: DatasourceCommand, state: DatasourceState): Decision<DatasourceEvent> {
  return match(command)
    .returnType<Decision<DatasourceEvent>>()
    .with({ type: "RegisterDatasource" }, ({ datasourceId, declaration }) => register(state, datasourceId, declaration))
    .with({ type: "UpdateDatasource" }, ({ update }) => onLive(state, update.name, (live) => change(live, update)))
    .with({ type: "DeleteDatasource" }, ({ name }) => onLive(state, name, (live) => ok([deleted(live)])))
    .with({ type: "AddSub" }, ({ datasource, sub }) => onLive(state, datasource, (live) => addSub(live, sub)))
    .with({ type: "RemoveSub" }, ({ datasource, key, parentKey }) =>
      onLive(state, datasource, (live) => removeSub(live, key, parentKey)),
    )
    .exhaustive();
}

function onLive<Value>(
  state: DatasourceState,
  name: DatasourceName,
  decision: (live: Datasource) => Result<Value, Rejection>,
): Result<Value, Rejection> {
  return state === null ? failed({ type: "DatasourceNotFound", datasource: name }) : decision(state);
}

function register(
  state: DatasourceState,
  datasourceId: DatasourceId,
  declaration: RegisterDatasource,
): Decision<DatasourceEvent> {
  const { name, displayName, icon, objectDefinitions, defaultAccess = "anonymous" } = declaration;
  if (state !== null) return failed({ type: "DatasourceExists", datasource: name });
  const conflict = findPropertyTypeConflict(objectDefinitions);
  if (conflict !== null) return failed(conflict);
  const declared = declareTree(declaration.subs);
  if (!declared.ok) return declared;
  const subs = declared.value;
  return ok([
    {
      type: "DatasourceRegistered",
      data: { datasourceId, name, displayName: displayName ?? name, icon, subs, objectDefinitions, defaultAccess },
    },
  ]);
}

function change(live: Datasource, update: UpdateDatasource): Decision<DatasourceEvent> {
  if (update.unchangedSubs !== undefined && !areSubs(live.subs, update.unchangedSubs))
    return failed({ type: "SubsCannotChange", datasource: live.name });
  const conflict = findPropertyTypeConflict(update.objectDefinitions ?? []);
  if (conflict !== null) return failed(conflict);
  const changes = changesOf(update, live);
  if (Object.keys(changes).length === 0) return ok([]);
  return ok([{ type: "DatasourceUpdated", data: { datasourceId: live.datasourceId, ...changes } }]);
}

const deleted = ({ datasourceId, name }: Datasource): DatasourceEvent => ({
  type: "DatasourceDeleted",
  data: { datasourceId, name },
});

function addSub({ datasourceId, subs }: Datasource, sub: SubDeclaration): Decision<DatasourceEvent> {
  const declared = declareSub(subs, sub);
  if (!declared.ok) return declared;
  const [added, ...nested] = declared.value;
  if (added === undefined) throw new Error("The declaration of a sub came to none.");
  const children = nested.map(({ name, key }) => ({ name, key }));
  return ok([{ type: "SubAdded", data: { datasourceId, ...added, subs: children } }]);
}

function removeSub(
  { datasourceId, subs }: Datasource,
  key: string,
  parentKey: string | null,
): Decision<DatasourceEvent> {
  const found = findSub(subs, key, parentKey);
  if (!found.ok) return found;
  return ok([{ type: "SubRemoved", data: { datasourceId, ...found.value } }]);
}

export const datasourceAggregate: Aggregate<DatasourceState, DatasourceEvent> = {
  initialState,
  evolve,
  cacheCost: (state) =>
    state === null
      ? 1
      : 10 + state.subs.length + state.objectDefinitions.length + Math.ceil((state.icon?.length ?? 0) / 100),
};
