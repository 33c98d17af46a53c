import { EventEmitter } from "node:events";
import { expect } from "chai";
import { clientGone, type ApiContext } from "../../src/http/apiContext.js";

describe("what tells that a client is gone", () => {
  it("aborts when the connection closes, and at once where it has closed before", () => {
    const res = Object.assign(new EventEmitter(), { closed: false });
    const signal = clientGone({ res } as unknown as ApiContext);
    expect(signal.aborted).to.equal(false);
    res.emit("close");
    expect(signal.aborted).to.equal(true);
    expect(clientGone({ res: Object.assign(res, { closed: true }) } as unknown as ApiContext).aborted).to.equal(true);
  });
});
