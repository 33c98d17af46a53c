import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { openSigningKey } from "../../../src/adapters/signing/openSigningKey.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";

describe("the key that signs exports", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (folder = temporaryFolder("signing-key")));
  afterEach(() => folder.remove());
  const fileIn = (name = "key.pem"): string => join(folder.path, name);

  const refusal = async (file: string): Promise<string> =>
    openSigningKey({ file })
      .signer()
      .then(
        () => "",
        (error: Error) => error.message,
      );

  it("is made at its first use, for its owner alone, and stays the same", async () => {
    const file = join(folder.path, "made/too/key.pem");
    const key = openSigningKey({ file });
    expect(await key.publicKey()).to.equal(null);
    const { publicKey, sign } = await key.signer();
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect(await openSigningKey({ file }).publicKey()).to.deep.equal(publicKey);
    const bytes = Buffer.from("a head");
    expect(verify(null, bytes, createPublicKey({ key: publicKey, format: "der", type: "spki" }), sign(bytes))).to.equal(
      true,
    );
  });

  it("is one, however many make it at once, and nothing else is left behind", async () => {
    const signers = await Promise.all(Array.from({ length: 20 }, () => openSigningKey({ file: fileIn() }).signer()));
    expect(new Set(signers.map(({ publicKey }) => publicKey.toString("hex"))).size).to.equal(1);
    expect(await readdir(folder.path)).to.deep.equal(["key.pem"]);
  });

  it("is refused, by its file's name, where it is none", async () => {
    await writeFile(fileIn(), "not a key");
    expect(await refusal(fileIn())).to.equal(`The key that signs exports, ${fileIn()}, holds no private key in PEM.`);
    await writeFile(
      fileIn(),
      generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }),
    );
    expect(await refusal(fileIn())).to.equal(
      `The key that signs exports, ${fileIn()}, holds a key of the kind ec, not Ed25519.`,
    );
    expect(await refusal(join(fileIn(), "below-a-file"))).to.match(/cannot be (read|made): /);
  });
});
