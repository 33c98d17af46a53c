import gossip from "@eventstore/db-client/generated/gossip_pb.js";
import { GossipService } from "@eventstore/db-client/generated/gossip_grpc_pb.js";
import features from "@eventstore/db-client/generated/serverfeatures_pb.js";
import { ServerFeaturesService } from "@eventstore/db-client/generated/serverfeatures_grpc_pb.js";
import shared from "@eventstore/db-client/generated/shared_pb.js";
import { StreamsService } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import { appendService } from "./appendService.js";
import { Faults } from "./faults.js";
import { grpc, type ReadCall } from "./grpc.js";
import { read } from "./readService.js";
import { StoredLog } from "./storedLog.js";
import { TcpProxy } from "./tcpProxy.js";

type Answer = (error: null, message: unknown) => void;
type Server = InstanceType<typeof grpc.Server>;

const states = { follower: 6, leader: 8 } as const;

/**
 * A server that speaks EventStoreDB's protocol and behaves as a recorded 24.10 does (test/fixtures/eventstoredb), for
 * the real client to be tested with. What it holds outlives its restarts.
 */
export class EventStoreDouble {
  readonly faults = new Faults(() => this.dropConnections());
  private readonly proxy = new TcpProxy(() => this.port);
  private server: Server | null = null;
  private port = 0;
  private stored = new StoredLog();
  /** Of the same cluster: they share a log, and gossip about each other. */
  private nodes: readonly EventStoreDouble[] = [this];

  static async start(): Promise<EventStoreDouble> {
    const double = new EventStoreDouble();
    await double.resume();
    return double;
  }

  /** Nodes with one log; the first leads. */
  static async startCluster(size: number): Promise<readonly EventStoreDouble[]> {
    const nodes = await Promise.all(Array.from({ length: size }, () => EventStoreDouble.start()));
    const [first] = nodes;
    for (const node of nodes) {
      node.nodes = nodes;
      if (first !== undefined) node.stored = first.stored;
    }
    if (first !== undefined) first.lead();
    return nodes;
  }

  get log(): StoredLog {
    return this.stored;
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.proxy.port}?tls=false`;
  }

  get address(): string {
    return `127.0.0.1:${this.proxy.port}`;
  }

  /** From now on the other nodes send writers here. */
  lead(): void {
    for (const node of this.nodes)
      node.faults.leader = node === this ? null : { host: "127.0.0.1", port: this.proxy.port };
  }

  dropConnections(): void {
    this.proxy.dropConnections();
  }

  freeze(): void {
    this.proxy.freeze();
  }

  thaw(): void {
    this.proxy.thaw();
  }

  /** As if it were killed: whatever is under way breaks off. */
  async stop(): Promise<void> {
    await this.proxy.stop();
    this.server?.forceShutdown();
    this.server = null;
    this.stored.changes.emit("change");
  }

  /** After a {@link stop}, on the same port. */
  async resume(): Promise<void> {
    this.stored.restart();
    const server = new grpc.Server({ "grpc.max_receive_message_length": 16 * 1024 * 1024 - 1 });
    server.addService(StreamsService, {
      ...appendService(() => this.stored, this.faults),
      read: (call: ReadCall) => void read(this.stored, this.faults, call),
    });
    server.addService(GossipService, { read: (_: unknown, answer: Answer) => answer(null, this.clusterInfo()) });
    server.addService(ServerFeaturesService, {
      getSupportedMethods: (_: unknown, answer: Answer) => answer(null, supportedMethods()),
    });
    this.port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) =>
        error === null ? resolve(port) : reject(error),
      );
    });
    this.server = server;
    await this.proxy.listen();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.resume();
  }

  /** As if its volume were gone: the same address, another log. */
  async loseEverything(): Promise<void> {
    await this.stop();
    this.stored = new StoredLog();
    await this.resume();
  }

  private clusterInfo(): InstanceType<typeof gossip.ClusterInfo> {
    const members = this.nodes.map((node) => {
      const member = new gossip.MemberInfo();
      const id = new shared.UUID();
      id.setString("00000000-0000-0000-0000-000000000000");
      member.setInstanceId(id);
      member.setTimeStamp("0");
      member.setIsAlive(node.server !== null);
      member.setState(node.faults.leader === null ? states.leader : states.follower);
      const endPoint = new gossip.EndPoint();
      endPoint.setAddress("127.0.0.1");
      endPoint.setPort(node.proxy.port);
      member.setHttpEndPoint(endPoint);
      return member;
    });
    const info = new gossip.ClusterInfo();
    info.setMembersList(members);
    return info;
  }
}

function supportedMethods(): InstanceType<typeof features.SupportedMethods> {
  const methods = ["append", "batchappend", "delete", "read", "tombstone"].map((name) => {
    const method = new features.SupportedMethod();
    method.setServiceName("event_store.client.streams.streams");
    method.setMethodName(name);
    return method;
  });
  const supported = new features.SupportedMethods();
  supported.setEventStoreServerVersion("24.10.14");
  supported.setMethodsList(methods);
  return supported;
}
