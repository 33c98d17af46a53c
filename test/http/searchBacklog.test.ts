import { expect } from "chai";
import { SearchBacklog } from "../../src/http/limits.js";
import { toPosition, type Position } from "../../src/shared/position.js";

describe("the backlog of searches", () => {
  /** Searches find what was written up to `searchable`; whoever waits for more is told once it moves. */
  class Index {
    searchable = 0;
    private waiting: (() => void)[] = [];

    isSearchable = async (position: Position): Promise<boolean> => {
      while (this.searchable < Number(position)) await new Promise<void>((resolve) => this.waiting.push(resolve));
      return true;
    };

    moveTo(position: number): void {
      this.searchable = position;
      for (const tell of this.waiting.splice(0)) tell();
    }
  }

  const push = (position: number, documents: number) => ({ position: toPosition(position), documents });

  it("holds pushes up over its capacity, until half of it is searchable", async () => {
    const index = new Index();
    const backlog = new SearchBacklog(index.isSearchable, 10);
    for (const position of [1, 2, 3, 4, 5]) backlog.add(push(position, 2));
    await backlog.untilThereIsRoom();
    backlog.add(push(6, 2));
    let hasRoom = false;
    const waiting = backlog.untilThereIsRoom().then(() => (hasRoom = true));
    index.moveTo(3);
    await new Promise(setImmediate);
    expect(hasRoom).to.equal(false);
    index.moveTo(4);
    await waiting;
    for (const position of [7, 8, 9]) backlog.add(push(position, 2));
    await backlog.untilThereIsRoom();
    expect(index.searchable).to.equal(4);
  });

  it("lets all that wait go on", async () => {
    const index = new Index();
    const backlog = new SearchBacklog(index.isSearchable, 1);
    backlog.add(push(1, 500));
    const waiting = [1, 2, 3].map(() => backlog.untilThereIsRoom());
    index.moveTo(1);
    await Promise.all(waiting);
  });

  it("takes pushes anyway where the index stands still", async () => {
    const backlog = new SearchBacklog(() => Promise.resolve(false), 1);
    backlog.add(push(1, 500));
    await backlog.untilThereIsRoom();
    await backlog.untilThereIsRoom();
  });
});
