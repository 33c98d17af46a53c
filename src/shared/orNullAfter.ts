/** The outcome of `awaited`; null where it takes longer than this many milliseconds. A later outcome is ignored. */
export async function orNullAfter<Value>(milliseconds: number, awaited: Promise<Value>): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<null>((resolve) => (timer = setTimeout(resolve, milliseconds, null)));
  try {
    return await Promise.race([awaited, over]);
  } finally {
    clearTimeout(timer);
  }
}
