import type {
  DatasourceEvent,
  DatasourceUpdated,
  SubAdded,
  SubRemoved,
  Datasource,
  ChildSub,
  Sub,
} from "../../src/events/datasource.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import { incarnationOf } from "../incarnationOf.js";
import type { Projection, ProjectionWriter } from "../ports.js";
import { projectByType } from "../projectByType.js";
import type { CatalogueChange, CatalogueStore } from "./ports.js";
import { match } from "ts-pattern";
import type { ReadModelDefinition } from "../readModel.js";
import type { DatasourceId } from "../../src/shared/ids.js";

const amended = ({
  event: amendment,
}: RecordedEvent<DatasourceUpdated | SubAdded | SubRemoved>): readonly CatalogueChange[] => [
  { kind: "amended", amendment },
];

const project = projectByType<DatasourceEvent, readonly CatalogueChange[]>(
  {
    DatasourceRegistered: ({ event: { data } }) => [{ kind: "registered", datasource: data }],
    DatasourceUpdated: amended,
    DatasourceDeleted: ({ event: { data } }) => [{ kind: "withdrawn", datasourceId: data.datasourceId }],
    SubAdded: amended,
    SubRemoved: amended,
  },
  [],
);

/** Events of datasources become the catalogue: every live datasource as its events leave it. */
export const catalogue: Projection<CatalogueChange> = {
  name: "catalogue",
  categories: ["datasource"],
  project,
  failClosed(event) {
    const datasourceId = incarnationOf(event);
    return {
      scope: { kind: "stream", stream: event.stream },
      changes: datasourceId === null ? [] : [{ kind: "withdrawn", datasourceId }],
    };
  },
  /** A scope is a stream (a name with all incarnations), or one incarnation, which is removed and projected afresh. */
  restoration(scope) {
    if (scope.kind === "stream") return { stream: scope.stream, before: [], changes: followed };
    if (scope.kind !== "datasource") return null;
    const { datasourceId } = scope;
    return {
      categories: catalogue.categories,
      includes: (event) => incarnationOf(event) === datasourceId,
      before: [[{ kind: "withdrawn", datasourceId }]],
      changes: followed,
      after: [],
    };
  },
};

const followed = (event: RecordedEvent, isDiscarded: boolean): readonly CatalogueChange[] =>
  isDiscarded ? [] : project(event);

/** Datasources with their subs and property definitions. */
export const catalogueReadModel: ReadModelDefinition<CatalogueChange, CatalogueStore> = {
  name: "catalogue",
  projection: catalogue,
  group: "readModels",
  batchesEvents: false,
  createWriter: (store) => createCatalogueWriter(store),
};

/** Brings changes into the catalogue, whatever engine holds it. Changes of a withdrawn datasource are passed over. */
export function createCatalogueWriter(store: CatalogueStore): ProjectionWriter<CatalogueChange> {
  return {
    checkpoint: () => store.checkpoint(),
    async apply({ changes, ...batch }) {
      const touched = new Map<DatasourceId, Datasource | null>();
      for (const change of changes) await follow(change, touched, store);
      const datasources = [...touched.values()].filter((datasource) => datasource !== null);
      const withdrawn = [...touched]
        .filter(([, datasource]) => datasource === null)
        .map(([datasourceId]) => datasourceId);
      return store.write({ ...batch, datasources, withdrawn });
    },
  };
}

async function follow(
  change: CatalogueChange,
  touched: Map<DatasourceId, Datasource | null>,
  store: CatalogueStore,
): Promise<void> {
  if (change.kind === "registered") {
    touched.set(change.datasource.datasourceId, change.datasource);
  } else if (change.kind === "withdrawn") {
    touched.set(change.datasourceId, null);
  } else {
    const { datasourceId } = change.amendment.data;
    const known = touched.has(datasourceId) ? touched.get(datasourceId) : await store.find(datasourceId);
    if (known !== undefined && known !== null) touched.set(datasourceId, amend(known, change.amendment));
  }
}

/** The datasource after this event. Applying the same event again changes nothing. */
function amend(datasource: Datasource, amendment: DatasourceUpdated | SubAdded | SubRemoved): Datasource {
  return match(amendment)
    .returnType<Datasource>()
    .with({ type: "DatasourceUpdated" }, ({ data: { displayName, icon, objectDefinitions, defaultAccess } }) => ({
      ...datasource,
      displayName: displayName ?? datasource.displayName,
      icon: icon === undefined ? datasource.icon : icon,
      objectDefinitions: objectDefinitions ?? datasource.objectDefinitions,
      defaultAccess: defaultAccess ?? datasource.defaultAccess,
    }))
    .with({ type: "SubAdded" }, ({ data }) => ({ ...datasource, subs: withSub(datasource.subs, data) }))
    .with({ type: "SubRemoved" }, ({ data }) => ({ ...datasource, subs: withoutSub(datasource.subs, data) }))
    .exhaustive();
}

function withSub(subs: readonly Sub[], { name, key, parentKey, subs: children }: SubAdded["data"]): readonly Sub[] {
  if (parentKey !== null)
    return subs.map((sub) => (sub.key === parentKey ? { ...sub, subs: put(sub.subs, { name, key }) } : sub));
  return put(subs, { name, key, subs: withChildren(subs.find((sub) => sub.key === key)?.subs ?? [], children) });
}

function withChildren(present: readonly ChildSub[], added: readonly ChildSub[]): readonly ChildSub[] {
  return [...new Map([...present, ...added].map((child) => [child.key, child])).values()];
}

function withoutSub(subs: readonly Sub[], { key, parentKey }: SubRemoved["data"]): readonly Sub[] {
  if (parentKey === null) return subs.filter((sub) => sub.key !== key);
  return subs.map((sub) =>
    sub.key === parentKey ? { ...sub, subs: sub.subs.filter((child) => child.key !== key) } : sub,
  );
}

/** Replaces the entry with its key, or adds it at the end. */
function put<Entry extends { readonly key: string }>(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  return entries.some(({ key }) => key === entry.key)
    ? entries.map((other) => (other.key === entry.key ? entry : other))
    : [...entries, entry];
}
