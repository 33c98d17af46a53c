import { expect } from "chai";
import { ok } from "../../src/shared/result.js";
import { startAppWithFakes, type AppUnderTest } from "./appWithFakes.js";
import { RawConnection } from "./rawConnection.js";

/** More than all requests that may be under way. */
const many = 1_050;

const silentHead = (path: string, token: string | null, length: number): string =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: search",
    ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
    "Content-Type: application/json",
    `Content-Length: ${length}`,
    "\r\n",
  ].join("\r\n");

const until = async (condition: () => boolean, { url }: AppUnderTest): Promise<void> => {
  while (!condition()) await fetch(`${url}/health/live`);
};

describe("requests whose bodies do not come", () => {
  let app: AppUnderTest;
  let authenticated = 0;
  const open: RawConnection[] = [];
  beforeEach(async () => {
    authenticated = 0;
    app = await startAppWithFakes({
      onAuthenticate: () => authenticated++,
      commands: { registerUser: () => Promise.resolve(ok({ value: null, position: null })) as never },
    });
  });
  afterEach(async () => {
    for (const connection of open.splice(0)) connection.destroy();
    await app.stop();
  });

  const connect = async (text: string, count: number): Promise<void> => {
    const connections = await Promise.all(Array.from({ length: count }, () => RawConnection.open(app.url)));
    open.push(...connections);
    await Promise.all(connections.map((connection) => connection.send(text)));
  };
  const register = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ datasource: "wiki", user: { email: "ada@example.org" } });
    return (await fetch(`${app.url}/api/indexing/users`, { method: "POST", headers, body })).status;
  };

  it("hold up nobody, where they bring no credential", async () => {
    await connect(silentHead("/api/session", null, 10_000), many);
    for (const token of ["account", "limited"]) expect(await register(token)).to.equal(200);
    expect((await fetch(`${app.url}/health/ready`)).status).to.equal(200);
    expect((await fetch(`${app.url}/api/session/options`)).status).to.equal(200);
  });

  it("hold up nobody but their own credential", async () => {
    await connect(silentHead("/api/indexing/users", "account", 1_000_000), many);
    await until(() => authenticated === many, app);
    expect(await register("limited")).to.equal(200);
    expect(await register("account")).to.equal(503);
  });

  it("are 408 on open routes after two seconds, and the connection ends", async () => {
    const connection = await RawConnection.open(app.url);
    await connection.send(silentHead("/api/session", null, 100));
    expect(await connection.untilClosed())
      .to.match(/^HTTP\/1.1 408 [^]*"detail":"The body has to come within 2 seconds\./)
      .and.match(/connection: close/i);
  });
});

describe("requests under way", () => {
  it("are half of all for one credential, and the others have room; probes are always answered", async () => {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    let asked = 0;
    const app = await startAppWithFakes({
      queries: {
        listDatasources: async () => {
          asked++;
          await finished;
          return ok([]);
        },
      },
    });
    const ask = (token: string): Promise<number> =>
      fetch(`${app.url}/api/indexing/datasources`, { headers: { authorization: `Bearer ${token}` } }).then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        },
      );
    const first = Array.from({ length: 500 }, () => ask("account"));
    await until(() => asked === 500, app);
    expect(await ask("account")).to.equal(503);
    const second = Array.from({ length: 250 }, () => ask("limited"));
    await until(() => asked === 750, app);
    expect(await ask("limited")).to.equal(503);
    expect((await fetch(`${app.url}/health/ready`)).status).to.equal(200);
    finish();
    expect(new Set(await Promise.all([...first, ...second]))).to.deep.equal(new Set([200]));
    expect(await ask("account")).to.equal(200);
    await app.stop();
  });
});

describe("what comes without a credential and does not get in", () => {
  it("counts as a sign-in that failed, and is not read any more after a hundred", async () => {
    const app = await startAppWithFakes();
    const send = async (body: string): Promise<number> => {
      const headers = { "content-type": "application/json" };
      return (await fetch(`${app.url}/api/session`, { method: "POST", headers, body })).status;
    };
    const kinds = ["{", "{}", `{"email":[${"[],".repeat(300)}[]]}`, JSON.stringify({ email: "a".repeat(16_384) })];
    const statuses = new Set<number>();
    for (let times = 0; times < 25; times++) for (const body of kinds) statuses.add(await send(body));
    expect([...statuses]).to.have.members([422, 413]);
    for (const body of kinds) expect(await send(body)).to.equal(429);
    await app.stop();
  });
});
