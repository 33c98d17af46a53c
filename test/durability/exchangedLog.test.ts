import { copyFileSync, renameSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import { newDataDir, startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

describe("a log whose file is exchanged below a running service", () => {
  const folder = newDataDir();
  const log = join(folder, "log.sqlite");
  let service: ServiceUnderTest;
  before(async () => {
    service = await startServiceUnderTest({ DATA_DIR: folder });
  });
  after(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const statusOf = async (): Promise<unknown> => {
    const answer = await fetch(`${service.url}/health/ready`);
    return ((await answer.json()) as { status: unknown }).status;
  };
  const register = (name: string) => service.indexing.post("/api/indexing/datasources", { name });

  it("answers nobody and takes nothing until it is started again, and then goes by the other file", async () => {
    await register("kept");
    const backup = join(folder, "backup");
    const open = new Database(log, { readonly: true });
    await open.backup(backup);
    open.close();
    await register("lost");
    const person = await service.person("ada@example.org");

    copyFileSync(backup, `${log}.restored`);
    for (const end of ["-wal", "-shm"]) rmSync(`${log}${end}`, { force: true });
    renameSync(`${log}.restored`, log);
    expect(await statusOf()).to.equal("log_exchanged");
    for (const [credential, path] of [
      [service.indexing.credential, "/api/indexing/file-types"],
      [person.credential, "/api/beta/search?query=a"],
    ]) {
      const answer = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${credential}` } });
      expect(answer.status, path ?? "").to.equal(503);
      expect(await answer.text()).to.contain("exchanged");
    }
    expect((await register("refused")).status).to.equal(503);

    await service.stop();
    service = await startServiceUnderTest({ DATA_DIR: folder });
    await service.ready;
    expect(await statusOf()).to.equal("ready");
    expect((await register("kept")).status, "what the backup holds").to.equal(409);
    for (const name of ["lost", "refused"]) expect((await register(name)).status, name).to.equal(200);
  });
});
