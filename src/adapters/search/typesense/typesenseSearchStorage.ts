import type { Lease, LeaseTiming } from "../../../../projections/ports.js";
import type { OpenedEmbedder, SearchIndexWriter } from "../../../../projections/search/ports.js";
import type { SearchReader } from "../../../../queries/ports.js";
import type { PastSearchReader } from "../../../audit/ports/pastSearch.js";
import type { Storage } from "../../../daemon/ports.js";
import { firstVersion } from "../../../events/projection.js";
import { prefixWithSetting } from "../../../shared/prefixWithSetting.js";
import { withPastSearch } from "../withPastSearch.js";
import { TypesenseConnection, type TypesenseServer } from "./connection.js";
import { dropSearchCollections, isMissing } from "./collections.js";
import {
  openTypesenseSearchIndexWriter,
  type TypesenseSearchIndexWriterOptions,
} from "./openTypesenseSearchIndexWriter.js";
import { openTypesensePastSearchReader, openTypesenseSearchReader } from "./openTypesenseSearchReader.js";
import type { Checkpoint } from "../../../events/eventSource.js";
import { beginning, toPosition, type Position } from "../../../shared/position.js";
import { namesOf } from "./schema.js";
import { checkpointSearch, positionOf, readCheckpoint } from "./stateCollection.js";

interface TypesenseSearchStorageOptions extends Pick<TypesenseSearchIndexWriterOptions, "analyse"> {
  readonly server: TypesenseServer;
  readonly namespace: string;
  /** Makes what vectors are made with, for the projector of the version that is served; null: there are none. */
  openEmbedder(): OpenedEmbedder | null;
  /** Typesense has no leases of its own. */
  openLease(name: string, timing?: LeaseTiming): Promise<Lease & { close(): void }>;
}

/** The search collection in Typesense: the first version in the tenant's namespace, each further one in its own. */
export function typesenseSearchStorage({
  server,
  namespace: tenant,
  analyse,
  openEmbedder,
  openLease,
}: TypesenseSearchStorageOptions): Storage<SearchIndexWriter, SearchReader & PastSearchReader> {
  const orNamed = <Opened>(opening: Promise<Opened>): Promise<Opened> => prefixWithSetting("TYPESENSE_URL", opening);
  // A tenant's name has no dot, so that no tenant's is taken for another one's version.
  const namespaceOf = (version: number): string => (version === firstVersion ? tenant : `${tenant}.search-${version}`);
  return {
    placement: "shared",
    openReader: async (version) => {
      const place = { ...server, namespace: namespaceOf(version) };
      const reader = await orNamed(openTypesenseSearchReader(place));
      const past = openedWhenAsked(() => orNamed(openTypesensePastSearchReader(place)));
      return withPastSearch(reader, past);
    },
    openStores: async ({ leaseName, leaseTiming, onFailure }) => {
      const lease = await openLease(leaseName, leaseTiming);
      return {
        lease,
        buildingBatch: 500,
        open: async (version, grant, building, earlier) => {
          // A version that nobody serves yet gets its vectors afterwards: they would hold up what is waited for.
          const embedder = building === null ? openEmbedder() : null;
          const index = await openTypesenseSearchIndexWriter({
            ...{ ...server, namespace: namespaceOf(version), analyse, onFailure, embedder },
            earlierNamespace: earlier === null ? null : namespaceOf(earlier),
            ...(grant !== null && { heldUntil: () => grant.heldUntil() }),
            ...(embedder && { onEmbedderFailure: (error) => embedder.onFailure(error) }),
          });
          return {
            store: index,
            close: async () => {
              await index.close();
              await embedder?.close();
            },
          };
        },
        close: () => lease.close(),
      };
    },
    facts: async (version) => {
      const { documents, ...facts } = await readSearchFacts(server, namespaceOf(version));
      return { ...facts, size: { amount: documents, unit: "documents" } };
    },
    checkpoint: (version) => readSearchCheckpoint(server, namespaceOf(version)),
    identity: () => null,
    isDamaged: async () => false,
    setAside: async (version) => {
      await dropSearchCollections(server, namespaceOf(version));
      return null;
    },
    drop: (version) => dropSearchCollections(server, namespaceOf(version)),
  };
}

/** Connected by the first question about the past; what cannot be opened is tried again by the next one. */
function openedWhenAsked(
  open: () => Promise<PastSearchReader & { close(): Promise<void> }>,
): PastSearchReader & { close(): Promise<void> } {
  let opened: ReturnType<typeof open> | null = null;
  return {
    searchAmong: async (request) => {
      const opening = (opened ??= open());
      opening.catch(() => (opened = opened === opening ? null : opened));
      return (await opening).searchAmong(request);
    },
    close: async () => (await opened?.catch(() => null))?.close(),
  };
}

const requestTimeoutMs = 5_000;

/** What Typesense holds of the search read model. It does not tell how much memory or disk a collection takes. */
interface SearchFacts {
  readonly position: Position;
  readonly parked: number;
  readonly documents: number;
}

/**
 * How far the search collections of a namespace have come, and how many events are parked there; nothing where there
 * are none.
 */
async function readSearchFacts(server: TypesenseServer, namespace: string): Promise<SearchFacts> {
  const connection = new TypesenseConnection(server, () => requestTimeoutMs);
  const { state, documents } = namesOf(namespace);
  try {
    const [checkpoint, parked, all] = await connection.search([
      checkpointSearch(state),
      { collection: state, q: "*", filter_by: "kind:=parked", per_page: 0 },
      // It finds nothing, so it costs nothing, and the number of documents comes with it.
      { collection: documents, q: "*", filter_by: "id:=none", per_page: 0 },
    ]);
    return {
      position: positionOf(readCheckpoint(checkpoint)),
      parked: parked?.found ?? 0,
      documents: all?.out_of ?? 0,
    };
  } catch (error) {
    if (isMissing(error)) return { position: beginning, parked: 0, documents: 0 };
    throw error;
  } finally {
    connection.close();
  }
}

/** How far they have come, alone; the beginning where there are none. */
async function readSearchCheckpoint(server: TypesenseServer, namespace: string): Promise<Checkpoint> {
  const connection = new TypesenseConnection(server, () => requestTimeoutMs);
  try {
    const [found] = await connection.search([checkpointSearch(namesOf(namespace).state)]);
    const { landmark, ...state } = readCheckpoint(found);
    return {
      position: positionOf(state),
      landmark: landmark === undefined ? null : { position: toPosition(BigInt(landmark.position)), id: landmark.id },
    };
  } catch (error) {
    if (isMissing(error)) return { position: beginning, landmark: null };
    throw error;
  } finally {
    connection.close();
  }
}
