import type { Logger } from "pino";
import type { EventLog } from "../../commands/ports.js";
import type { EventSource } from "../../projections/ports.js";
import type { AgentCreated, AgentEvent } from "../events/agent.js";
import type { RecordedEvent } from "../events/domainEvent.js";
import { agentStream, idOf } from "../events/streams.js";
import type { Agent, AllAgents } from "../readModels/agents.js";
import { toAgentId, type AgentId, type Email } from "../shared/ids.js";
import { beginning } from "../shared/position.js";
import { ReadModelUnavailable } from "../shared/failures.js";
import { LogFollower } from "./logFollower.js";

const maxBatchSize = 256;

interface FollowedAgentsOptions {
  readonly log: Pick<EventLog, "readLast">;
  readonly source: EventSource;
  readonly logger: Logger;
  /** How long a list waits for the end of the log. */
  readonly patienceMs: number;
}

/**
 * Agents, as the log tells of them (docs/design/chat-and-web.md). One is looked up in its own stream. For lists all of
 * them are followed from the beginning of the log on, and kept in memory.
 */
export class FollowedAgents implements AllAgents {
  private readonly known = new Map<AgentId, Agent>();
  private readonly follower: LogFollower;

  constructor(private readonly options: FollowedAgentsOptions) {
    const { source, logger } = options;
    this.follower = new LogFollower(
      {
        ...{ source, logger, categories: ["agent"], maxBatchSize },
        failure: "Which agents there are cannot be followed; it is tried again.",
        take: (event) => this.take(event as RecordedEvent<AgentEvent>),
      },
      beginning,
    );
  }

  start(): void {
    this.follower.start();
  }

  stop(): Promise<void> {
    return this.follower.stop();
  }

  async get(id: AgentId): Promise<Agent | null> {
    const newest = await this.options.log.readLast(agentStream(id));
    const { event, metadata } = newest ?? {};
    const isThere = event?.type === "AgentCreated" || event?.type === "AgentUpdated";
    return isThere && metadata !== undefined ? toAgent(event.data, metadata.at) : null;
  }

  async find(person: Email, id: AgentId): Promise<Agent | null> {
    const agent = await this.get(id);
    return agent !== null && mayUse(person, agent) ? agent : null;
  }

  async all(): Promise<readonly Agent[]> {
    const { source, patienceMs } = this.options;
    if (!(await this.follower.reached(await source.head(), patienceMs)))
      throw new ReadModelUnavailable("Which agents there are is not known yet.");
    return [...this.known.values()].sort(byName);
  }

  async list(person: Email): Promise<readonly Agent[]> {
    return (await this.all()).filter((agent) => mayUse(person, agent));
  }

  private take({ stream, unreadable, event, metadata }: RecordedEvent<AgentEvent>): void {
    // What cannot be read may have taken the agent away from people.
    if (unreadable !== undefined || event.type === "AgentDeleted") this.known.delete(toAgentId(idOf(stream)));
    else this.known.set(event.data.agentId, toAgent(event.data, metadata.at));
  }
}

const toAgent = ({ agentId: id, ...definition }: AgentCreated["data"], updatedAt: string): Agent => ({
  id,
  ...definition,
  updatedAt,
});

const mayUse = (person: Email, { users }: Agent): boolean => users === null || users.includes(person);

const byName = (one: Agent, other: Agent): number => one.name.localeCompare(other.name) || (one.id < other.id ? -1 : 1);
