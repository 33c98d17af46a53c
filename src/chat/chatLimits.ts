import type { Email } from "../shared/ids.js";

/** How many answers are made at once in this process: for one person, and for all. */
export class ChatLimits {
  private readonly byPerson = new Map<Email, number>();
  private all = 0;

  constructor(
    private readonly most: number,
    private readonly mostOfPerson: number,
  ) {}

  /** Counts an answer until what comes back is called, once; null: there are too many, and it is not counted. */
  take(person: Email): (() => void) | null {
    const own = this.byPerson.get(person) ?? 0;
    if (this.all >= this.most || own >= this.mostOfPerson) return null;
    this.all++;
    this.byPerson.set(person, own + 1);
    return () => this.giveBack(person);
  }

  private giveBack(person: Email): void {
    this.all--;
    const left = (this.byPerson.get(person) ?? 1) - 1;
    if (left === 0) this.byPerson.delete(person);
    else this.byPerson.set(person, left);
  }
}
