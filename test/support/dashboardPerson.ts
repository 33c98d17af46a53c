import type { Browser } from "playwright-core";
import type { Role } from "../../src/shared/credential.js";
import { visit, type Visit, type Visitor } from "./chromium.js";
import { passwordOfTests, signIn, type ServiceUnderTest } from "./startService.js";

/** Who looks at the dashboard. */
export interface Person {
  readonly email: string;
  readonly roles?: readonly Role[];
}

/**
 * Opens an address of the dashboard as somebody who is signed in, once all that was written is served. The first visit
 * makes the account.
 */
export async function visitAs(
  browser: Browser,
  { url, operator, served }: ServiceUnderTest,
  { email, roles = [] }: Person,
  path: string,
  visitor: Visitor = {},
): Promise<Visit> {
  const { status, body } = await operator.post("/api/admin/accounts", { email, roles, password: passwordOfTests });
  if (status !== 200 && status !== 409) throw new Error(`No account: ${JSON.stringify(body)}`);
  const [name = "", value = ""] = (await signIn(operator, email)).cookie.split("=");
  await served();
  return visit(browser, url, path, visitor, (context) => context.addCookies([{ name, value, url }]));
}
