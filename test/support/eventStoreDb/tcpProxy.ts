import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** A port before the server, where connections can be cut, or kept open while nothing passes. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private isFrozen = false;
  private server: Server | null = null;
  /** Kept over restarts. */
  port = 0;

  constructor(private readonly targetPort: () => number) {}

  async listen(): Promise<void> {
    this.server = createServer({ noDelay: true }, (client) => this.accept(client)).listen(this.port, "127.0.0.1");
    await once(this.server, "listening");
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** New connections are refused from now on, and those that are open are cut. */
  async stop(): Promise<void> {
    const server = this.server;
    this.server = null;
    if (server === null) return;
    const closed = once(server, "close");
    server.close();
    this.dropConnections();
    await closed;
  }

  dropConnections(): void {
    for (const socket of this.sockets) {
      // A socket that is shutting down cannot be reset: Node would keep its handle open for ever.
      if (socket.writableEnded) socket.destroy();
      else socket.resetAndDestroy();
    }
    this.sockets.clear();
  }

  /** As a server that hangs: connections stay, nothing comes back. */
  freeze(): void {
    this.isFrozen = true;
    for (const socket of this.sockets) socket.pause();
  }

  thaw(): void {
    this.isFrozen = false;
    for (const socket of this.sockets) socket.resume();
  }

  private accept(client: Socket): void {
    const target = connect({ port: this.targetPort(), host: "127.0.0.1", noDelay: true });
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      this.sockets.add(from);
      from.on("data", (bytes) => {
        if (!to.write(bytes)) from.pause();
      });
      to.on("drain", () => this.isFrozen || from.resume());
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.sockets.delete(from);
        to.destroy();
      });
      if (this.isFrozen) from.pause();
    }
  }
}
