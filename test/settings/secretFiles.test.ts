import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { readConfig, settings } from "../../src/config.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const typesense = { TYPESENSE_URL: "http://a:8108" };

describe("settings that hold a secret", () => {
  const folder = temporaryFolder("secrets");
  after(() => folder.remove());

  const file = (name: string, content: string | Buffer): string => {
    const path = join(folder.path, name);
    writeFileSync(path, content);
    return path;
  };
  const problems = (env: Readonly<Record<string, string>>): readonly string[] => {
    const config = readConfig(env);
    return config.ok ? [] : config.error;
  };
  const keyOf = (path: string): string | null => {
    const config = readConfig({ ...typesense, TYPESENSE_API_KEY_FILE: path });
    if (!config.ok) throw new Error(config.error.join("\n"));
    return config.value.typesenseApiKey;
  };

  it("are those whose names end in _KEY, _TOKEN, _SECRET or _URL, and the proxy", () => {
    const secret = settings.filter(({ isSecret }) => isSecret === true).map(({ name }) => name);
    const named = settings.map(({ name }) => name).filter((name) => /_(KEY|TOKEN|SECRET|URL)$/.test(name));
    expect(secret).to.have.members([...named.filter((name) => name !== "PUBLIC_URL"), "HTTPS_PROXY"]);
  });

  it("have a variable for a file each, which is no other setting", () => {
    const names = new Set(settings.map(({ name }) => name));
    expect(settings.filter(({ name, isSecret }) => isSecret === true && names.has(`${name}_FILE`))).to.deep.equal([]);
  });

  it("are read from the file that NAME_FILE names, each of them", () => {
    const values: Readonly<Record<string, string>> = {
      EVENTSTORE_URL: "esdb://user:password@a:2113",
      REDIS_URL: "redis://:password@a",
      METRICS_TOKEN: "sixteen-characters",
    };
    for (const { name } of settings.filter(({ isSecret }) => isSecret === true)) {
      const value = values[name] ?? (/_(KEY|SECRET)$/.test(name) ? "key" : "http://user:password@a");
      const [held, named] = [readConfig({ [name]: value }), readConfig({ [`${name}_FILE`]: file(name, `${value}\n`) })];
      expect(named, name).to.deep.equal(held);
      expect(named, name).to.not.deep.equal(readConfig({}));
    }
  });

  it("are as the file holds them, without the line's end, also through a link", () => {
    for (const [name, content] of Object.entries({ bare: "key", unix: "key\n", windows: "key\r\n" }))
      expect(keyOf(file(name, content)), name).to.equal("key");
    const link = join(folder.path, "link");
    symlinkSync("unix", link);
    expect(keyOf(link)).to.equal("key");
  });

  it("are taken from the variable where NAME_FILE is empty, and from the file where the variable is", () => {
    const config = readConfig({ ...typesense, TYPESENSE_API_KEY: "held", TYPESENSE_API_KEY_FILE: "" });
    expect(config.ok && config.value.typesenseApiKey).to.equal("held");
    const other = readConfig({ ...typesense, TYPESENSE_API_KEY: "", TYPESENSE_API_KEY_FILE: file("other", "named") });
    expect(other.ok && other.value.typesenseApiKey).to.equal("named");
  });

  it("are refused where both are set", () => {
    const env = { ...typesense, TYPESENSE_API_KEY: "hidden-1", TYPESENSE_API_KEY_FILE: file("both", "hidden-2") };
    expect(problems(env)).to.deep.equal([
      "TYPESENSE_API_KEY and TYPESENSE_API_KEY_FILE are both set. Set one of them.",
    ]);
  });

  it("are refused where the file holds no secret, in a sentence that repeats neither path nor content", () => {
    const missing = join(folder.path, "hidden-missing");
    const inner = join(folder.path, "hidden-folder");
    mkdirSync(inner);
    const pipe = join(folder.path, "hidden-pipe");
    execFileSync("mkfifo", [pipe]);
    const wrong: readonly (readonly [string, string])[] = [
      [missing, "names a file that is not there."],
      ["hidden-key-itself", "names a file that is not there."],
      [inner, "names what is no file."],
      [pipe, "names what is no file."],
      ["/dev/zero", "names what is no file."],
      [file("hidden-empty", ""), "names a file that is empty."],
      [file("hidden-line", "\n"), "names a file that is empty."],
      [file("hidden-long", "x".repeat(65_537)), "names a file of more than 65536 bytes, which is no secret."],
      [file("hidden-lines", "hidden\nkey\n"), "must name a file that holds a key without spaces, but does not."],
      [
        file("hidden-bytes", Buffer.from([0xff, 0xfe])),
        "must name a file that holds a key without spaces, but does not.",
      ],
    ];
    for (const [path, sentence] of wrong)
      expect(problems({ TYPESENSE_API_KEY_FILE: path }), path).to.deep.equal([`TYPESENSE_API_KEY_FILE ${sentence}`]);
  });

  const isRoot = process.getuid?.() === 0;
  const title = `are refused where this user may not read the file${isRoot ? ": root may read everything" : ""}`;
  (isRoot ? it.skip : it)(title, () => {
    const path = file("hidden-closed", "key");
    chmodSync(path, 0o000);
    expect(problems({ TYPESENSE_API_KEY_FILE: path })).to.deep.equal([
      "TYPESENSE_API_KEY_FILE names a file that this user may not read.",
    ]);
  });

  it("take a file up to the limit, and leave what is too long to the setting", () => {
    expect(keyOf(file("longest", "k".repeat(512)))).to.have.length(512);
    expect(problems({ TYPESENSE_API_KEY_FILE: file("padded", "x".repeat(65_536)) })).to.deep.equal([
      "TYPESENSE_API_KEY_FILE must name a file that holds a key without spaces, but does not.",
    ]);
  });
});
