/** After so long a model is offered tools again: its server may have got another template, or another model. */
const rememberedMs = 600_000;

/** The models whose servers said that they take no tools, by the names that clients use. */
export class ModelsWithoutTools {
  private readonly until = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  has(model: string): boolean {
    const until = this.until.get(model) ?? Number.NEGATIVE_INFINITY;
    if (until > this.now()) return true;
    this.until.delete(model);
    return false;
  }

  add(model: string): void {
    this.until.set(model, this.now() + rememberedMs);
  }
}
