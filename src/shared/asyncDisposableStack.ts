/**
 * What has been opened so far, to be released in reverse: as much of the standard's `AsyncDisposableStack` as is used
 * here, under its names, until every Node that the service runs on has it.
 */
export class AsyncDisposableStack {
  private readonly disposals: (() => unknown)[] = [];

  /** Answers with the value itself. */
  adopt<Value>(value: Value, onDispose: (value: Value) => unknown): Value {
    this.disposals.push(() => onDispose(value));
    return value;
  }

  /** Releases everything once, the newest first. */
  async disposeAsync(): Promise<void> {
    for (const dispose of this.disposals.splice(0).toReversed()) await dispose();
  }
}

/** Runs `open`; where it fails, releases what it had opened, so that nothing keeps the process alive. */
export async function disposeOnFailure<Opened>(
  open: (opened: AsyncDisposableStack) => Promise<Opened>,
): Promise<Opened> {
  const opened = new AsyncDisposableStack();
  try {
    return await open(opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}
