import { addedSubs, type Datasource, type DatasourceEvent } from "../../events/datasource.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import type { DatasourceId } from "../../shared/ids.js";
import { evolve, initialState, type DatasourceState } from "../../../commands/datasource/decider.js";
import type { SubPlace } from "../../../commands/datasource/subTree.js";
import { isWrittenBy } from "./facts.js";
import type { UndoRequest } from "./undo.js";

const fields = ["displayName", "icon", "objectDefinitions", "defaultAccess"] as const;
export type DatasourceField = (typeof fields)[number];

/**
 * What the stream of a datasource's name says over time: which incarnation the name stands for, and the fields and subs
 * of each.
 */
export type DatasourceFact =
  | Changed<{ readonly kind: "incarnation" }, DatasourceId>
  | Changed<
      { readonly kind: "field"; readonly datasourceId: DatasourceId; readonly field: DatasourceField },
      Datasource[DatasourceField]
    >
  /** The value is the sub's name. */
  | Changed<{ readonly kind: "sub"; readonly datasourceId: DatasourceId; readonly place: SubPlace }, string>;

type Changed<What, Value> = What & {
  /** null: there was none, or there is none now. */
  readonly before: Value | null;
  readonly now: Value | null;
  /** The credential's newest event about it in the stretch. */
  readonly last: RecordedEvent;
  /**
   * The newest later event about it: by another credential after this one's first event, or by anybody after this one's
   * last. null: there is none.
   */
  readonly since: RecordedEvent | null;
};

interface Change {
  readonly what: object;
  readonly value: unknown;
  readonly recorded: RecordedEvent;
}

/** The facts that the credential has changed in the stretch. A sub that goes with its parent is changed by that. */
export function datasourceFactsIn(stream: readonly RecordedEvent[], request: UndoRequest): readonly DatasourceFact[] {
  const changes = new Map<string, Change[]>();
  let state: DatasourceState = initialState();
  for (const recorded of stream.filter(({ unreadable }) => unreadable === undefined)) {
    const event = recorded.event as DatasourceEvent;
    const before: DatasourceState = state;
    state = evolve(state, event);
    for (const [what, value] of changedBy(event, before)) {
      const key = JSON.stringify(what);
      changes.set(key, [...(changes.get(key) ?? []), { what, value, recorded }]);
    }
  }
  return [...changes.values()].flatMap((changesOfFact) => factIn(changesOfFact, request));
}

function factIn(changes: readonly Change[], request: UndoRequest): readonly DatasourceFact[] {
  const isTheirs = ({ recorded }: Change): boolean => isWrittenBy(request, recorded);
  const first = changes.findIndex(isTheirs);
  const last = changes.findLast(isTheirs);
  if (last === undefined) return [];
  const since = changes.slice(first).findLast((change) => !isTheirs(change))?.recorded ?? null;
  return [
    {
      ...last.what,
      before: changes[first - 1]?.value ?? null,
      now: changes.at(-1)?.value ?? null,
      last: last.recorded,
      since,
    } as unknown as DatasourceFact,
  ];
}

type ChangedValue = readonly [what: object, value: unknown];

function changedBy(event: DatasourceEvent, before: DatasourceState): readonly ChangedValue[] {
  const { datasourceId } = event.data;
  const sub = (place: SubPlace, name: string | null): ChangedValue => [
    { kind: "sub", datasourceId, place: { key: place.key, parentKey: place.parentKey } },
    name,
  ];
  switch (event.type) {
    case "DatasourceRegistered":
      return [
        [{ kind: "incarnation" }, datasourceId],
        ...fieldsIn(event.data),
        ...placesIn(event.data).map((place) => sub(place, place.name)),
      ];
    case "DatasourceUpdated":
      return fieldsIn(event.data);
    case "DatasourceDeleted":
      return [[{ kind: "incarnation" }, null]];
    case "SubAdded":
      // Taken back in this order: nested ones would be gone with their parent.
      return addedSubs(event.data)
        .toReversed()
        .map((place) => sub(place, place.name));
    case "SubRemoved": {
      const { key, parentKey } = event.data;
      const children = parentKey === null ? placesIn(before).filter((place) => place.parentKey === key) : [];
      return [sub(event.data, null), ...children.map((child) => sub(child, null))];
    }
  }
}

const fieldsIn = (data: Partial<Datasource> & Pick<Datasource, "datasourceId">): readonly ChangedValue[] =>
  fields.flatMap((field) =>
    data[field] === undefined ? [] : [[{ kind: "field", datasourceId: data.datasourceId, field }, data[field]]],
  );

const placesIn = (datasource: DatasourceState): readonly (SubPlace & { readonly name: string })[] =>
  (datasource?.subs ?? []).flatMap(({ name, key, subs }) => [
    { name, key, parentKey: null },
    ...subs.map((child) => ({ ...child, parentKey: key })),
  ]);
