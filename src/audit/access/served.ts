import type { Email } from "../../shared/ids.js";
import type { Position } from "../../shared/position.js";
import type { AccessReader, CatalogueReader, SearchReader } from "../../../queries/ports.js";
import type { DocumentReference, StillServed } from "../auditFacts.js";
import type { Missing } from "./missing.js";
import type { AccessSubject } from "./accessSubject.js";

/** What a person's question would be answered from now. */
export interface ServedReaders {
  readonly search: Pick<SearchReader, "find" | "position">;
  readonly access: Pick<AccessReader, "holdsAny" | "isParked" | "position">;
  readonly catalogue: Pick<CatalogueReader, "find" | "position">;
}

/** Why a document that the log grants is not served yet, as check-access would find it; null: it is. */
export async function findUnserved(
  readers: ServedReaders,
  { datasource, documentId, datasourceId, email, position }: AccessSubject,
): Promise<Missing | null> {
  const { search, access, catalogue } = readers;
  const name = `${datasource}/${documentId}`;
  const reached = await reachedBy(readers, position);
  const registered = await catalogue.find(datasource);
  if (registered?.datasourceId !== datasourceId) return reached.catalogue ? differs(name) : projecting(name);
  if (await access.isParked(datasourceId)) {
    return {
      kind: "parked",
      detail: `It is granted, but an event about the groups or people of ${datasource} could not be applied: until an operator has repaired that, nobody sees its documents.`,
      ended: null,
    };
  }
  const stored = await search.find(datasource, documentId);
  if (stored === null && !reached.search) return projecting(name);
  if (stored === null) {
    return {
      kind: "parked",
      detail: `It is granted, but the search index does not hold ${name}: an event about it could not be applied, and until an operator has repaired that, nobody sees it.`,
      ended: null,
    };
  }
  if (await access.holdsAny(datasourceId, email, stored.tokens)) return null;
  return reached.search && reached.access ? differs(name) : projecting(name);
}

/**
 * Tells that a document which the log refuses at this position is served all the same, as check-access would find it;
 * null where it is not.
 */
export async function findStillServed(
  readers: ServedReaders,
  { datasource, documentId, user }: DocumentReference & { readonly user: Email },
  position: Position,
): Promise<StillServed | null> {
  const { search, access, catalogue } = readers;
  const reached = await reachedBy(readers, position);
  const registered = await catalogue.find(datasource);
  if (registered === null || (await access.isParked(registered.datasourceId))) return null;
  const stored = await search.find(datasource, documentId);
  if (stored === null || !(await access.holdsAny(registered.datasourceId, user, stored.tokens))) return null;
  const name = `${datasource}/${documentId}`;
  return reached.search && reached.access && reached.catalogue
    ? {
        kind: "served_differently",
        detail: `What is served lets ${user} see ${name} all the same: let an operator compare the read models with the log.`,
      }
    : {
        kind: "being_projected",
        detail: `What is served of ${name} has not come so far yet: until it has, ${user} still sees it. Ask again in a moment.`,
      };
}

/**
 * Whether each reader has reached a position. To be asked before anything else is, so that a reader that gets there
 * meanwhile is not blamed.
 */
async function reachedBy(
  { search, access, catalogue }: ServedReaders,
  position: Position,
): Promise<{ readonly [Reader in keyof ServedReaders]: boolean }> {
  const [searched, accessed, catalogued] = await Promise.all([
    search.position(),
    access.position(),
    catalogue.position(),
  ]);
  return { search: searched >= position, access: accessed >= position, catalogue: catalogued >= position };
}

const projecting = (name: string): Missing => ({
  kind: "being_projected",
  detail: `It is granted, but what is served of ${name} has not come so far yet: ask again in a moment.`,
  ended: null,
});
const differs = (name: string): Missing => ({
  kind: "served_differently",
  detail: `It is granted, but what is served of ${name} says otherwise: let an operator compare the read models with the log.`,
  ended: null,
});
