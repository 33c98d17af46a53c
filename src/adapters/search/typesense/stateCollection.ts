import { randomBytes } from "node:crypto";
import type { ParkedEvent } from "../../../../projections/ports.js";
import { beginning, toPosition, type Position } from "../../../shared/position.js";
import type { EngineAnswer, EngineSearch, TypesenseConnection } from "./connection.js";
import { datasourceKey } from "./encoding.js";
import type { CheckpointState, NumberedState, DatasourceState, StateRow, VectorsState } from "./schema.js";

const checkpointId = "checkpoint";
const vectorsId = "vectors";
const rowsPerPage = 250;

/** Nothing projected yet. */
const untouched: CheckpointState = { position: "0", stamp: "" };

/** Asks how far the collection has come: one row, beside the other searches of the same request. */
export const checkpointSearch = (collection: string): EngineSearch => ({
  collection,
  q: "*",
  filter_by: `id:=${checkpointId}`,
  include_fields: "json",
  per_page: 1,
});

/** What {@link checkpointSearch} found. */
export function readCheckpoint(answer: EngineAnswer<unknown> | undefined): CheckpointState {
  const row = answer?.hits[0]?.document as Pick<StateRow, "json"> | undefined;
  return row === undefined ? untouched : (JSON.parse(row.json) as CheckpointState);
}

export const positionOf = ({ position }: CheckpointState): Position =>
  position === "0" ? beginning : toPosition(BigInt(position));

/** Equal where nothing was written in between, but for a write that is under way. */
export const keyOfState = ({ position, stamp }: CheckpointState): string => `${position} ${stamp}`;

export const newStamp = (): string => randomBytes(9).toString("base64");

/** The row of the checkpoint, which is written last. */
export const checkpointRow = (state: CheckpointState): StateRow => ({
  id: checkpointId,
  kind: "checkpoint",
  v: Number(state.position),
  n: 0,
  json: JSON.stringify(state),
});

/** The row that says which vectors there are. */
export const vectorsRow = (state: VectorsState): StateRow => ({
  ...{ id: vectorsId, kind: "vectors", v: 0, n: state.dimensions },
  json: JSON.stringify(state),
});

/** null: there were never any. */
export async function readVectorsState(
  connection: TypesenseConnection,
  collection: string,
): Promise<VectorsState | null> {
  const [state] = await readAll<VectorsState>(connection, collection, "vectors");
  return state ?? null;
}

/** A datasource's row, replaced with every change of it. */
export const datasourceRow = (state: DatasourceState, position: Position): StateRow => ({
  id: `d${datasourceKey(state.datasourceId)}`,
  kind: "datasource",
  v: Number(position),
  n: 0,
  json: JSON.stringify(state),
});

/** The row of an event that could not be applied, for operators. */
export const parkedRow = ({ position, ...event }: ParkedEvent): StateRow => ({
  id: `p${position}`,
  kind: "parked",
  v: Number(position),
  n: 0,
  json: JSON.stringify({ ...event, position: position.toString() }),
});

/** An access class or a principal, with the number that documents carry. */
export interface NumberedRow extends NumberedState {
  readonly isPrincipal: boolean;
  readonly number: number;
}

export const toNumberedRow = ({ kind, n, json }: Pick<StateRow, "kind" | "n" | "json">): NumberedRow => ({
  ...(JSON.parse(json) as NumberedState),
  isPrincipal: kind === "principal",
  number: n,
});

/** Every datasource that the collection knows, deleted ones too while documents of theirs are left. */
export const readDatasources = (
  connection: TypesenseConnection,
  collection: string,
): Promise<readonly DatasourceState[]> => readAll<DatasourceState>(connection, collection, "datasource");

/** The events that could not be applied, in log order. */
export async function readParked(connection: TypesenseConnection, collection: string): Promise<readonly ParkedEvent[]> {
  const parked = await readAll<Omit<ParkedEvent, "position"> & { readonly position: string }>(
    connection,
    collection,
    "parked",
  );
  return parked
    .map((event) => ({ ...event, position: toPosition(BigInt(event.position)) }))
    .sort((a, b) => (a.position < b.position ? -1 : 1));
}

/** Removes the rows of these scopes: they are no longer parked. */
export async function removeParked(
  connection: TypesenseConnection,
  collection: string,
  scopes: readonly string[],
): Promise<void> {
  if (scopes.length === 0) return;
  const whole = (await readParked(connection, collection)).filter(({ scope }) => scopes.includes(scope));
  for (const event of whole) await connection.remove(collection, `id:=${parkedRow(event).id}`);
}

async function readAll<State>(
  connection: TypesenseConnection,
  collection: string,
  kind: StateRow["kind"],
): Promise<readonly State[]> {
  const states: State[] = [];
  for (let page = 1; ; page += 1) {
    const search = {
      collection,
      q: "*",
      filter_by: `kind:=${kind}`,
      include_fields: "json",
      per_page: rowsPerPage,
      page,
    };
    const [answer] = await connection.search<Pick<StateRow, "json">>([search]);
    for (const { document } of answer?.hits ?? []) states.push(JSON.parse(document.json) as State);
    if (answer === undefined || states.length >= answer.found || answer.hits.length === 0) return states;
  }
}
