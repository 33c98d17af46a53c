import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, sign, type KeyObject } from "node:crypto";
import { link, readFile, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import type { ExportSigner } from "../../audit/ports/export.js";
import { writeDurably, makePrivateFolder } from "../files/privateFolder.js";

/** A key in a file. */
interface SigningKey {
  /**
   * Reads the key, or makes one that only its owner may read where there is no such file. Rejects with a sentence that
   * names the file.
   */
  signer(): Promise<ExportSigner>;
  /**
   * The public half (SubjectPublicKeyInfo, DER) of a key that was made; null where none was. Rejects as `signer` does.
   */
  publicKey(): Promise<Buffer | null>;
}

/**
 * The Ed25519 key of a PEM file (PKCS #8). Several processes may share it: if they make it at the same time, one of
 * them does.
 */
export function openSigningKey({ file }: { readonly file: string }): SigningKey {
  return {
    signer: async () => signerOf((await read(file)) ?? (await make(file))),
    publicKey: async () => {
      const key = await read(file);
      return key === null ? null : publicKeyOf(key);
    },
  };
}

const publicKeyOf = (key: KeyObject): Buffer => createPublicKey(key).export({ type: "spki", format: "der" });

const signerOf = (key: KeyObject): ExportSigner => ({
  publicKey: publicKeyOf(key),
  sign: (bytes) => sign(null, bytes, key),
});

/** null where there is no such file. */
async function read(file: string): Promise<KeyObject | null> {
  const pem = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw refused(file, `cannot be read: ${error.message}`, error);
  });
  if (pem === null) return null;
  const key = parse(file, pem);
  if (key.asymmetricKeyType !== "ed25519")
    throw refused(file, `holds a key of the kind ${key.asymmetricKeyType}, not Ed25519`);
  return key;
}

function parse(file: string, pem: Buffer): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw refused(file, "holds no private key in PEM", error);
  }
}

/** The key is written under another name first, so a process that finds the file finds all of it. */
async function make(file: string): Promise<KeyObject> {
  const pem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" });
  const draft = `${file}.${randomUUID()}`;
  try {
    makePrivateFolder(dirname(file));
    await writeDurably(draft, pem);
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } catch (error) {
    throw refused(file, `cannot be made: ${(error as Error).message}`, error);
  } finally {
    await unlink(draft).catch(() => undefined);
  }
  const made = await read(file);
  if (made === null) throw refused(file, "was removed as soon as it was made");
  return made;
}

const refused = (file: string, why: string, cause?: unknown): Error =>
  new Error(`The key that signs exports, ${file}, ${why}.`, { cause });
