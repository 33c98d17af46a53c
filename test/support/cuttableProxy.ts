import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** What becomes of the next request: it never arrives, or it arrives and its answer does not. */
export type Cut = "request" | "answer";

/** Stands before a server and cuts connections on command. */
export class CuttableProxy {
  private readonly connections = new Set<() => void>();
  private nextCut: { readonly cut: Cut; readonly contains: string } | null = null;

  private constructor(
    private readonly server: Server,
    private readonly targetPort: number,
  ) {
    server.on("connection", (client) => this.forward(client));
  }

  static async start(targetPort: number): Promise<CuttableProxy> {
    const proxy = new CuttableProxy(createServer().listen(0, "127.0.0.1"), targetPort);
    await once(proxy.server, "listening");
    return proxy;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Cuts the connection of the next request that contains this text. */
  cutNext(cut: Cut, contains: string): void {
    this.nextCut = { cut, contains };
  }

  cutAll(): void {
    for (const cut of [...this.connections]) cut();
  }

  async stop(): Promise<void> {
    this.cutAll();
    this.server.close();
    await once(this.server, "close");
  }

  private forward(client: Socket): void {
    const target = connect(this.targetPort, "127.0.0.1");
    let isMute = false;
    const cut = (): void => {
      this.connections.delete(cut);
      client.destroy();
      target.destroy();
    };
    this.connections.add(cut);
    client.on("data", (bytes) => {
      const { nextCut } = this;
      if (nextCut !== null && bytes.includes(nextCut.contains)) {
        this.nextCut = null;
        if (nextCut.cut === "request") return cut();
        isMute = true;
      }
      target.write(bytes);
    });
    target.on("data", (bytes) => {
      if (isMute) cut();
      else client.write(bytes);
    });
    for (const socket of [client, target]) socket.on("error", cut).on("close", cut);
  }
}
