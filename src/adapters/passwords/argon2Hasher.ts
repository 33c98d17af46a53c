import type { Algorithm, Options } from "@node-rs/argon2";
import type { PasswordHasher } from "../../../commands/ports.js";
import { Slots } from "../../shared/waiting.js";

/** What a password costs to hash: KiB of memory, and passes over it. */
type HashCost = Required<Pick<Options, "memoryCost" | "timeCost">>;

/** What OWASP asks of argon2id with one lane. */
const owaspCost: HashCost = { memoryCost: 19_456, timeCost: 2 };
/** The package names the algorithms in a `const enum`, which a program of single files cannot read. */
const argon2id = 2 as Algorithm.Argon2id;
/** Each takes 19 MiB and one of the few threads that also read files, for some 20 ms. */
const atOnce = 2;

/**
 * Passwords as argon2id, with the salt and the parameters in the text: those of older hashes may differ from today's. A
 * few passwords are hashed at once; the others wait. The library is loaded with the first password.
 */
export class Argon2Hasher implements PasswordHasher {
  private readonly slots = new Slots(atOnce);
  /** The hash of a password that nobody has. */
  private decoy: Promise<string> | null = null;

  constructor(private readonly cost: HashCost = owaspCost) {}

  hash(password: string): Promise<string> {
    return this.slots.during(null, async () => {
      const { hash } = await import("@node-rs/argon2");
      return hash(password, { ...this.cost, parallelism: 1, algorithm: argon2id });
    });
  }

  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    // The first question makes the decoy whether or not its account is known, so that its time tells neither.
    const decoy = await (this.decoy ??= this.hash(crypto.randomUUID()));
    const isRight = await this.slots.during(null, async () => {
      const { verify } = await import("@node-rs/argon2");
      return verify(passwordHash ?? decoy, password);
    });
    return isRight && passwordHash !== null;
  }
}
