import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { EventSource } from "../../projections/ports.js";
import type { Readers, QueryEmbedder, Reranker } from "../../queries/ports.js";
import { bindQueries, type Queries } from "../../queries/queries.js";
import { askedHistory } from "../audit/asOf/askedHistory.js";
import type { Config } from "../config.js";
import { compareCanaries } from "../daemon/compareCanaries.js";
import type { ProjectionFeed } from "../daemon/projectionFeed.js";
import { ServedReadModels } from "../daemon/servedReadModels.js";
import { Versioned } from "../daemon/versioned.js";
import type { ComparisonSummary } from "../events/projection.js";
import { Canaries } from "../operations/verify/canaries.js";
import { disposeOnFailure, type AsyncDisposableStack } from "../shared/asyncDisposableStack.js";
import { beginning, laterOf, type Position } from "../shared/position.js";
import { PrincipalTokens } from "../shared/principalTokens.js";
import type { ReadModelRegistry } from "./readModels.js";
import { ModelServer } from "../adapters/models/modelServer.js";
import { RememberedMeanings } from "../adapters/models/rememberedMeanings.js";
import { RerankServer } from "../adapters/models/rerankServer.js";
import { ModelCalls, type CountedModelCalls } from "../shared/modelCalls.js";
import { openEmbedder, type EmbeddingSettings, warnOnFailure } from "./embedder.js";

interface ReadSideOptions {
  readonly readModels: ReadModelRegistry;
  /** Tells how far the log goes. */
  readonly source: EventSource;
  /** Tells which versions are served. */
  readonly feed: ProjectionFeed;
  readonly logger: Logger;
  /** True where read models may answer although they are behind the log; see `startService`. */
  readonly mayBeBehind: boolean;
}

/** What is served: read models that requests are answered from, and the permission history, which auditors ask. */
export type ReadSide = Awaited<ReturnType<typeof openReadSide>>;

type ReadSideConfig = Pick<Config, "productName" | "namespace" | "consistencyTimeoutMs"> & MeaningSettings;

/**
 * Opens the read models that are served, creating them empty where they are missing, and follows what is served from
 * then on.
 */
export const openReadSide = (config: ReadSideConfig, options: ReadSideOptions) =>
  disposeOnFailure((opened) => openParts(opened, config, options));

async function openParts(
  opened: AsyncDisposableStack,
  { productName, namespace, consistencyTimeoutMs, ...models }: ReadSideConfig,
  { readModels, source, feed, logger, mayBeBehind }: ReadSideOptions,
) {
  const { groupClosure, catalogue, credentials, search, permissionHistory } = readModels;
  const isInLog = logExtent(source);
  const tokens = new PrincipalTokens(namespace);
  const served = opened.adopt(
    await Versioned.open({
      ...{ feed, logger, log: source, mayBeBehind, readModels: { groupClosure, catalogue, credentials, search } },
      viewOf: ({ groupClosure: access, ...readers }, superseded) =>
        ({ ...readers, access, tokens, productName, consistencyTimeoutMs, isInLog, superseded }) satisfies Readers,
    }),
    (part) => part.close(),
  );
  const history = opened.adopt(
    await Versioned.open({
      // Its answers name the position that they are as of, and are refused where it has not come so far.
      ...{ feed, logger, log: source, mayBeBehind: true, readModels: { permissionHistory } },
      viewOf: ({ permissionHistory: reader }, superseded) => askedHistory(reader, superseded),
    }),
    (part) => part.close(),
  );
  const meaning = opened.adopt(openMeaning(models, logger), (part) => part.close());
  const canaries = new Canaries();
  const isRunning = (name: ServedName): boolean => !feed.of(name).paused;
  const reached = (names: readonly ServedName[], position: Position, timeoutMs: number): Promise<boolean> =>
    served.reached(names.filter(isRunning), position, timeoutMs);
  const notAdmitted = () => served.admitted().filter(({ refusal }) => refusal !== null);
  return {
    // Canaries, which are compared, are asked without a model: its answers may differ from one time to the next.
    queries: canaries.watch(
      bindQueries((query) => served.use((readers) => query(meaning.added(readers)))),
    ) satisfies Queries,
    models: {
      calls: meaning.modelCalls,
      documentsWithoutVectors: async () => {
        const { embeddingModel } = meaning;
        return embeddingModel === null ? null : served.use(({ search: index }) => index.withoutVectors(embeddingModel));
      },
    },
    served,
    history,
    /** By their names, whatever those are. */
    readModels: new ServedReadModels([...served.all(), ...history.all()]),
    /**
     * Waits until every read model that requests are answered from serves this position, `timeoutMs` at most, and
     * answers. Those that are paused need not have come so far.
     */
    hasReached: async (position: Position, timeoutMs: number) => {
      if (!(await reached(servedNames, position, timeoutMs))) return false;
      if (notAdmitted().length > 0 && timeoutMs > 0) await delay(admissionMs);
      return notAdmitted().length === 0;
    },
    /** The read models that requests are answered from and that do not answer yet. */
    notAdmitted,
    /** Waits like `hasReached`, but only for searches. */
    isSearchable: (position: Position, timeoutMs: number) => reached(["search"], position, timeoutMs),
    /** Waits like `hasReached`, but only for read models that are never far behind. */
    waitUntilProjected: (position: Position, timeoutMs: number) => reached(quickNames, position, timeoutMs),
    /** Adds to a comparison what comes of asking the other version what people asked here lately. */
    completeComparison: async (name: string, version: number, comparison: ComparisonSummary) => {
      const asked = servedNames.find((other) => other === name);
      if (asked === undefined) return comparison;
      return compareCanaries(version, comparison, {
        canaries,
        source,
        use: async (number, use) => {
          const { reader, close } = await readModels[asked].openReader(number);
          try {
            return await served.useBeside(asked, reader as never, (readers, beside) =>
              use({ readers, reader: served.served(asked).reader }, { readers: beside, reader }),
            );
          } finally {
            await close();
          }
        },
      });
    },
    close: () => opened.disposeAsync(),
  };
}

/** Tells whether a log has come as far as a position. It is asked only where it may have grown since. */
function logExtent(source: Pick<EventSource, "head">): Readers["isInLog"] {
  let known = beginning;
  return async (position) => {
    if (position > known) known = laterOf(known, await source.head());
    return position <= known;
  };
}

/** What is reached is looked at again and again until it is admitted. */
const admissionMs = 20;

const servedNames = ["search", "groupClosure", "catalogue", "credentials"] as const;
type ServedName = (typeof servedNames)[number];
const quickNames: readonly ServedName[] = ["groupClosure", "catalogue", "credentials"];

/** The models that searches ask, as far as settings name them. */
export interface Meaning {
  /** The same readers, with the models. */
  added(readers: Readers): Readers;
  /** How their calls ended, since the start. */
  modelCalls(): readonly CountedModelCalls[];
  /** Says which model makes vectors, in the words of `Embedder`; null: there is none. */
  readonly embeddingModel: string | null;
  close(): Promise<void>;
}

type MeaningSettings = EmbeddingSettings &
  Pick<Config, "rerankUrl" | "rerankApiKey" | "rerankModel" | "rerankTimeoutMs">;

/** Connections to models that searches ask. No server is asked before somebody searches. */
export function openMeaning(config: MeaningSettings, logger: Logger): Meaning {
  const embedding = openQueryEmbedder(config, logger);
  const reranking = openReranker(config, logger);
  const opened = [embedding, reranking].filter((part) => part !== null);
  const models = {
    ...(embedding && { embedder: embedding.embedder }),
    ...(reranking && { reranker: reranking.reranker }),
  };
  return {
    added: (readers) => ({ ...readers, ...models }),
    modelCalls: () =>
      opened.flatMap(({ purpose, calls }) =>
        Array.from(calls.counted(), ([outcome, count]) => ({ purpose, outcome, calls: count })),
      ),
    embeddingModel: embedding?.model ?? null,
    close: async () => void (await Promise.all(opened.map((part) => part.close()))),
  };
}

interface OpenedModel {
  readonly purpose: string;
  readonly calls: ModelCalls;
  close(): Promise<void>;
}

function openQueryEmbedder(
  config: MeaningSettings,
  logger: Logger,
): (OpenedModel & { readonly embedder: QueryEmbedder; readonly model: string }) | null {
  const opened = openEmbedder(config, "queries");
  if (opened === null) return null;
  const sentence = "The server of EMBEDDINGS_URL gave no vector of a query; searches go by words alone.";
  const calls = new ModelCalls(warnOnFailure(logger, sentence));
  const embedder = new RememberedMeanings(opened, config.embeddingsLeastSimilarity / 100, calls);
  return { purpose: "query", calls, embedder, model: opened.model, close: () => opened.close() };
}

function openReranker(
  { rerankUrl: url, rerankApiKey: apiKey, rerankModel, rerankTimeoutMs: timeoutMs }: MeaningSettings,
  logger: Logger,
): (OpenedModel & { readonly reranker: Reranker }) | null {
  if (url === null) return null;
  const server = new ModelServer({ url, route: "rerank", apiKey, timeoutMs });
  const calls = new ModelCalls(
    warnOnFailure(logger, "The server of RERANK_URL gave no order; searches answer in the engine's."),
  );
  return {
    ...{ purpose: "rerank", calls, reranker: new RerankServer(server, rerankModel, calls) },
    close: () => server.close(),
  };
}
