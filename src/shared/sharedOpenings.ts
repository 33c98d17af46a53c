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
