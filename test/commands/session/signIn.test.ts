import { expect } from "chai";
import type { Commands } from "../../../commands/commands.js";
import type { PasswordHasher } from "../../../commands/ports.js";
import type { RecordedEvent } from "../../../src/events/domainEvent.js";
import type { SessionStarted } from "../../../src/events/session.js";
import { hashSecret, parseCredential } from "../../../src/shared/credential.js";
import { toCredentialId, toEmail } from "../../../src/shared/ids.js";
import { alice, bob, operator } from "../../support/examples.js";
import { accepted, now, openTemporaryCommands, outcome, type CommandsUnderTest } from "../temporaryCommands.js";

const password = "unlikely tall green chairs";
const another = "seven boats under one roof";
const lifetimeMs = 12 * 3_600_000;
const asAlice = { ...operator, by: toCredentialId(alice) };

describe("signing in", () => {
  let under: CommandsUnderTest;
  let commands: Commands;
  /** What was verified: against which hash. */
  let verified: (string | null)[];
  /** Goes on while a password is held against its hash. */
  let meanwhile: () => Promise<unknown>;
  beforeEach(async () => {
    verified = [];
    meanwhile = () => Promise.resolve();
    const passwordHasher: PasswordHasher = {
      hash: async (text) => `hash of ${text}`,
      verify: async (hash, text) => {
        verified.push(hash);
        await meanwhile();
        return hash === `hash of ${text}`;
      },
    };
    under = await openTemporaryCommands({ passwordHasher, isEasyToGuess: async (text) => text === "easy".repeat(3) });
    commands = under.commands;
  });
  afterEach(() => under.close());

  const create = (email = alice, given: string | null = password) =>
    commands.createAccount({ email, roles: ["auditor"], origin: "operator", password: given }, operator);
  const signIn = (given = password, email = alice) =>
    commands.startSession({ method: "password", email, password: given, lifetimeMs }, asAlice);
  const started = async (): Promise<readonly SessionStarted["data"][]> =>
    (await under.recorded())
      .filter((recorded): recorded is RecordedEvent<SessionStarted> => recorded.event.type === "SessionStarted")
      .map(({ event }) => event.data);
  const newestOf = async (email: string): Promise<number> =>
    (await under.recorded()).findLast(({ stream }) => stream === `account-${email}`)?.revision ?? Number.NaN;

  describe("with a password", () => {
    it("starts a session, as of the account's newest event", async () => {
      await accepted(create());
      const { value, position } = await accepted(signIn());
      const expiresAt = new Date(now.getTime() + lifetimeMs).toISOString();
      expect(value).to.deep.include({ email: alice, roles: ["auditor"], expiresAt });
      const { id, secret, kind } = parseCredential(value.credential, "amber") ?? expect.fail();
      expect({ id, kind }).to.deep.equal({ id: value.id, kind: "session" });
      expect(await started()).to.deep.equal([
        {
          ...{ id, email: alice, secretSha256: hashSecret(secret), method: "password", expiresAt },
          accountRevision: await newestOf(alice),
        },
      ]);
      expect(position).to.equal((await under.recorded()).at(-1)?.position);
    });

    it("makes another id and secret each time", async () => {
      await accepted(create());
      const [one, other] = [await accepted(signIn()), await accepted(signIn())];
      expect(one.value.id).not.to.equal(other.value.id);
      expect(one.value.credential).not.to.equal(other.value.credential);
    });

    it("says and does the same for a wrong one, no account, no password, and one that is disabled", async () => {
      await accepted(create());
      expect(await outcome(signIn(another))).to.equal("SignInRefused");
      expect(await outcome(signIn(password, bob))).to.equal("SignInRefused");
      await accepted(create(bob, null));
      expect(await outcome(signIn(password, bob))).to.equal("SignInRefused");
      await accepted(commands.disableAccount({ email: alice }, operator));
      expect(await outcome(signIn())).to.equal("SignInRefused");
      expect(verified).to.deep.equal([`hash of ${password}`, null, null, null]);
      expect(await started()).to.deep.equal([]);
    });

    it("takes what is typed on another keyboard for the same", async () => {
      await accepted(create(alice, "cafe\u0301 au lait chaud"));
      await accepted(signIn("café au lait chaud"));
    });

    it("takes the newest one, and sees a disabling, at once, whoever wrote them", async () => {
      await accepted(create());
      await accepted(signIn());
      const elsewhere = await under.another();
      await accepted(elsewhere.disableAccount({ email: alice }, operator));
      expect(await outcome(signIn())).to.equal("SignInRefused");
    });

    it("does not outlive what happened while it was looked at", async () => {
      await accepted(create());
      meanwhile = () => accepted(commands.endSessions({ email: alice }, operator));
      await accepted(signIn());
      const [session] = await started();
      expect(session?.accountRevision).to.be.below(await newestOf(alice));
    });
  });

  describe("with a link", () => {
    it("sets the password first, and then counts", async () => {
      const { value } = await accepted(create(alice, null));
      const secret = value.link?.secret ?? "";
      await accepted(commands.startSession({ method: "link", email: alice, secret, password, lifetimeMs }, asAlice));
      expect((await started())[0]).to.deep.include({ method: "link", accountRevision: await newestOf(alice) });
      await accepted(signIn());
    });

    it("works once, and only the newest", async () => {
      const first = (await accepted(create(alice, null))).value.link?.secret ?? "";
      const second = (await accepted(commands.issueAccountLink({ email: alice }, operator))).value.secret;
      const set = (secret: string) =>
        outcome(commands.setPassword({ email: alice, password, proof: { kind: "link", secret } }, asAlice));
      expect([await set(first), await set(second), await set(second)]).to.deep.equal([
        "AccountLinkInvalid",
        "accepted",
        "AccountLinkInvalid",
      ]);
    });

    it("tells nothing of the password's rules to whoever has none", async () => {
      await accepted(create(alice, null));
      const proof = { kind: "link", secret: "made up" } as const;
      expect(await outcome(commands.setPassword({ email: alice, password: "short", proof }, asAlice))).to.equal(
        "AccountLinkInvalid",
      );
    });
  });

  it("with the present password sets another, which the old one is not", async () => {
    await accepted(create());
    const set = (current: string, wanted = another) =>
      commands.setPassword({ email: alice, password: wanted, proof: { kind: "current", password: current } }, asAlice);
    expect(await outcome(set(another))).to.equal("PasswordWrong");
    expect(await outcome(set(password, "easy".repeat(3)))).to.equal("PasswordRefused");
    await accepted(set(password));
    expect(await outcome(signIn())).to.equal("SignInRefused");
    await accepted(signIn(another));
  });

  describe("at an identity provider", () => {
    const enter = (roles: readonly ("administrator" | "developer")[] | null) =>
      commands.startSession({ method: "identityProvider", email: bob, roles, lifetimeMs }, operator);

    it("creates the account, without roles, and lets roles follow the claim from then on", async () => {
      expect((await accepted(enter(null))).value.roles).to.deep.equal([]);
      expect((await accepted(enter(["developer"]))).value.roles).to.deep.equal(["developer"]);
      expect((await accepted(enter(null))).value.roles).to.deep.equal(["developer"]);
      expect((await accepted(enter(["administrator"]))).value.roles).to.deep.equal(["administrator"]);
      expect((await started()).at(-1)?.accountRevision).to.equal(await newestOf(bob));
    });

    it("does not open a disabled account, nor one for nobody", async () => {
      await accepted(enter(null));
      await accepted(commands.disableAccount({ email: bob }, operator));
      expect(await outcome(enter(["developer"]))).to.equal("AccountIsDisabled");
      const nobody = { method: "identityProvider", email: toEmail(" "), roles: null, lifetimeMs } as const;
      expect(await outcome(commands.startSession(nobody, operator))).to.equal("EmailEmpty");
    });
  });

  it("needs an account with an email and a password that will do", async () => {
    expect(await outcome(create(toEmail(" ")))).to.equal("EmailEmpty");
    for (const name of ["operator", "x y@example.com", "@", `${"ﷺ".repeat(20)}@example.com`])
      expect(await outcome(create(toEmail(name))), name).to.equal("AccountEmailInvalid");
    expect(await outcome(create(alice, "short"))).to.equal("PasswordRefused");
    expect(await outcome(create(alice, "easy".repeat(3)))).to.equal("PasswordRefused");
    expect((await under.recorded()).length).to.equal(0);
    await accepted(create());
    expect(await outcome(create())).to.equal("AccountExists");
  });
});
