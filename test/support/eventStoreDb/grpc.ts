import { createRequire } from "node:module";
import type { IStreamsServer } from "@eventstore/db-client/generated/streams_grpc_pb.js";

/**
 * gRPC and protobuf as the client brings them along: the double speaks with the very versions that it is called with.
 */
const requireOfClient = createRequire(createRequire(import.meta.url).resolve("@eventstore/db-client"));

export type AppendCall = Parameters<IStreamsServer["append"]>[0];
export type BatchAppendCall = Parameters<IStreamsServer["batchAppend"]>[0];
export type ReadCall = Parameters<IStreamsServer["read"]>[0];
type Callback = Parameters<IStreamsServer["delete"]>[1];
type ServiceFailure = NonNullable<Parameters<Callback>[0]> & Error;
export type GrpcMetadata = Parameters<IStreamsServer["delete"]>[0]["metadata"];

interface GrpcServer {
  addService(definition: unknown, implementation: unknown): void;
  bindAsync(address: string, credentials: unknown, bound: (error: Error | null, port: number) => void): void;
  forceShutdown(): void;
}

interface Grpc {
  readonly Server: new (options: Record<string, unknown>) => GrpcServer;
  readonly ServerCredentials: { createInsecure(): unknown };
  readonly Metadata: new () => GrpcMetadata;
}

interface AnyMessage {
  pack(bytes: Uint8Array, typeName: string): void;
}

export const grpc = requireOfClient("@grpc/grpc-js") as Grpc;
const protobuf = requireOfClient("google-protobuf/google/protobuf/any_pb.js") as { readonly Any: new () => AnyMessage };
const wellKnown = requireOfClient("google-protobuf/google/protobuf/empty_pb.js") as { readonly Empty: new () => never };

export const statusCodes = {
  unknown: 2,
  invalidArgument: 3,
  failedPrecondition: 9,
  aborted: 10,
  unavailable: 14,
} as const;

/** A failed call, with what the client reads from its trailers. */
export function failure(
  code: number,
  details: string,
  trailers: Readonly<Record<string, string>> = {},
): ServiceFailure {
  const metadata = new grpc.Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata }) as ServiceFailure;
}

/** A message inside another that does not know its type. */
export function packed(typeName: string, message: { serializeBinary(): Uint8Array }): never {
  const any = new protobuf.Any();
  any.pack(message.serializeBinary(), `event_store.client.${typeName}`);
  return any as never;
}

export const googleEmpty = (): never => new wellKnown.Empty();
