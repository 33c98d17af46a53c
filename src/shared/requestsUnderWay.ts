/** How many requests are kept, and how much of each: more say nothing of where a thread stands still. */
const slots = 256;
const slotBytes = 256;
const headerBytes = 4;

/** A request, without anything that somebody wrote. */
interface RequestUnderWay {
  readonly method: string;
  /** The route as the API's description has it. */
  readonly route: string;
  readonly requestId: string;
}

/**
 * Which requests are under way, in memory that another thread can read while this one stands still. What finds no room
 * is not kept.
 */
export class RequestsUnderWay {
  private readonly bytes: Uint8Array;
  private readonly lengths: Int32Array;
  private readonly encoder = new TextEncoder();
  private next = 0;

  /** @param memory made by {@link memory}. */
  constructor(shared: SharedArrayBuffer) {
    this.lengths = new Int32Array(shared, 0, slots);
    this.bytes = new Uint8Array(shared, slots * headerBytes);
  }

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(slots * (headerBytes + slotBytes));
  }

  /** Returns what to call when the request has been handled. */
  begin({ method, route, requestId }: RequestUnderWay): () => void {
    const slot = this.freeSlot();
    if (slot === null) return () => undefined;
    const at = slot * slotBytes;
    const room = this.bytes.subarray(at, at + slotBytes);
    // A copy: TextEncoder writes into no shared memory.
    const text = this.encoder.encode(`${method} ${route} ${requestId}`).subarray(0, slotBytes);
    room.set(text);
    Atomics.store(this.lengths, slot, text.length);
    return () => void Atomics.store(this.lengths, slot, 0);
  }

  /** The requests that are under way, for another thread. */
  list(): readonly RequestUnderWay[] {
    const found: RequestUnderWay[] = [];
    for (let slot = 0; slot < slots; slot++) {
      const length = Atomics.load(this.lengths, slot);
      if (length === 0) continue;
      const [method = "", route = "", requestId = ""] = Buffer.from(
        this.bytes.slice(slot * slotBytes, slot * slotBytes + length),
      )
        .toString()
        .split(" ");
      found.push({ method, route, requestId });
    }
    return found;
  }

  private freeSlot(): number | null {
    for (let tries = 0; tries < slots; tries++) {
      const slot = this.next++ % slots;
      if (this.lengths[slot] === 0) return slot;
    }
    return null;
  }
}
