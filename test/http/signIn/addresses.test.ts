import { expect } from "chai";
import { isLocalPath, welcomeLink } from "../../../src/http/publicAddresses.js";

describe("addresses of signing in", () => {
  it("lead back to paths of this service alone", () => {
    for (const path of ["/", "/search?query=a%20b&x=1", "/access/a//b"]) expect(isLocalPath(path), path).to.equal(true);
    for (const path of [
      "",
      "search",
      "//evil.example",
      "/\\evil.example",
      "https://evil.example",
      "/a\\b",
      "/a\nb",
      "/ä",
    ])
      expect(isLocalPath(path), path).to.equal(false);
  });

  it("carry what is secret where no server is sent it", () => {
    const link = new URL(welcomeLink("https://search.example.com", { email: "a+b@example.com", secret: "x" }));
    expect([link.pathname, link.search]).to.deep.equal(["/welcome", ""]);
    expect(Object.fromEntries(new URLSearchParams(link.hash.slice(1)))).to.deep.equal({
      email: "a+b@example.com",
      secret: "x",
    });
  });
});
