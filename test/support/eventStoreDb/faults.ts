import { setTimeout as delay } from "node:timers/promises";
import { failure, statusCodes, type GrpcMetadata } from "./grpc.js";

/** In which way an acknowledgement is lost. */
export type Loss = "silence" | "timeout" | "drop" | "hang";

type Failure = ReturnType<typeof failure>;

/** What goes wrong on the server's side, on command. */
export class Faults {
  /** How often each procedure was called. */
  readonly calls = new Map<string, number>();
  /** Where calls that want the leader are sent; null while this node leads. */
  leader: { readonly host: string; readonly port: number } | null = null;
  appendDelayMs = 0;
  private held: { readonly name: string; reached(): void; readonly untilLetGo: Promise<void> } | null = null;
  private notReady = 0;
  private readonly losses: Loss[] = [];

  constructor(private readonly dropConnections: () => void) {}

  count(procedure: string): void {
    this.calls.set(procedure, (this.calls.get(procedure) ?? 0) + 1);
  }

  /** The next so many appends and deletions are refused, as just after a start. */
  refuseAsNotReady(times: number): void {
    this.notReady = times;
  }

  /**
   * The next so many appends are written, and nobody is told: no answer ever comes, or the connection breaks first, or
   * the server says that its commit took too long, or nothing is answered on that stream any more.
   */
  loseAcknowledgements(times: number, how: Loss): void {
    this.losses.push(...Array.from({ length: times }, () => how));
  }

  /** Null where the call may go on. */
  refusal(metadata: GrpcMetadata): Failure | null {
    if (this.leader !== null && metadata.get("requires-leader").length > 0) {
      const { host, port } = this.leader;
      return failure(statusCodes.unknown, "Leader info available", {
        exception: "not-leader",
        "leader-endpoint-host": host,
        "leader-endpoint-port": String(port),
      });
    }
    if (this.notReady === 0) return null;
    this.notReady--;
    return failure(statusCodes.unavailable, "Server Is Not Ready");
  }

  loseAcknowledgement(): Failure | "silence" | "hang" | null {
    const how = this.losses.shift();
    if (how === undefined) return null;
    if (how === "hang") return how;
    if (how === "timeout") return failure(statusCodes.aborted, "Commit phase timeout.");
    if (how === "drop") this.dropConnections();
    return "silence";
  }

  /** The next append to a stream whose name holds this waits until it is let go. */
  holdNextAppendTo(name: string): { readonly isHeld: Promise<void>; letGo(): void } {
    let [reached, letGo] = [() => {}, () => {}];
    const isHeld = new Promise<void>((resolve) => (reached = resolve));
    this.held = { name, reached, untilLetGo: new Promise<void>((resolve) => (letGo = resolve)) };
    return { isHeld, letGo };
  }

  async pauseBeforeAppend(stream: string): Promise<void> {
    if (this.appendDelayMs > 0) await delay(this.appendDelayMs);
    const { held } = this;
    if (held === null || !stream.includes(held.name)) return;
    this.held = null;
    held.reached();
    await held.untilLetGo;
  }
}
