import type { Datasource } from "../../src/events/datasource.js";
import type { DatasourceId } from "../../src/shared/ids.js";
import type { ProjectionWriter } from "../ports.js";
import { amend } from "./amend.js";
import type { CatalogueChange } from "./changes.js";
import type { CatalogueStore } from "./ports.js";

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
