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

interface Opening<Opened> {
  readonly opened: Promise<Opened>;
  users: number;
}

/** What several users of one place share: opened by the first, closed by the last. */
export class SharedOpenings<Opened> {
  private readonly openings = new Map<string, Opening<Opened>>();

  constructor(
    private readonly open: (place: string) => Promise<Opened>,
    private readonly close: (opened: Opened) => unknown,
  ) {}

  /** `release` is to be called once. */
  async take(place: string): Promise<{ readonly opened: Opened; release(): Promise<void> }> {
    const opening = this.openings.get(place) ?? { opened: this.open(place), users: 0 };
    this.openings.set(place, opening);
    opening.users++;
    const release = async (): Promise<void> => {
      if (--opening.users > 0) return;
      if (this.openings.get(place) === opening) this.openings.delete(place);
      await this.close(await opening.opened);
    };
    try {
      return { opened: await opening.opened, release };
    } catch (error) {
      if (--opening.users === 0 && this.openings.get(place) === opening) this.openings.delete(place);
      throw error;
    }
  }
}
