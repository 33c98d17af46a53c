import { expect } from "chai";
import { SignInLimits } from "../../../src/http/signIn/signInLimits.js";
import { toEmail } from "../../../src/shared/ids.js";

const ada = toEmail("ada@example.com");
const person = (number: number) => toEmail(`person${number}@example.com`);
const quarterHourMs = 15 * 60_000;

describe("limits of sign-ins", () => {
  let now: number;
  let limits: SignInLimits;
  beforeEach(() => {
    now = 1_000;
    limits = new SignInLimits(() => now);
  });

  /** How many of so many attempts may be made; none of them says that it succeeded. */
  const allowed = (count: number, email: (number: number) => typeof ada, address: (number: number) => string): number =>
    Array.from({ length: count }, (_, number) => limits.begin(email(number), address(number))).filter(
      (attempt) => typeof attempt === "object",
    ).length;

  it("let an account fail ten times in a quarter of an hour from one address, and keep nobody out elsewhere", () => {
    const here = (): string => "10.0.0.1";
    expect(allowed(12, () => ada, here)).to.equal(10);
    expect(limits.begin(ada, "10.0.0.1")).to.equal(900);
    expect(limits.begin(ada, "10.0.1.1")).to.be.an("object");
    expect(limits.begin(person(1), "10.0.0.1")).to.be.an("object");
    now += quarterHourMs - 1_500;
    expect(limits.begin(ada, "10.0.0.1")).to.equal(2);
    now += 1_500;
    expect(limits.begin(ada, "10.0.0.1")).to.be.an("object");
  });

  it("let an account fail a hundred times, from wherever", () => {
    const anywhere = (number: number): string => `10.0.${number}.1`;
    expect(allowed(120, () => ada, anywhere)).to.equal(100);
    expect(limits.begin(ada, "10.1.1.1")).to.equal(900);
  });

  it("let an address fail a hundred times, with whatever account", () => {
    expect(allowed(120, person, () => "10.0.0.1")).to.equal(100);
    expect(limits.begin(ada, "::ffff:10.0.0.1")).to.equal(900);
    expect(limits.begin(ada, "10.0.0.2")).to.be.an("object");
  });

  it("take the addresses that one customer of a provider has for one", () => {
    expect(allowed(120, person, (number) => `2001:db8::${number.toString(16)}`)).to.equal(100);
    expect(limits.begin(ada, "2001:db8:0:0:ffff::1%eth0")).to.be.a("number");
    expect(limits.begin(ada, "2001:db8:0:1::1")).to.be.an("object");
  });

  it("forget what an account failed once it succeeds, and of the address that attempt alone", () => {
    for (let round = 0; round < 10; round++) {
      expect(
        allowed(
          9,
          () => ada,
          () => "10.0.0.1",
        ),
      ).to.equal(9);
      const attempt = limits.begin(ada, "10.0.0.1");
      if (typeof attempt === "number") throw new Error("It is not to wait.");
      attempt.succeeded();
    }
    expect(allowed(20, person, () => "10.0.0.1")).to.equal(10);
  });

  it("count a browser that an account knows by itself", () => {
    allowed(
      12,
      () => ada,
      () => "10.0.0.1",
    );
    const tried = Array.from({ length: 12 }, () => limits.beginKnown("mark"));
    expect(tried.filter((attempt) => typeof attempt === "object").length).to.equal(10);
    expect(limits.beginKnown("mark")).to.equal(900);
    expect(limits.beginKnown("another mark")).to.be.an("object");
  });

  it("remember so many accounts and no more", () => {
    allowed(
      10,
      () => ada,
      () => "10.0.0.1",
    );
    expect(limits.begin(ada, "10.0.0.1")).to.equal(900);
    allowed(20_000, person, (number) => `10.1.${number >> 8}.${number & 255}`);
    expect(limits.begin(ada, "10.0.0.1")).to.be.an("object");
  });
});
