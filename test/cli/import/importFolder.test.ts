import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { failureMessage } from "../../../commands/document/documentCommands.js";
import { ApiClient } from "../../../src/cli/apiClient.js";
import { documentIdOf } from "../../../src/cli/import/toPushedDocument.js";
import { importFolder, type FolderImport, type ImportReport } from "../../../src/cli/import/importFolder.js";
import { startScriptedApi, type ReceivedRequest, type ScriptedAnswer, type ScriptedApi } from "../scriptedApi.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";

interface Pushed {
  readonly documents: readonly { readonly id: string; readonly path: string; readonly permissions: object }[];
}

const pushedIn = ({ path, body }: ReceivedRequest): Pushed["documents"] =>
  /\/documents(\/dry-run|\?never_widen=true)?$/.test(path) ? (body as Pushed).documents : [];

function sent(request: ReceivedRequest, message = "document sent to the indexing pipeline."): ScriptedAnswer {
  const results = pushedIn(request).map(({ id }) => ({ document_id: id, outcome: "sent", message }));
  return { status: 200, body: { status: "ok", results } };
}

describe("importing a folder", () => {
  let folder: string;
  let api: ScriptedApi;

  beforeEach(async () => (folder = temporaryFolder("import").path));
  afterEach(async () => {
    await api.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function withFiles(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  }

  const numbered = (amount: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: amount }, (_, at) => [`${String(at).padStart(3, "0")}.md`, `text ${at}`]));

  async function run(
    answer: Parameters<typeof startScriptedApi>[0],
    changes: Partial<FolderImport> = {},
    signal = new AbortController().signal,
  ): Promise<ImportReport> {
    api = await startScriptedApi(answer);
    const request: FolderImport = {
      folder,
      datasource: "wiki",
      access: "anonymous",
      leftOut: new Set(),
      hidden: false,
      maxBytes: 1_000_000,
      linkPrefix: null,
      ...changes,
    };
    return importFolder(
      request,
      new ApiClient({ url: api.url, credential: "secret" }),
      { onTotal: () => undefined, onOutcome: () => undefined },
      signal,
    );
  }

  describe("with documents of files that are gone", () => {
    const run1 = { id: "run1", would_delete: 2, documents: 20, missing: ["a", "b"] };

    /** Answers as a service does that knows one run. */
    const service =
      (commit: ScriptedAnswer = { status: 200, body: { deleted: 2 } }) =>
      (request: ReceivedRequest): ScriptedAnswer => {
        if (request.path.endsWith("/commit") || request.path.includes("/commit?")) return commit;
        return request.path.includes("/syncs") ? { status: 200, body: run1 } : sent(request);
      };
    const asked = () =>
      api.received.flatMap(({ method, path }) =>
        path.includes("/documents") || path.includes("/syncs")
          ? [`${method} ${path.replace("/api/indexing/", "")}`]
          : [],
      );
    const deciding = (answer: "delete" | "confirmed" | "keep"): Partial<FolderImport> => ({
      deleteMissing: { maxDeletedShare: 0.1, decide: () => Promise.resolve(answer) },
    });

    it("tells a run of every file before the first push, and commits it after the last", async () => {
      await withFiles({ "a.md": "text", "b.bin": "\u0000" });
      const { deletion } = await run(service(), deciding("delete"));
      expect(deletion).to.deep.include({ deleted: 2, kept: null });
      expect(asked()).to.deep.equal([
        "POST syncs",
        "POST documents/dry-run",
        "POST syncs/run1/seen",
        "POST documents",
        "GET syncs/run1",
        "POST syncs/run1/commit",
      ]);
      expect(api.received.find(({ path }) => path.endsWith("/seen"))?.body).to.deep.equal({
        document_ids: ["a.md", "b.bin"].map(documentIdOf),
      });
    });

    it("begins the run before it looks at the folder: what somebody adds and indexes later is newer than the run", async () => {
      await withFiles({ "a.md": "text" });
      await run(async (request) => {
        if (request.path.endsWith("/syncs")) await withFiles({ "b.md": "added by another" });
        return service()(request);
      }, deciding("delete"));
      expect(api.received.find(({ path }) => path.endsWith("/seen"))?.body).to.deep.equal({
        document_ids: ["a.md", "b.md"].map(documentIdOf),
      });
    });

    it("deletes nothing where that is answered, and whatever it is where that is confirmed", async () => {
      await withFiles({ "a.md": "text" });
      const kept = await run(service(), deciding("keep"));
      expect(kept.deletion).to.deep.include({ deleted: 0, as_decided: true });
      expect(asked().at(-1)).to.equal("POST syncs/run1/abort");
      await api.close();
      await run(service(), deciding("confirmed"));
      expect(asked().at(-1)).to.equal("POST syncs/run1/commit?confirm=true");
    });

    it("says why a commit was refused, and ends the run", async () => {
      await withFiles({ "a.md": "text" });
      const { deletion } = await run(service({ status: 409, body: { detail: "Too much." } }), deciding("delete"));
      expect(deletion?.kept).to.contain("Too much.");
      expect(asked().at(-1)).to.equal("POST syncs/run1/abort");
    });

    it("deletes nothing where the import stopped", async () => {
      await withFiles({ "a.md": "text" });
      const refuses = (request: ReceivedRequest): ScriptedAnswer =>
        request.path.endsWith("/documents") ? { status: 403, body: { detail: "No." } } : service()(request);
      const { stopped, deletion } = await run(refuses, deciding("delete"));
      expect(stopped).to.contain("No.");
      expect(deletion).to.deep.include({ deleted: 0 });
      expect(asked().at(-1)).to.equal("POST syncs/run1/abort");
    });
  });

  it("pushes in bounded arrays, four at once and no more", async () => {
    await withFiles(numbered(420));
    let release = (): void => undefined;
    const fourAreIn = new Promise<void>((resolve) => (release = resolve));
    let waiting = 0;
    const isPush = (request: ReceivedRequest): boolean =>
      pushedIn(request).length > 0 && !request.path.endsWith("/dry-run");
    const report = await run(async (request) => {
      if (isPush(request) && ++waiting === 4) release();
      if (isPush(request)) await fourAreIn;
      return sent(request);
    });
    expect(report.counts).to.deep.equal({ sent: 420, already_indexed: 0, skipped: 0, failed: 0 });
    expect(Math.max(...api.received.filter(isPush).map((request) => pushedIn(request).length))).to.equal(50);
    expect(api.mostAtOnce).to.equal(4);
    expect(api.received.every(({ authorization }) => authorization === "Bearer secret")).to.equal(true);
  });

  it("tries again after lost connections and passing failures, and loses nothing", async () => {
    await withFiles(numbered(120));
    const troubles: ScriptedAnswer[] = [{ status: 503, body: { detail: "busy" } }, "torn", { status: 500, body: null }];
    const report = await run((request) => (pushedIn(request).length > 0 && troubles.shift()) || sent(request));
    expect(report).to.deep.include({ stopped: null, counts: { sent: 120, already_indexed: 0, skipped: 0, failed: 0 } });
    expect(troubles).to.deep.equal([]);
  });

  it("lets one refused document fail alone", async () => {
    await withFiles(numbered(30));
    const bad = documentIdOf("017.md");
    const report = await run((request) => {
      const at = pushedIn(request).findIndex(({ id }) => id === bad);
      return at === -1
        ? sent(request)
        : {
            status: 422,
            body: { detail: [{ loc: ["body", "documents", at, "title"], msg: "too long", type: "string_too_long" }] },
          };
    });
    expect(report.counts).to.deep.equal({ sent: 29, already_indexed: 0, skipped: 0, failed: 1 });
    expect(report.documents.filter(({ outcome }) => outcome === "failed")).to.deep.equal([
      {
        path: "017.md",
        document_id: bad,
        outcome: "failed",
        message: "The service answered 422: body.documents.0.title: too long",
      },
    ]);
  });

  it("stops where the credential is refused", async () => {
    await withFiles(numbered(3));
    const report = await run((request) =>
      request.method === "GET"
        ? { status: 200, body: {} }
        : { status: 401, body: { detail: "The token has expired." } },
    );
    expect(report).to.deep.include({ stopped: "The service answered 401: The token has expired.", documents: [] });
  });

  it("stops when it is interrupted, and reports what was done", async () => {
    await withFiles(numbered(200));
    const interrupted = new AbortController();
    const report = await run(
      (request) => {
        if (pushedIn(request).length > 0) interrupted.abort(new Error("It was interrupted."));
        return sent(request);
      },
      {},
      interrupted.signal,
    );
    expect(report.stopped).to.equal("It was interrupted.");
    expect(report.counts.sent).to.be.lessThan(200);
  });

  it("registers a datasource that does not exist", async () => {
    await withFiles(numbered(1));
    const report = await run((request) =>
      request.method === "GET" ? { status: 404, body: { detail: "not found" } } : sent(request),
    );
    expect(report.registered).to.equal(true);
    expect(api.received.slice(0, 2).map(({ method, path, body }) => ({ method, path, body }))).to.deep.equal([
      { method: "GET", path: "/api/indexing/datasources/wiki", body: null },
      { method: "POST", path: "/api/indexing/datasources", body: { name: "wiki", display_name: "wiki" } },
    ]);
  });

  it("pushes nothing where it would open one document without having been told to", async () => {
    await withFiles(numbered(200));
    const restricted = documentIdOf("150.md");
    const wouldOpen =
      "Nothing was written: the document would be sent to the indexing pipeline. It is restricted; every user registered on the datasource would see it.";
    const report = await run(
      (request) => {
        const results = pushedIn(request).map(({ id }) => ({
          document_id: id,
          outcome: "sent",
          message: id === restricted ? wouldOpen : "Nothing was written.",
        }));
        return request.method === "GET" ? { status: 200, body: {} } : { status: 200, body: { status: "ok", results } };
      },
      { access: "unsaid" },
    );
    expect(api.received.slice(1).every(({ path }) => path === "/api/indexing/documents/dry-run")).to.equal(true);
    expect(report).to.deep.include({ documents: [], widened: [], restricted: ["150.md"] });
    expect(report.stopped).to.match(/^Nothing was imported: 150\.md is restricted, .* --acl FILE .* --anonymous/);
  });

  it("lists a document that was restricted while it ran, and was refused", async () => {
    await withFiles(numbered(3));
    const restricted = documentIdOf("002.md");
    const refused = failureMessage({ type: "WouldWiden", documentId: restricted });
    const report = await run(
      (request) => {
        const isPush = request.path.endsWith("never_widen=true");
        const results = pushedIn(request).map(({ id }) => ({
          document_id: id,
          ...(isPush && id === restricted ? { outcome: "failed", message: refused } : { outcome: "sent", message: "" }),
        }));
        return request.method === "GET" ? { status: 200, body: {} } : { status: 200, body: { status: "ok", results } };
      },
      { access: "unsaid" },
    );
    expect(report.restricted).to.deep.equal(["002.md"]);
    expect([report.counts.sent, report.counts.failed, report.stopped]).to.deep.equal([2, 1, null]);
  });

  it("sends no permissions where nobody said who may see the files, and asks about all of them first", async () => {
    await withFiles(numbered(60));
    const report = await run((request) => sent(request), { access: "unsaid" });
    expect(report.counts.sent).to.equal(60);
    const paths = api.received.map(({ path }) => path);
    expect(paths.lastIndexOf("/api/indexing/documents/dry-run")).to.be.lessThan(
      paths.indexOf("/api/indexing/documents?never_widen=true"),
    );
    expect(paths).to.include("/api/indexing/documents?never_widen=true").and.not.include("/api/indexing/documents");
    expect(api.received.flatMap(pushedIn).some((document) => "permissions" in document)).to.equal(false);
  });

  it("sends no text of what is unchanged", async () => {
    await withFiles(numbered(120));
    const changed = documentIdOf("017.md");
    const report = await run((request) => {
      const results = pushedIn(request).map(({ id }) => ({
        document_id: id,
        outcome: id === changed ? "sent" : "already_indexed",
        message: "",
      }));
      return { status: 200, body: { status: "ok", results } };
    });
    const pushes = api.received.filter(({ path }) => path === "/api/indexing/documents");
    expect(pushes.flatMap(pushedIn).map(({ id }) => id)).to.deep.equal([changed]);
    expect(api.received.filter(({ path }) => path.endsWith("/dry-run"))).to.have.length(1);
    expect(report.counts).to.deep.equal({ sent: 1, already_indexed: 119, skipped: 0, failed: 0 });
  });

  it("sends everything to a service that cannot be asked, where all of it may be open", async () => {
    await withFiles(numbered(3));
    const report = await run((request) =>
      request.path.endsWith("/dry-run") ? { status: 404, body: { detail: "nothing here" } } : sent(request),
    );
    expect(report.counts.sent).to.equal(3);
  });

  it("pushes nothing to a service that cannot be asked first", async () => {
    await withFiles(numbered(3));
    const pushing = run(
      (request) =>
        request.path.endsWith("/dry-run") ? { status: 404, body: { detail: "nothing here" } } : sent(request),
      { access: "unsaid" },
    );
    expect(await pushing.catch((error: Error) => error.message)).to.equal("The service answered 404: nothing here");
    expect(api.received.some(({ path }) => /\/documents(\?|$)/.test(path))).to.equal(false);
  });
});
