import { orNullAfter } from "../../shared/waiting.js";
import type { ModelUpstream, UpstreamModel } from "../ports/modelUpstream.js";

/** An upstream, and what a setting says of its models. */
interface ConfiguredUpstream {
  readonly upstream: ModelUpstream;
  /** Served whatever the upstream lists. */
  readonly models: readonly UpstreamModel[];
  /** Only {@link ConfiguredUpstream.models} are served: the upstream is not asked. */
  readonly isClosed: boolean;
}

/** A model that can be asked, and where. */
export interface ServedModel extends UpstreamModel {
  /** The name that clients use: with that of its upstream where there is one. */
  readonly publicId: string;
  readonly upstream: ModelUpstream;
}

/** How old a list may be before it is asked for again. */
const freshMs = 30_000;
/** For so long the first list, and the look for an unknown model, wait for upstreams. */
const patienceMs = 2_000;
/** After so long an upstream that is asked for its list has none. */
const listTimeoutMs = 10_000;
/** Names that nobody serves are looked for again no sooner. */
const lookAgainMs = 1_000;

interface Listed {
  models: readonly UpstreamModel[];
  /** When it was answered last, by the monotonic clock. */
  askedAt: number;
  asking: Promise<void> | null;
}

/**
 * The models of all upstreams as one list. What is known is told at once and renewed meanwhile; an upstream that is
 * down keeps what it served last.
 */
export class Catalogue {
  private readonly listed: Map<ConfiguredUpstream, Listed>;
  private readonly stopping = new AbortController();
  private firstLook: Promise<unknown> | null = null;

  constructor(
    private readonly upstreams: readonly ConfiguredUpstream[],
    private readonly now: () => number = () => performance.now(),
  ) {
    this.listed = new Map(
      upstreams.map((each) => [each, { models: [], askedAt: Number.NEGATIVE_INFINITY, asking: null }]),
    );
  }

  /** Everything that is served as far as it is known. */
  async list(): Promise<readonly ServedModel[]> {
    this.firstLook ??= orNullAfter(patienceMs, this.renewOlderThan(freshMs));
    await this.firstLook;
    void this.renewOlderThan(freshMs);
    return this.known();
  }

  /** The model of this name; null where no upstream has it. */
  async find(publicId: string): Promise<ServedModel | null> {
    const found = (await this.list()).find((model) => model.publicId === publicId);
    if (found !== undefined) return found;
    await orNullAfter(patienceMs, this.renewOlderThan(lookAgainMs));
    return this.known().find((model) => model.publicId === publicId) ?? null;
  }

  /** Asks no upstream from here on. */
  stop(): void {
    this.stopping.abort();
  }

  private known(): readonly ServedModel[] {
    return this.upstreams.flatMap((each) => {
      const { upstream, models } = each;
      const listed = new Map((this.listed.get(each)?.models ?? []).map((model) => [model.id, model]));
      for (const model of models) listed.set(model.id, completed(model, listed.get(model.id)));
      return [...listed.values()].map((model) => ({ ...model, upstream, publicId: publicIdOf(upstream, model) }));
    });
  }

  /** Resolves once every list that is older, or is being asked for, has been answered. Never rejects. */
  private async renewOlderThan(ageMs: number): Promise<void> {
    const open = [...this.listed].filter(([{ isClosed }]) => !isClosed);
    for (const [{ upstream }, listed] of open)
      if (this.now() - listed.askedAt >= ageMs) listed.asking ??= this.renew(upstream, listed);
    await Promise.all(open.map(([, { asking }]) => asking));
  }

  private async renew(upstream: ModelUpstream, listed: Listed): Promise<void> {
    const late = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, late.signal]);
    const asked = upstream.list(signal).catch(() => null);
    listed.models = (await orNullAfter(listTimeoutMs, asked)) ?? listed.models;
    late.abort();
    listed.askedAt = this.now();
    listed.asking = null;
  }
}

/** What a setting leaves open, the upstream's list says. */
const completed = (model: UpstreamModel, listed: UpstreamModel = model): UpstreamModel => ({
  id: model.id,
  created: model.created || listed.created,
  contextTokens: model.contextTokens ?? listed.contextTokens,
  takesImages: model.takesImages || listed.takesImages,
});

const publicIdOf = ({ name }: ModelUpstream, { id }: UpstreamModel): string => (name === null ? id : `${name}/${id}`);
