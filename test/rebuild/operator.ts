import type { CommandContext, CommandResult } from "../../commands/commands.js";
import type { ProjectionState } from "../../commands/projection/versions.js";
import type { ReadModelName } from "../../src/events/projection.js";
import { followProjections, type FollowedProjections } from "../../src/daemon/followProjections.js";
import { openReadModels, type ReadModelRegistry } from "../../src/wiring/readModels.js";
import { openWriteSide, type WriteSide } from "../../src/wiring/writeSide.js";
import { createLogger } from "../../src/logging.js";
import { ProjectionErrorLog, overviewOf, ProjectionStatuses } from "../../src/operations/status/projectionStatuses.js";
import { toPosition, type Position } from "../../src/shared/position.js";
import { testConfig } from "../support/testConfig.js";

const context: CommandContext = { by: "operator", correlationId: "test", allowedDatasources: null };

/**
 * An operator of a running service, in a process of its own in life: gives commands, and waits for what comes of them.
 */
export class Operator {
  private constructor(
    private readonly writeSide: WriteSide,
    private readonly followed: FollowedProjections,
    private readonly told: { readonly statuses: ProjectionStatuses; readonly errors: ProjectionErrorLog },
    readonly readModels: ReadModelRegistry,
  ) {}

  static async of(settings: NodeJS.ProcessEnv): Promise<Operator> {
    const config = testConfig(settings);
    const logger = createLogger(config);
    const writeSide = await openWriteSide(config);
    const followed = await followProjections(writeSide.streams, writeSide.source, logger);
    const readModels = openReadModels(config, {
      logHead: () => writeSide.source.head(),
      holds: (checkpoint, categories) => writeSide.source.holds(checkpoint, categories),
    });
    const errors = new ProjectionErrorLog(await readModels.errors(), logger);
    const statuses = new ProjectionStatuses({
      ...{ readModels: readModels.all, source: writeSide.source, feed: followed.feed, logUnit: "events" },
      role: { role: "all", sharesFolder: readModels.sharesFolder },
      errors,
      bulkRemovals: { readModel: readModels.permissionHistory, list: async () => [] },
    });
    return new Operator(writeSide, followed, { statuses, errors }, readModels);
  }

  get commands(): WriteSide["commands"] {
    return this.writeSide.commands;
  }

  get feed(): FollowedProjections["feed"] {
    return this.followed.feed;
  }

  get log(): WriteSide["source"] {
    return this.writeSide.source;
  }

  stateOf(name: ReadModelName): ProjectionState {
    return this.feed.of(name);
  }

  /** How far the version under way has come; null where there is none. */
  async positionUnderWay(name: ReadModelName): Promise<Position | null> {
    const { projections } = await overviewOf(this.told.statuses, this.followed).list();
    const underWay = projections.find((projection) => projection.name === name)?.under_way ?? null;
    return underWay && toPosition(BigInt(underWay.position ?? 0));
  }

  /**
   * Rebuilds, and resolves once the new version is served. Differences are accepted where that is said beforehand, and
   * else fail.
   */
  async rebuild(name: ReadModelName, { verify = true, keep = 1, accepted = false } = {}): Promise<void> {
    const version = this.stateOf(name).newest + 1;
    await this.do(this.commands.rebuildProjection({ name, verify, keep, accepted }, context));
    const isOver = ({ live, underWay }: ProjectionState): boolean =>
      live === version || ((underWay?.comparison?.differences ?? 0) > 0 && !accepted);
    const { live, underWay } = await this.until(name, isOver);
    if (live !== version) throw new Error(`The rebuilt ${name} differs: ${JSON.stringify(underWay?.comparison)}`);
  }

  async rollBack(name: ReadModelName): Promise<void> {
    const [version] = this.stateOf(name).kept;
    await this.do(this.commands.rollBackProjection({ name }, context));
    await this.until(name, ({ live }) => live === version);
  }

  async drop(name: ReadModelName, version: number): Promise<void> {
    await this.do(this.commands.dropVersion({ name, version }, context));
    await this.until(name, ({ kept, underWay }) => !kept.includes(version) && underWay?.version !== version);
  }

  /** Has these scopes of what is served made afresh. */
  async repair(name: ReadModelName, scopes: readonly string[]): Promise<void> {
    await this.do(this.commands.repairReadModel({ name, version: this.stateOf(name).live, scopes }, context));
  }

  async pause(name: ReadModelName): Promise<void> {
    await this.do(this.commands.pauseProjection({ name }, context));
    await this.until(name, ({ paused }) => paused);
  }

  async resume(name: ReadModelName): Promise<void> {
    await this.do(this.commands.resumeProjection({ name }, context));
    await this.until(name, ({ paused }) => !paused);
  }

  until(name: ReadModelName, isWanted: (state: ProjectionState) => boolean): Promise<ProjectionState> {
    return new Promise((resolve) => {
      const look = (): void => {
        const state = this.stateOf(name);
        if (!isWanted(state)) return;
        unsubscribe();
        resolve(state);
      };
      const unsubscribe = this.feed.onChange(look);
      look();
    });
  }

  async leave(): Promise<void> {
    await this.told.errors.close();
    await this.followed.stop();
    await this.readModels.close();
    await this.writeSide.close();
  }

  private async do(command: CommandResult<null>): Promise<void> {
    const outcome = await command;
    if (!outcome.ok) throw new Error(`Refused: ${JSON.stringify(outcome.error)}`);
  }
}
