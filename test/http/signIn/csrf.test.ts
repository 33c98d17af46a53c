import { expect } from "chai";
import { csrfToken, isCsrfToken } from "../../../src/http/signIn/sessionCookie.js";

describe("the token of a session's pages", () => {
  it("follows from the session's secret, tells nothing of it, and is no other session's", () => {
    const token = csrfToken("a secret");
    expect(token).to.match(/^[\w-]{43}$/);
    expect(isCsrfToken(token, "a secret")).to.equal(true);
    for (const other of [csrfToken("another"), "a secret", `${token}x`, "", undefined])
      expect(isCsrfToken(other, "a secret"), String(other)).to.equal(false);
  });
});
