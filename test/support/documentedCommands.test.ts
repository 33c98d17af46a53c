import { expect } from "chai";
import { firstUnprinted } from "./documentedCommands.js";

const unprinted = (shown: readonly string[], printed: string): string | null =>
  firstUnprinted({ command: "", shown, printed });

describe("what a document shows of a command's output", () => {
  it("is all that is printed, where it shows anything", () => {
    expect(unprinted([], "anything\n")).to.equal(null);
    expect(unprinted(["one", "two"], "one\ntwo\n")).to.equal(null);
    expect(unprinted(["one", "2"], "one\ntwo\n")).to.equal("2");
    expect(unprinted(["one"], "one\ntwo\n")).to.equal("nothing but what is shown, not two");
    expect(unprinted(["one", "two"], "one\n")).to.equal("two");
  });

  it("may leave parts of lines and whole lines open, and the width of columns", () => {
    expect(unprinted(["at … by …, ok"], "at 10:00 by ada, ok\n")).to.equal(null);
    expect(unprinted(["NAME   SINCE", "…", "ben    now"], "NAME  SINCE\nada   long\ncleo  now\nben   now\n")).to.equal(
      null,
    );
    expect(unprinted(["…", "ben"], "ada\n")).to.equal("ben");
    expect(unprinted(["ada", "…"], "ada\nben\n")).to.equal(null);
  });
});
