import { expect } from "chai";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { RawConnection } from "../http/rawConnection.js";
import { ApiClient } from "../support/apiClient.js";
import { ServerProcess } from "../support/serverProcess.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

/** Makes the main thread run without end, and makes it stand still for a while without taking CPU time. */
const faults = `
process.on("SIGUSR2", () => { for (;;); });
process.on("SIGWINCH", () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000));
`;

describe("the watchdog", () => {
  const folder = temporaryFolder("watchdog");
  after(() => folder.remove());

  const start = async (format: string): Promise<ServerProcess> => {
    const module = join(folder.path, "faults.mjs");
    writeFileSync(module, faults);
    return ServerProcess.start(join(folder.path, "data"), {
      ...{ WATCHDOG_SECONDS: "1", LOG_FORMAT: format, LOG_LEVEL: "warn" },
      NODE_OPTIONS: `--import=${pathToFileURL(module).href}`,
    });
  };
  const endsIn = async ({ url }: ServerProcess): Promise<string | undefined> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return /^enterprise_search_watchdog_ends_total (\d+)$/m.exec(text)?.[1];
  };

  it("ends a process whose main thread stands still, and says in which request; the next one counts it", async () => {
    const server = await start("json");
    expect(await endsIn(server)).to.equal("0");
    const connection = await RawConnection.open(server.url);
    await connection.send(
      "POST /api/session HTTP/1.1\r\nHost: x\r\nX-Request-Id: stands-still\r\nContent-Type: application/json\r\nContent-Length: 99\r\nExpect: 100-continue\r\n\r\n",
    );
    await connection.until(/^HTTP\/1\.1 100 /);
    server.signal("SIGUSR2");
    expect(await server.ended()).to.equal("SIGKILL");
    const line =
      server
        .errors()
        .split("\n")
        .find((text) => text.includes('"fatal"')) ?? "";
    const told = JSON.parse(line) as { readonly cpuSeconds: number; readonly requests: readonly object[] };
    expect(told.requests).to.deep.equal([{ method: "POST", route: "/api/session", requestId: "stands-still" }]);
    expect(told.cpuSeconds).to.be.at.least(1);

    const next = await start("pretty");
    await next.logged(/WARN .*watchdog has ended a process.* ends=1/);
    expect(await endsIn(next)).to.equal("1");
    next.signal("SIGUSR2");
    expect(await next.ended()).to.equal("SIGKILL");
    expect(next.errors()).to.match(/FATAL The main thread stands still/);
  });

  it("ends none that stands still because it gets no processor", async () => {
    const server = await start("json");
    server.signal("SIGWINCH");
    // Answered once the main thread goes on.
    expect((await new ApiClient(server.url, null).get("/health/live")).status).to.equal(200);
    expect(server.errors()).not.to.include("fatal");
    expect(await server.terminate()).to.equal(0);
  });
});
