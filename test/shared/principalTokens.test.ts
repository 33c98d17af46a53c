import { createHash } from "node:crypto";
import { expect } from "chai";
import * as fc from "fast-check";
import { toDatasourceId, toEmail } from "../../src/shared/ids.js";
import { PrincipalTokens } from "../../src/shared/principalTokens.js";
import { propertyRuns } from "../support/propertyRuns.js";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const datasourceId = toDatasourceId("datasource1");

describe("principal tokens", () => {
  it("are the first 64 bits of a SHA-256, as 11 base62 digits", () => {
    const property = fc.property(fc.string(), fc.string(), (namespace, name) => {
      const digest = createHash("sha256")
        .update(JSON.stringify([namespace, datasourceId, "group", name]))
        .digest();
      const token = new PrincipalTokens(namespace).group(datasourceId, name);
      expect(token).to.match(/^[0-9A-Za-z]{11}$/);
      expect([...token].reduce((value, digit) => value * 62n + BigInt(digits.indexOf(digit)), 0n)).to.equal(
        digest.readBigUInt64BE(0),
      );
    });
    fc.assert(property, propertyRuns(500));
  });

  it("tell namespaces, incarnations, kinds and values apart", () => {
    const tokens = new PrincipalTokens("tenant");
    const other = toDatasourceId("datasource2");
    const all = [
      tokens.anonymous(datasourceId),
      tokens.anonymous(other),
      tokens.user(datasourceId, toEmail("")),
      tokens.group(datasourceId, ""),
      tokens.group(datasourceId, "a"),
      tokens.user(datasourceId, toEmail("a")),
      new PrincipalTokens("tenant2").group(datasourceId, "a"),
    ];
    expect(new Set(all).size).to.equal(all.length);
  });
});
