import type { AddressInfo } from "node:net";
import Koa from "koa";

/** The peer of the HTTP measurements: a Koa application that reads what it is sent and does nothing. */
const app = new Koa();
app.use(async (context) => {
  if (context.method === "POST") for await (const chunk of context.req) void chunk;
  context.status = 200;
  context.body = "";
});

const server = app.listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on("SIGTERM", () => server.close(() => process.exit(0)));
