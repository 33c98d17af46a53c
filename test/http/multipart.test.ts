import { Writable } from "node:stream";
import { expect } from "chai";
import Koa from "koa";
import { koaBody } from "koa-body";
import { pino } from "pino";
import type { ApiContext, ApiMiddleware } from "../../src/http/apiContext.js";
import { askForBody, declaredLength } from "../../src/http/body/acceptBody.js";
import { answerHeaders, nameRequest, unreadBody, errors } from "../../src/http/edge.js";
import { RateLimits, RequestShares } from "../../src/http/limits.js";
import { refusal } from "../../src/http/envelopes.js";
import { RefusedRequest } from "../../src/http/refusedRequest.js";
import type { Route } from "../../src/http/route.js";
import { createRouter } from "../../src/http/router.js";
import { startServer, type RunningServer } from "../../src/http/server.js";
import { RawConnection } from "./rawConnection.js";

const limits = { maxBytes: 10_000 };

const tooLarge = (): RefusedRequest =>
  new RefusedRequest(refusal(413, `The body may have at most ${limits.maxBytes} bytes.`));

/** What has been read of files, by the middleware that a route for uploads needs. */
let read: Buffer[] = [];

const accept: ApiMiddleware = (context, next) => {
  if ((declaredLength(context.req) ?? 0) > limits.maxBytes) throw tooLarge();
  askForBody(context);
  return next();
};

const readParts = koaBody({
  ...{ json: false, urlencoded: false, text: false, multipart: true },
  formidable: {
    maxTotalFileSize: limits.maxBytes,
    fileWriteStreamHandler: () =>
      new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          read.push(chunk);
          done();
        },
      }),
  },
  onError: (error) => {
    throw (error as { readonly httpCode?: number }).httpCode === 413 ? tooLarge() : error;
  },
}) as ApiMiddleware;
const keepFields: ApiMiddleware = (context, next) => {
  context.state.body = context.request.body;
  return next();
};

const upload: Route = {
  ...{ method: "POST", path: "/upload", access: "serviceAccount" },
  body: {
    message: {} as never,
    mostBytes: limits.maxBytes,
    read: [accept, readParts, keepFields],
    check: () => {
      throw new Error("Nobody is expected to try an upload.");
    },
  },
  handle(context: ApiContext, { body }) {
    context.body = { fields: body, file: Buffer.concat(read).toString() };
  },
};

const crlf = "\r\n";
const part = (disposition: string, content: string): string =>
  `--edge${crlf}Content-Disposition: form-data; ${disposition}${crlf}${crlf}${content}${crlf}`;
const bodyOf = (content: string): string =>
  `${part('name="title"', "The plan")}${part(`name="file"; filename="plan.txt"${crlf}Content-Type: text/plain`, content)}--edge--${crlf}`;
const headOf = (lines: readonly string[]): string =>
  ["POST /upload HTTP/1.1", "Host: x", "Content-Type: multipart/form-data; boundary=edge", ...lines, "", ""].join(crlf);
const allowed = "Authorization: Bearer account";
const expecting = "Expect: 100-continue";

describe("a route that takes uploads", () => {
  let server: RunningServer;
  before(async () => {
    const app = new Koa();
    app.context["services"] = {
      rateLimits: new RateLimits(null),
      shares: new RequestShares(limits.maxBytes),
      lastUses: { note: () => undefined },
      isLogExchanged: () => false,
      queries: {
        authenticate: ({ credential }: { readonly credential: string }) =>
          Promise.resolve(credential === "account" ? { kind: "serviceAccount", roles: [] } : null),
      },
    };
    for (const use of [
      nameRequest,
      answerHeaders,
      unreadBody,
      errors(pino({ level: "silent" })),
      createRouter([upload]),
    ])
      app.use(use as unknown as Koa.Middleware);
    server = await startServer(app, { host: "127.0.0.1", port: 0 });
  });
  after(() => server.stop());
  beforeEach(() => (read = []));

  it("asks for the body once it knows who calls, and reads fields and files", async () => {
    const connection = await RawConnection.open(server.url);
    const body = bodyOf("Ship it.");
    await connection.send(headOf([allowed, expecting, `Content-Length: ${body.length}`]));
    await connection.until(/^HTTP\/1\.1 100 /);
    await connection.send(body);
    expect(await connection.until(/\}$/)).to.match(
      /HTTP\/1\.1 200 [^]*\{"fields":\{"title":"The plan"\},"file":"Ship it\."\}$/,
    );
    connection.destroy();
  });

  it("neither asks for nor reads the body of somebody unknown", async () => {
    const connection = await RawConnection.open(server.url);
    await connection.send(headOf(["Authorization: Bearer nobody", expecting, "Content-Length: 500"]));
    expect(await connection.untilClosed()).to.match(/^HTTP\/1\.1 401 /);
    const eager = await RawConnection.open(server.url);
    const body = bodyOf("Ship it.");
    await eager.send(headOf(["Authorization: Bearer nobody", `Content-Length: ${body.length}`]) + body);
    expect(await eager.until(/\}$/)).to.match(/^HTTP\/1\.1 401 /);
    eager.destroy();
    expect(read).to.deep.equal([]);
  });

  it("refuses a body that says that it is too large before it asks for it", async () => {
    const connection = await RawConnection.open(server.url);
    await connection.send(headOf([allowed, expecting, "Content-Length: 10001"]));
    expect(await connection.untilClosed()).to.match(/^HTTP\/1\.1 413 /);
  });

  it("refuses a body that grows too large while it comes", async () => {
    const connection = await RawConnection.open(server.url);
    const body = bodyOf("x".repeat(20_000));
    await connection.send(headOf([allowed, "Transfer-Encoding: chunked"]));
    await connection.send(`${body.length.toString(16)}${crlf}${body}${crlf}0${crlf}${crlf}`);
    expect(await connection.until(/\}$/)).to.match(/^HTTP\/1\.1 413 [^]*at most 10000 bytes/);
    connection.destroy();
  });
});
