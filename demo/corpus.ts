import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toPushedDocument, type PushedDocument } from "../src/cli/import/toPushedDocument.js";
import { anonymousPermissions, nobodyPermissions } from "../src/cli/import/accessRules.js";
import { readFile } from "../src/cli/import/readFile.js";
import { walkFolder } from "../src/cli/import/importFolder.js";
import { datasource } from "./company.js";
import { companySub, type CompanyDocument } from "./companyFiles.js";

/** Packages of one field: a sub of the datasource, and the group that may read their documentation. */
export interface Family {
  readonly name: string;
  readonly key: string;
  /** null: every registered user. */
  readonly group: string | null;
  readonly packages: RegExp;
}

/** The first family whose packages fit. */
export const families: readonly Family[] = [
  {
    name: "Databases",
    key: "databases",
    group: "databases",
    packages: /sqlite|^bindings$|^lru-cache|^redis|^@orama\//i,
  },
  {
    name: "Web",
    key: "web",
    group: "web",
    packages:
      /koa|helmet|^(http|keygrip|content|cookie|mime|accept|type-is|media-typer|negotiator|vary|fresh|statuses|qs$|parse|path-to|form|super|swagger|on-finished)/,
  },
  {
    name: "Tools",
    key: "tools",
    group: "engineering",
    packages:
      /pino|mocha|chai|^(c8|fast-check|tsc|ts-|tslib|typ[a-z]+|knip|dependency-cruiser|oxlint|yargs|commander|cli|autocannon|sonic-boom|thread-stream)|^@(jridgewell|bcoe|istanbuljs|oxc|typ[a-z]+)/,
  },
  { name: "Libraries", key: "libraries", group: null, packages: /./ },
];

/** The children of every family's sub. */
export const kinds = [
  { name: "Read me", key: "readme", files: /^readme\b/i },
  { name: "Changes", key: "changes", files: /^(changelog|changes|history|release)/i },
  { name: "Guides", key: "guides", files: /./ },
] as const;

const properties = [
  { name: "package", display_label: "Package", is_searchable: true, property_type: "TEXT" },
  { name: "version", display_label: "Version", is_searchable: false, property_type: "TEXT" },
  { name: "lines", display_label: "Lines", is_searchable: false, property_type: "INTEGER" },
] as const;

/** What is registered before the documents come: three levels to filter by, and the properties that documents carry. */
export const registration = {
  name: datasource,
  display_name: "Documentation of installed packages",
  subs: [
    companySub,
    ...families.map(({ name, key }) => ({
      name,
      key,
      subs: kinds.map((kind) => ({ name: kind.name, key: kind.key })),
    })),
  ],
  object_definitions: [{ name: "documentation", property_definitions: properties }],
};

export interface DemoDocument extends CompanyDocument {
  readonly data_source_sub_sub: string;
  readonly custom_properties: readonly { readonly name: string; readonly value: string | number }[];
}

const packagesFolder = fileURLToPath(new URL("../../node_modules/", import.meta.url));
const documentation = /\.(md|markdown|html?)$/i;
const notForReaders = /^@types\/|(^|\/)(tests?|coverage|fixtures|examples?)\//;
const maxBytes = 1_000_000;

/** The Markdown and HTML documentation of every installed package. */
export async function readCorpus(): Promise<readonly DemoDocument[]> {
  const documents: DemoDocument[] = [];
  for await (const { kind, path } of walkFolder(packagesFolder, { hidden: false })) {
    if (kind !== "file" || !documentation.test(path) || notForReaders.test(path)) continue;
    const file = await readFile(join(packagesFolder, path), maxBytes);
    if (file.kind === "text")
      documents.push(describe(path, toPushedDocument({ datasource, path, file, linkPrefix: null }), file.text));
  }
  return documents;
}

function describe(path: string, document: PushedDocument, text: string): DemoDocument {
  const name = packageOf(path);
  const family = familyOf(name);
  const fileName = path.slice(path.lastIndexOf("/") + 1);
  return {
    ...document,
    permissions:
      family.group === null ? anonymousPermissions : { ...nobodyPermissions, allowed_groups: [family.group] },
    data_source_sub: family.key,
    data_source_sub_sub: kinds.find(({ files }) => files.test(fileName))?.key ?? "guides",
    custom_properties: [
      { name: "package", value: name },
      { name: "version", value: versionOf(name) },
      { name: "lines", value: text.split("\n").length },
    ],
  };
}

/** `koa`, or `@koa/router` of a scope. */
const packageOf = (path: string): string =>
  path
    .split("/")
    .slice(0, path.startsWith("@") ? 2 : 1)
    .join("/");

function familyOf(packageName: string): Family {
  const family = families.find(({ packages }) => packages.test(packageName));
  if (family === undefined) throw new Error(`The package ${packageName} belongs to no family.`);
  return family;
}

function versionOf(packageName: string): string {
  const { version } = JSON.parse(readFileSync(join(packagesFolder, packageName, "package.json"), "utf8")) as {
    readonly version?: string;
  };
  return version ?? "unknown";
}
