import { expect } from "chai";
import * as fc from "fast-check";
import { formatCredential, hashSecret, mintCredential, parseCredential } from "../../src/shared/credential.js";
import { propertyRuns } from "../support/propertyRuns.js";

const kinds = ["serviceAccount", "apiKey"] as const;

describe("a credential", () => {
  it("reads as it was written, whatever the product is called", () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/), (kind, productName) => {
        const credential = mintCredential(kind);
        expect(parseCredential(formatCredential(credential, productName), productName)).to.deep.equal(credential);
      }),
      propertyRuns(100),
    );
  });

  it("says by its prefix what it is for", () => {
    expect(formatCredential(mintCredential("serviceAccount"), "amber")).to.match(
      /^amber_sa_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/,
    );
    expect(formatCredential(mintCredential("apiKey"), "amber")).to.match(/^amber_key_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/);
  });

  it("is never minted twice", () => {
    const minted = Array.from({ length: 2_000 }, () => mintCredential("apiKey"));
    expect(new Set(minted.map(({ id }) => id)).size).to.equal(2_000);
    expect(new Set(minted.map(({ secret }) => secret)).size).to.equal(2_000);
  });

  it("is refused where anything about it is not ours", () => {
    const text = formatCredential(mintCredential("apiKey"), "amber");
    const strangers = [
      "",
      "amber",
      "amber_key_",
      "amber_key_a",
      "amber_key_a_",
      "amber_key__b",
      "amber_xy_a_b",
      "amber_key_a_b_c",
      "amber_key_a_b!",
    ];
    expect(strangers.map((stranger) => parseCredential(stranger, "amber"))).to.deep.equal(strangers.map(() => null));
    for (const changed of [` ${text}`, `${text} `, `${text}\n`, text.toUpperCase(), text.replace("_key_", "-key-")]) {
      expect(parseCredential(changed, "amber")).to.equal(null);
    }
    expect(parseCredential(text, "other")).to.equal(null);
    expect(parseCredential(text, "amb")).to.equal(null);
  });

  it("never makes reading fail", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(parseCredential(`amber_key_${text}`, "amber")?.secret ?? text).to.be.a("string");
      }),
      propertyRuns(300),
    );
  });

  it("is kept as the SHA-256 of its secret", () => {
    expect(hashSecret("abc")).to.equal("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});
