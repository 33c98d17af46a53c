import { expect } from "chai";
import { areComplete, provenPerson, withUserInfo } from "../../../src/adapters/identityProvider/openIdProvider.js";

describe("the person of claims", () => {
  it("is of the email that the provider has verified, and not of one that only looks like it", () => {
    const proven = (email: string) => provenPerson({ email, email_verified: true }, null).email;
    expect(proven(" Ada@Example.com ")).to.equal("ada@example.com");
    for (const lookAlike of [
      ...["\uff41da@example.com", "a\u200bda@example.com", "ada@example\uff0ecom"],
      ...["ada@example.com\0", "ada@example.com,eve@example.com", "ada@eve@example.com", "Ada <ada@example.com>"],
    ])
      expect(() => proven(lookAlike), lookAlike).to.throw("does not vouch");
  });

  it("is whom one answer has verified: what another leaves out it does not vouch for", () => {
    const ofToken = { sub: "1", email: "eve@example.com", email_verified: true };
    expect(areComplete(ofToken, "roles")).to.equal(false);
    const both = withUserInfo(ofToken, { sub: "1", email: "ada@example.com", roles: ["auditor"] });
    expect(() => provenPerson(both, "roles")).to.throw("does not vouch");
    const onlyRoles = withUserInfo(ofToken, { sub: "1", roles: ["auditor"] });
    expect(provenPerson(onlyRoles, "roles")).to.deep.equal({ email: "eve@example.com", roles: ["auditor"] });
  });
});
