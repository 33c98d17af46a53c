import { expect } from "chai";
import { Argon2Hasher } from "../../../src/adapters/passwords/argon2Hasher.js";
import { isEasyToGuess } from "../../../src/adapters/passwords/isEasyToGuess.js";

const password = "unlikely tall green chairs";

describe("passwords as argon2id", () => {
  const hasher = new Argon2Hasher();

  it("are salted, with the parameters that OWASP asks for", async () => {
    const [one, other] = await Promise.all([hasher.hash(password), hasher.hash(password)]);
    expect(one).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.to.equal(other);
  });

  it("are right for their hash alone, and never for none", async () => {
    const hash = await hasher.hash(password);
    expect(await hasher.verify(hash, password)).to.equal(true);
    expect(await hasher.verify(hash, `${password}.`)).to.equal(false);
    expect(await hasher.verify(null, password)).to.equal(false);
  });

  it("take as much work without a hash as with one", async () => {
    const hash = await hasher.hash(password);
    const timeOf = async (passwordHash: string | null): Promise<number> => {
      const begun = process.cpuUsage();
      await hasher.verify(passwordHash, "another password");
      const { user, system } = process.cpuUsage(begun);
      return user + system;
    };
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let round = 0; round < 9; round++) {
      known.push(await timeOf(hash));
      unknown.push(await timeOf(null));
    }
    expect(median(unknown) / median(known)).to.be.within(0.5, 2);
  });
});

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;

describe("a password that is easy to guess", () => {
  const known = ["ada.lovelace@example.org", "ada", "lovelace", "adalovelace", "amber"];

  it("is a common one, a repetition, a row of keys or the person's own name", async () => {
    for (const easy of [
      "passwordpassword",
      "aaaaaaaaaaaa",
      "qwertyuiop12",
      "iloveyouforever",
      "adalovelace12",
      "amberamberamber",
    ])
      expect(await isEasyToGuess(easy, known), easy).to.equal(true);
  });

  it("is none of several words, or of random characters", async () => {
    for (const hard of [password, "kV7#pq!m2Zr9", "Fünf Boxkämpfer jagen Viktor"])
      expect(await isEasyToGuess(hard, known), hard).to.equal(false);
  });

  it("is told as such within a moment, whatever is sent", async () => {
    const begun = process.cpuUsage();
    for (const long of ["a1!".repeat(85), "@dm1n4dm1n".repeat(25), "2024-01-01".repeat(25)])
      await isEasyToGuess(long, known);
    const { user, system } = process.cpuUsage(begun);
    expect(user + system, "microseconds of processor time").to.be.below(5_000_000);
  });
});
