import type { CommandContext, CommandResult } from "../../commands/commands.js";
import type { ProjectionState } from "../../commands/projection/versions.js";
import type { ReadModelName } from "../../src/events/projection.js";
import { createLogger } from "../../src/logging.js";
import { openOffline, type OfflineService } from "../../src/main.js";
import { toPosition, type Position } from "../../src/shared/position.js";
import { testConfig } from "../support/startService.js";

const context: CommandContext = { by: "operator", correlationId: "test", allowedDatasources: null };

/**
 * An operator of a running service, in a process of its own in life: gives commands, and waits for what comes of them.
 */
export class Operator {
  private constructor(private readonly service: OfflineService) {}

  static async of(settings: NodeJS.ProcessEnv): Promise<Operator> {
    const config = testConfig(settings);
    return new Operator(await openOffline(config, createLogger(config)));
  }

  get commands(): OfflineService["commands"] {
    return this.service.commands;
  }

  get feed(): OfflineService["projections"] {
    return this.service.projections;
  }

  get log(): OfflineService["source"] {
    return this.service.source;
  }

  stateOf(name: ReadModelName): ProjectionState {
    return this.service.projections.of(name);
  }

  /** How far the version under way has come; null where there is none. */
  async positionUnderWay(name: ReadModelName): Promise<Position | null> {
    const { projections } = await this.service.overview.list();
    const underWay = projections.find((projection) => projection.name === name)?.under_way ?? null;
    return underWay && toPosition(BigInt(underWay.position ?? 0));
  }

  /**
   * Rebuilds, and resolves once the new version is served. Differences are accepted where that is said beforehand, and
   * else fail.
   */
  async rebuild(name: ReadModelName, { verify = true, keep = 1, accepted = false } = {}): Promise<void> {
    const version = this.stateOf(name).newest + 1;
    await this.do(this.service.commands.rebuildProjection({ name, verify, keep, accepted }, context));
    const isOver = ({ live, underWay }: ProjectionState): boolean =>
      live === version || ((underWay?.comparison?.differences ?? 0) > 0 && !accepted);
    const { live, underWay } = await this.until(name, isOver);
    if (live !== version) throw new Error(`The rebuilt ${name} differs: ${JSON.stringify(underWay?.comparison)}`);
  }

  async rollBack(name: ReadModelName): Promise<void> {
    const [version] = this.stateOf(name).kept;
    await this.do(this.service.commands.rollBackProjection({ name }, context));
    await this.until(name, ({ live }) => live === version);
  }

  async drop(name: ReadModelName, version: number): Promise<void> {
    await this.do(this.service.commands.dropVersion({ name, version }, context));
    await this.until(name, ({ kept, underWay }) => !kept.includes(version) && underWay?.version !== version);
  }

  /** Has these scopes of what is served made afresh. */
  async repair(name: ReadModelName, scopes: readonly string[]): Promise<void> {
    await this.do(this.service.commands.repairReadModel({ name, version: this.stateOf(name).live, scopes }, context));
  }

  async pause(name: ReadModelName): Promise<void> {
    await this.do(this.service.commands.pauseProjection({ name }, context));
    await this.until(name, ({ paused }) => paused);
  }

  async resume(name: ReadModelName): Promise<void> {
    await this.do(this.service.commands.resumeProjection({ name }, context));
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
      const unsubscribe = this.service.projections.onChange(look);
      look();
    });
  }

  leave(): Promise<void> {
    return this.service.close();
  }

  private async do(command: CommandResult<null>): Promise<void> {
    const outcome = await command;
    if (!outcome.ok) throw new Error(`Refused: ${JSON.stringify(outcome.error)}`);
  }
}
