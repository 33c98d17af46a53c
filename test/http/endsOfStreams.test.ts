import { expect } from "chai";
import type { ApiClient } from "../support/apiClient.js";
import { begins, frameOf, startScriptedModel, type ScriptedModel } from "../support/models/scriptedModel.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

interface Opened {
  /** Resolves once something has come. */
  readonly begun: Promise<void>;
  /** Resolves when nothing more can come. */
  readonly ended: Promise<void>;
}

/** An answer that is read as it comes. */
function readOn(answer: Response): Opened {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const ended = (async () => {
    try {
      for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) if (chunk.length > 0) begin();
    } catch {
      // It was cut.
    }
  })();
  return { begun, ended };
}

describe("answers that are streams", () => {
  let service: ServiceUnderTest;
  let root: ApiClient;
  let model: ScriptedModel;
  before(async () => {
    model = await startScriptedModel();
    model.always((response) => void begins(response).write(frameOf({ content: "It goes on" })));
    service = await startServiceUnderTest({ LLM_URL: model.url });
    root = await service.signedIn("root@example.com", "administrator");
  });
  after(async () => {
    await service.stop();
    await model.stop();
  });

  type Headers = Readonly<Record<string, string>>;
  const streams: Readonly<Record<string, (headers: Headers) => Promise<Response>>> = {
    "the state of read models": (headers) => fetch(`${service.url}/api/admin/projections/live`, { headers }),
    "events that are followed": (headers) => fetch(`${service.url}/api/admin/events?follow=true`, { headers }),
    "an answer of a model": (headers) =>
      fetch(`${service.url}/api/beta/amberai/chat/completions`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ model: "small", stream: true, messages: [{ role: "user", content: "Go on." }] }),
      }),
  };

  let people = 0;
  /** Somebody with a credential, and what takes it away. */
  const losses: Readonly<Record<string, () => Promise<{ headers: Headers; lose(): Promise<unknown> }>>> = {
    "key is revoked": async () => {
      const asked = { email: "key@example.com", roles: ["operator"] };
      const { key, id } = (await service.operator.post<{ key: string; id: string }>("/api/admin/api-keys", asked)).body;
      return {
        headers: { authorization: `Bearer ${key}` },
        lose: () => service.operator.delete(`/api/admin/api-keys/${id}`),
      };
    },
    "account is disabled": async () => {
      const email = `disabled${people++}@example.com`;
      const { headers } = headersOf(await service.signedIn(email, "operator"));
      return { headers, lose: () => root.post(`/api/admin/accounts/${email}/disable`) };
    },
    "session is ended": async () => {
      const page = await service.signedIn(`out${people++}@example.com`, "operator");
      return { ...headersOf(page), lose: () => page.delete("/api/session") };
    },
  };
  const headersOf = ({ session }: ApiClient): { headers: Headers } => ({
    headers: { cookie: session?.cookie ?? "", "x-csrf-token": session?.csrfToken ?? "" },
  });

  for (const [what, open] of Object.entries(streams))
    for (const [how, made] of Object.entries(losses))
      it(`end soon after their caller's ${how}: ${what}`, async () => {
        const { headers, lose } = await made();
        const answer = await open(headers);
        expect(answer.status).to.equal(200);
        const { begun, ended } = readOn(answer);
        await begun;
        await lose();
        await ended;
        await model.idle();
      });

  it("end where a role is lost that they need", async () => {
    const page = await service.signedIn("role@example.com", "operator", "developer");
    const live = readOn(
      await (streams["the state of read models"] as (h: Headers) => Promise<Response>)(headersOf(page).headers),
    );
    await live.begun;
    await root.put("/api/admin/accounts/role@example.com/roles", { roles: ["developer"] });
    await live.ended;
  });
});
