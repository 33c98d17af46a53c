/**
 * Resolves as `promise` does, or rejects with `late()` after this many milliseconds; a later outcome is ignored. If
 * this process itself stood still, what arrived meanwhile is read before it is called late.
 */
export async function withTimeout<Value>(
  milliseconds: number,
  promise: Promise<Value>,
  late: () => Error,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(late())), milliseconds);
  });
  try {
    return await Promise.race([promise, end]);
  } finally {
    clearTimeout(timer);
  }
}
