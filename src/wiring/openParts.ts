/** What has been opened so far, to be released in reverse: at the end, or where the next part cannot be opened. */
export class OpenParts {
  private readonly releases: (() => unknown)[] = [];

  /** Answers with the part itself. */
  add<Part>(part: Part, release: (part: Part) => unknown): Part {
    this.releases.push(() => release(part));
    return part;
  }

  /** Releases each part once, the newest first. */
  async release(): Promise<void> {
    for (const release of this.releases.splice(0).toReversed()) await release();
  }

  /**
   * Runs `open` with the parts; where it fails, releases what it had opened, so that nothing keeps the process alive.
   */
  static async orRelease<Opened>(open: (parts: OpenParts) => Promise<Opened>): Promise<Opened> {
    const parts = new OpenParts();
    try {
      return await open(parts);
    } catch (error) {
      await parts.release();
      throw error;
    }
  }
}
