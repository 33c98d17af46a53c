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

/** These numbers with room for so many, zeros behind them: the same where they have it, or a copy. */
export function withRoomFor<Numbers extends Uint8Array | Int32Array>(numbers: Numbers, count: number): Numbers {
  if (numbers.length >= count) return numbers;
  const larger = new (numbers.constructor as new (length: number) => Numbers)(Math.ceil(count * 1.125));
  larger.set(numbers);
  return larger;
}
