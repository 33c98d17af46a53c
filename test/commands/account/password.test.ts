import { expect } from "chai";
import { passwordFault } from "../../../commands/account/account.js";
import { toEmail } from "../../../src/shared/ids.js";

const email = toEmail("ada.lovelace@example.org");

describe("a password", () => {
  const asked: { readonly password: string; readonly known: readonly string[] }[] = [];
  let isEasy = false;
  beforeEach(() => {
    asked.length = 0;
    isEasy = false;
  });
  const faultOf = (password: string) =>
    passwordFault(
      {
        productName: "amber",
        isEasyToGuess: async (judged, known) => {
          asked.push({ password: judged, known });
          return isEasy;
        },
      },
      password,
      email,
    );

  it("has 12 to 256 characters, as people count them", async () => {
    expect(await faultOf("x".repeat(11))).to.match(/^The password has 11 of at least 12 characters\./);
    expect(await faultOf("x".repeat(12))).to.equal(null);
    expect(await faultOf("😀".repeat(11))).to.match(/has 11 of/);
    expect(await faultOf("😀".repeat(12))).to.equal(null);
    expect(await faultOf("é".repeat(11))).to.match(/has 11 of/);
    expect(await faultOf("x".repeat(256))).to.equal(null);
    expect(await faultOf("x".repeat(257))).to.match(/has 257 characters, and 256 are taken at most\./);
  });

  it("that is of no use is not judged any further", async () => {
    await faultOf("short");
    await faultOf("x".repeat(100_000));
    expect(asked).to.deep.equal([]);
  });

  it("is judged as it is hashed, by somebody who knows the email and the product", async () => {
    expect(await faultOf("cafe\u0301 au lait chaud")).to.equal(null);
    const known = ["ada.lovelace@example.org", "ada", "lovelace", "example", "org", "adalovelace", "amber"];
    expect(asked).to.deep.equal([{ password: "café au lait chaud", known }]);
  });

  it("that is easy to guess is refused with a sentence that says what to do", async () => {
    isEasy = true;
    expect(await faultOf("passwordpassword")).to.match(/easy to guess.*Take four or five words/);
  });
});
