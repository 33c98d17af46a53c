/**
 * What `promise` comes to, or a rejection with `late()` after so many milliseconds; what comes later is passed over.
 * Where this process itself stood still, what arrived meanwhile is read before it is called late.
 */
export async function within<Value>(milliseconds: number, promise: Promise<Value>, late: () => Error): Promise<Value> {
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
