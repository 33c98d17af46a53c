import { expect } from "chai";
import { hashSecret, parseCredential } from "../../../src/shared/credential.js";
import { operator } from "../../support/examples.js";
import { accepted, now, openTemporaryCommands, type CommandsUnderTest } from "../temporaryCommands.js";

describe("the rotation of a service account", () => {
  let under: CommandsUnderTest;
  beforeEach(async () => {
    under = await openTemporaryCommands();
  });
  afterEach(() => under.close());

  it("answers with a new secret under the old id, and says when the old one ends", async () => {
    const { commands } = under;
    const asked = { name: "crawler", datasources: null, expiresAt: null };
    const { value: created } = await accepted(commands.createServiceAccount(asked, operator));
    const { value: rotated } = await accepted(
      commands.rotateServiceAccount({ id: created.id, overlapMs: 60_000 }, operator),
    );
    expect(rotated.credential).not.to.equal(created.credential);
    const { id, secret } = parseCredential(rotated.credential, "amber") ?? expect.fail();
    expect(id).to.equal(created.id);
    const previousEndsAt = new Date(now.getTime() + 60_000).toISOString();
    expect(rotated.previousEndsAt).to.equal(previousEndsAt);
    expect((await under.recorded()).at(-1)?.event).to.deep.equal({
      type: "ServiceAccountRotated",
      data: { id, secretSha256: hashSecret(secret), previousEndsAt },
    });
  });
});
