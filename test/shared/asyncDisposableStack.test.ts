import { expect } from "chai";
import { disposeOnFailure } from "../../src/shared/asyncDisposableStack.js";

describe("what is opened in order", () => {
  it("is released in reverse and once, and stays open until then", async () => {
    const released: string[] = [];
    const opened = await disposeOnFailure(async (parts) => {
      for (const part of ["log", "feed"]) expect(parts.adopt(part, (one) => released.push(one))).to.equal(part);
      return parts;
    });
    expect(released).to.deep.equal([]);
    await opened.disposeAsync();
    await opened.disposeAsync();
    expect(released).to.deep.equal(["feed", "log"]);
  });

  it("is released where the next part cannot be opened, which is what its caller hears of", async () => {
    const released: string[] = [];
    const opening = disposeOnFailure(async (parts) => {
      parts.adopt("log", async (one) => released.push(one));
      throw new Error("The port is taken.");
    });
    const message = await opening.catch((error: Error) => error.message);
    expect({ message, released }).to.deep.equal({ message: "The port is taken.", released: ["log"] });
  });
});
