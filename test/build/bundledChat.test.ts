import { expect } from "chai";
import { rm } from "node:fs/promises";
import { says, startScriptedModel, type ScriptedModel } from "../support/models/scriptedModel.js";
import { createPerson, ServerProcess } from "../support/serverProcess.js";
import { newDataDir } from "../support/startService.js";

describe("chat of the bundled program", () => {
  const dataDir = newDataDir();
  let model: ScriptedModel;
  let server: ServerProcess;
  before(async () => {
    model = await startScriptedModel();
    server = await ServerProcess.start(dataDir, { LLM_URL: model.url, LLM_DEFAULT_MODEL: "small" });
  });
  after(async () => {
    await server.terminate();
    await model.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it("is answered by a model of an upstream", async () => {
    model.plays(says("Hello", " Ada."));
    const ada = await createPerson(dataDir, server.url, "ada@example.org");
    const { status, body } = await ada.post("/api/beta/amberai/chat/completions", {
      messages: [{ role: "user", content: "Hi" }],
    });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body).to.have.nested.property("choices[0].message.content", "Hello Ada.");
  });
});
