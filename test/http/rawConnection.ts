import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A connection that speaks HTTP byte by byte, for what no client library would send. */
export class RawConnection {
  private received = "";
  private closed = false;
  private onChange: () => void = () => undefined;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      this.received += text;
      this.onChange();
    });
    socket.on("close", () => {
      this.closed = true;
      this.onChange();
    });
    // A reset is a way to be closed.
    socket.on("error", () => undefined);
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    return new RawConnection(socket);
  }

  /** Resolves once the system has taken it, or the connection is gone. */
  send(text: string | Buffer): Promise<void> {
    return new Promise((resolve) => this.socket.write(text, () => resolve()));
  }

  /** All that came, once it matches. Fails where the connection ends without. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.received)) {
      if (this.closed) throw new Error(`The connection ended after: ${this.received}`);
      await this.change();
    }
    return this.received;
  }

  /** All that came until the other side closed. */
  async untilClosed(): Promise<string> {
    while (!this.closed) await this.change();
    return this.received;
  }

  private change(): Promise<void> {
    return new Promise((resolve) => (this.onChange = resolve));
  }

  /** Takes nothing more off the connection, until {@link goOnReading}. */
  stopReading(): void {
    this.socket.pause();
  }

  goOnReading(): void {
    this.socket.resume();
  }

  destroy(): void {
    this.socket.destroy();
  }
}
