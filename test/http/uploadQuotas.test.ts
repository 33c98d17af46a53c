import { expect } from "chai";
import { RefusedRequest } from "../../src/http/refusedRequest.js";
import type { ApiClient } from "../support/apiClient.js";
import { UploadQuotas } from "../../src/http/limits.js";
import { toEmail } from "../../src/shared/ids.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const [ada, bob] = [toEmail("ada@example.org"), toEmail("bob@example.org")];

describe("what a person may have of files", () => {
  let here: { files: number; bytes: number };
  let quotas: UploadQuotas;
  beforeEach(() => {
    here = { files: 0, bytes: 0 };
    quotas = new UploadQuotas({ files: 3, bytes: 100 }, () => Promise.resolve(here));
  });
  const detailOf = (kept: Promise<unknown>): Promise<unknown> =>
    kept.then(
      () => "kept",
      (error: unknown) => (error instanceof RefusedRequest ? (error.refusal.body as { detail: string }).detail : error),
    );
  const never = (): Promise<void> => new Promise(() => undefined);

  it("is so many files and bytes, and it is said what is left", async () => {
    here = { files: 1, bytes: 60 };
    expect(await detailOf(quotas.during(ada, 40, () => Promise.resolve()))).to.equal("kept");
    expect(await detailOf(quotas.during(ada, 41, () => Promise.resolve()))).to.include("2 with 40 bytes are left");
    expect(await detailOf(quotas.refuseWhoHasMost(ada))).to.equal("kept");
    here = { files: 3, bytes: 3 };
    expect(await detailOf(quotas.refuseWhoHasMost(ada))).to.include("0 with 97 bytes are left");
  });

  it("counts what is under way, of that person alone, and no more once that has ended", async () => {
    void quotas.during(ada, 90, never);
    const failing = quotas.during(ada, 5, () => Promise.reject(new Error("It cannot be read.")));
    expect(await detailOf(failing)).to.be.instanceOf(Error);
    expect(await detailOf(quotas.during(ada, 11, never))).to.include("2 with 10 bytes are left");
    expect(await detailOf(quotas.during(bob, 100, () => Promise.resolve()))).to.equal("kept");
    expect(await detailOf(quotas.during(ada, 10, () => Promise.resolve()))).to.equal("kept");
  });
});

describe("uploads of one person", () => {
  let service: ServiceUnderTest;
  let client: ApiClient;
  before(async () => {
    service = await startServiceUnderTest({ MAX_FILES_PER_PERSON: "2", MAX_FILE_BYTES_PER_PERSON: "1000" });
    client = await service.person("ada@example.org");
  });
  after(() => service.stop());

  const upload = async (bytes: number, credential = client.credential): Promise<Response> => {
    const form = new FormData();
    form.append("file", new Blob([Buffer.alloc(bytes, "a word ")]), "words.txt");
    const headers = { authorization: `Bearer ${credential}` };
    return fetch(`${service.url}/api/beta/files/upload?type=document`, { method: "POST", headers, body: form });
  };

  it("are refused beyond their quota, however many come at once, and taken again once there is room", async () => {
    const [one] = [await upload(600)];
    expect(one.status).to.equal(200);
    const tooLarge = await upload(401);
    expect([tooLarge.status, ((await tooLarge.json()) as { detail: string }).detail]).to.deep.equal([
      413,
      "You may have 2 files with 1000 bytes together here, and 1 with 400 bytes are left. Erase files that you need no more, or wait until they expire.",
    ]);
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => upload(100)))).map(({ status }) => status);
    expect(statuses.toSorted()).to.deep.equal([200, 413, 413, 413, 413, 413]);
    const bobs = (await service.person("bob@example.org")).credential;
    expect((await upload(100, bobs)).status).to.equal(200);
    const { id } = (await one.json()) as { id: string };
    expect((await client.delete(`/api/beta/files/${id}`)).status).to.equal(200);
    expect((await upload(900)).status).to.equal(200);
  });
});
