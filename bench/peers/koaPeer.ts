import type { AddressInfo } from "node:net";
import { Router } from "@koa/router";
import Koa from "koa";
import { koaBody } from "koa-body";

/**
 * The peer of the HTTP measurements: a Koa application as people write one. It routes with `@koa/router`, reads a JSON
 * body with `koa-body`, and answers a constant.
 */
const answer = { status: "ok" };
const router = new Router();
for (const path of ["/api/indexing/documents", "/api/indexing/documents/check-access"])
  router.post(path, koaBody(), (context) => {
    context.body = answer;
  });

const app = new Koa();
app.use(router.routes());
app.use(router.allowedMethods());

const server = app.listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on("SIGTERM", () => server.close(() => process.exit(0)));
