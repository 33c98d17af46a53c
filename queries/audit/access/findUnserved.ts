import type { AccessReader, CatalogueReader, Projected, SearchReader } from "../../ports.js";
import type { Missing } from "./missing.js";
import type { Subject } from "./subject.js";

/** What a person's question would be answered from now. */
export interface ServedReaders {
  readonly search: Pick<SearchReader, "find" | "position">;
  readonly access: Pick<AccessReader, "holdsAny" | "isParked" | "position">;
  readonly catalogue: Pick<CatalogueReader, "find" | "position">;
}

/** Why a document that the log grants is not served yet, as check-access would find it; null: it is. */
export async function findUnserved({ search, access, catalogue }: ServedReaders, { datasource, documentId, datasourceId, email, position }: Subject): Promise<Missing | null> {
  const name = `${datasource}/${documentId}`;
  const unless = async (readModel: Pick<Projected, "position">, otherwise: Missing): Promise<Missing> => ((await readModel.position()) < position ? projecting(name) : otherwise);
  const served = await catalogue.find(datasource);
  if (served?.datasourceId !== datasourceId) return unless(catalogue, differs(name));
  if (await access.isParked(datasourceId)) {
    return { kind: "parked", detail: `It is granted, but an event about the groups or people of ${datasource} could not be applied: until an operator has repaired that, nobody sees its documents.`, ended: null };
  }
  const stored = await search.find(datasource, documentId);
  if (stored === null) {
    return unless(search, { kind: "parked", detail: `It is granted, but the search index does not hold ${name}: an event about it could not be applied, and until an operator has repaired that, nobody sees it.`, ended: null });
  }
  if (await access.holdsAny(datasourceId, email, stored.tokens)) return null;
  return (await search.position()) < position ? projecting(name) : unless(access, differs(name));
}

const projecting = (name: string): Missing => ({ kind: "being_projected", detail: `It is granted, but what is served of ${name} has not come so far yet: ask again in a moment.`, ended: null });
const differs = (name: string): Missing => ({
  kind: "served_differently",
  detail: `It is granted, but what is served of ${name} says otherwise: let an operator compare the read models with the log.`,
  ended: null,
});
