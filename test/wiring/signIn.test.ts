import { rm } from "node:fs/promises";
import { expect } from "chai";
import { pino } from "pino";
import type { Commands } from "../../commands/commands.js";
import { toCredentialId, toEmail } from "../../src/shared/ids.js";
import { recordUse } from "../../src/wiring/signIn.js";
import { openWriteSide } from "../../src/wiring/writeSide.js";
import { newDataDir } from "../support/startService.js";
import { testConfig } from "../support/testConfig.js";

const by = { by: "operator", correlationId: "test", allowedDatasources: null } as const;
const logger = pino({ level: "silent" });
const use = { usedAt: "2999-01-12T09:00:00.000Z", everyMs: 60_000 };

describe("uses of credentials", () => {
  it("are written down for each kind of credential, and not again a moment later", async () => {
    const dataDir = newDataDir();
    const { commands, source, close } = await openWriteSide(testConfig({ DATA_DIR: dataDir }));
    const email = toEmail("ada@example.com");
    const password = "five words that only Ada knows";
    const valueOf = <Value>(result: { readonly ok: boolean; readonly value?: { readonly value: Value } }): Value => {
      if (result.value === undefined) throw new Error("There is nothing to use.");
      return result.value.value;
    };
    try {
      valueOf(await commands.createAccount({ email, roles: [], origin: "operator", password }, by));
      const ids = {
        serviceAccount: valueOf(
          await commands.createServiceAccount({ name: "sync", datasources: null, expiresAt: null }, by),
        ).id,
        apiKey: valueOf(await commands.createApiKey({ email, expiresAt: null, roles: [] }, by)).id,
        session: valueOf(await commands.startSession({ email, method: "password", password, lifetimeMs: 60_000 }, by))
          .id,
      };
      for (const kind of ["serviceAccount", "apiKey", "session"] as const) {
        const before = await source.head();
        await recordUse({ kind, id: ids[kind], ...use }, commands, logger);
        const after = await source.head();
        expect(after > before, kind).to.equal(true);
        await recordUse({ kind, id: ids[kind], ...use }, commands, logger);
        expect(await source.head(), kind).to.equal(after);
      }
    } finally {
      await close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it("that cannot be written down disturb nobody", async () => {
    const commands = { noteApiKeyUsed: () => Promise.reject(new Error("The log is away.")) };
    await recordUse({ kind: "apiKey", id: toCredentialId("k1"), ...use }, commands as unknown as Commands, logger);
  });
});
