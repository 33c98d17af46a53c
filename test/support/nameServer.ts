import { createSocket } from "node:dgram";
import { once } from "node:events";

const headBytes = 12;
const addressType = 1;
/** A response, recursive, without an error. */
const answering = 0x8180;
/** The name that the question begins with. */
const sameName = 0xc000 + headBytes;

export interface NameServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** A name server on 127.0.0.1 for which every name stands for these IPv4 addresses, and for nothing else. */
export async function startNameServer(addresses: readonly string[]): Promise<NameServer> {
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => socket.send(answerTo(query, addresses), port, address));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    port: socket.address().port,
    stop: async () => {
      socket.close();
      await once(socket, "close");
    },
  };
}

function answerTo(query: Buffer, addresses: readonly string[]): Buffer {
  const endOfName = query.indexOf(0, headBytes) + 1;
  const question = query.subarray(headBytes, endOfName + 4);
  const known = query.readUInt16BE(endOfName) === addressType ? addresses : [];
  const head = Buffer.from(query.subarray(0, headBytes));
  for (const [at, word] of [answering, 1, known.length, 0, 0].entries()) head.writeUInt16BE(word, 2 + 2 * at);
  return Buffer.concat([head, question, ...known.map(recordOf)]);
}

function recordOf(address: string): Buffer {
  const [internet, secondsToLive, length] = [1, 1, 4];
  const record = Buffer.alloc(16);
  record.writeUInt16BE(sameName, 0);
  record.writeUInt16BE(addressType, 2);
  record.writeUInt16BE(internet, 4);
  record.writeUInt32BE(secondsToLive, 6);
  record.writeUInt16BE(length, 10);
  record.set(address.split(".").map(Number), 12);
  return record;
}
