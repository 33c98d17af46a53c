/** Bounds the bytes of large bodies that are held at once (ADR 1); later bodies wait, in order. */
export class MemoryBudget {
  private readonly waiting: { readonly bytes: number; readonly go: () => void }[] = [];

  constructor(private free: number) {}

  /** Resolves once `bytes` are free, which may be at most the whole budget. The answer gives them back, once. */
  reserve(bytes: number): Promise<() => void> {
    return new Promise((resolve) => {
      this.waiting.push({ bytes, go: () => resolve(this.giveBackOnce(bytes)) });
      this.admit();
    });
  }

  private giveBackOnce(bytes: number): () => void {
    let held = bytes;
    return () => {
      this.free += held;
      held = 0;
      this.admit();
    };
  }

  private admit(): void {
    for (let next = this.waiting[0]; next !== undefined && next.bytes <= this.free; next = this.waiting[0]) {
      this.waiting.shift();
      this.free -= next.bytes;
      next.go();
    }
  }
}
