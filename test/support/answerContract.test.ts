import { expect } from "chai";
import { breachOf } from "./answerContract.js";

const headers = new Headers({ "content-type": "application/json; charset=utf-8", "x-request-id": "a" });
const page = { results: [], total: 0, total_relation: "eq", count: 10, start_page: 0 };
const search = (status: number, body: object, given = headers): string | null =>
  breachOf("GET", "/api/beta/search?query=a", { status, headers: given, body });

describe("the contract that answers keep in tests", () => {
  it("is the description of the API: statuses, headers, media types, and every property", () => {
    expect(search(200, page)).to.equal(null);
    expect(search(418, page)).to.match(/not described/);
    expect(search(200, page, new Headers({ "content-type": "application/json" }))).to.match(/X-Request-Id/);
    expect(search(200, page, new Headers({ "content-type": "text/plain", "x-request-id": "a" }))).to.match(
      /text\/plain/,
    );
    expect(search(200, { ...page, total: 0.5 })).to.match(/integer/);
    expect(search(200, { ...page, more: 1 })).to.match(/additional/);
    expect(search(401, { detail: "No." })).to.match(/WWW-Authenticate/);
  });

  it("asks nothing where no route is", () => {
    expect(breachOf("GET", "/nowhere", { status: 404, headers, body: null })).to.equal(null);
  });
});
