/** Whole numbers one after the other, with room to grow. */
export class GrowingNumbers {
  values = new Int32Array(1_024);
  size = 0;

  push(value: number): void {
    if (this.size === this.values.length) this.grow();
    this.values[this.size++] = value;
  }

  private grow(): void {
    const larger = new Int32Array(Math.ceil(this.values.length * 1.5));
    larger.set(this.values);
    this.values = larger;
  }
}

/** These bytes with room for so many, zeros behind them: the same where they have it, or a copy. */
export function withRoomFor(bytes: Uint8Array, count: number): Uint8Array {
  if (bytes.length >= count) return bytes;
  const larger = new Uint8Array(Math.ceil(count * 1.125));
  larger.set(bytes);
  return larger;
}
