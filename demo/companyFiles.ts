import { fileURLToPath } from "node:url";
import { anonymousPermissions, nobodyPermissions, type Permissions } from "../src/cli/import/accessRules.js";
import { toPushedDocument, type PushedDocument } from "../src/cli/import/toPushedDocument.js";
import { readFile } from "../src/cli/import/readFile.js";
import { datasource } from "./company.js";

/** A file of the company, pushed as it is: the service takes its text out. */
export interface CompanyFile {
  readonly name: string;
  /** null: every registered user. */
  readonly group: string | null;
  /** What only this file answers. */
  readonly question: string;
}

export const companyFiles: readonly CompanyFile[] = [
  { name: "travel-expenses.docx", group: null, question: "How much is paid for a hotel in Munich?" },
  { name: "office-lease.pdf", group: "support", question: "May we sublet rooms, and are dogs allowed?" },
  { name: "outage-report.eml", group: "web", question: "Which certificate had expired on Friday night?" },
];

/** The sub of the datasource that these files are in. */
export const companySub = { name: "Company", key: "company" } as const;

export interface CompanyDocument extends PushedDocument {
  readonly permissions: Permissions;
  readonly data_source_sub: string;
}

const folder = fileURLToPath(new URL("../../demo/files/", import.meta.url));
const maxBytes = 1_000_000;

/** The files as documents. */
export const readCompanyFiles = (): Promise<readonly CompanyDocument[]> => Promise.all(companyFiles.map(read));

async function read({ name, group }: CompanyFile): Promise<CompanyDocument> {
  const file = await readFile(`${folder}${name}`, maxBytes);
  if (file.kind === "skipped") throw new Error(`The demo's file ${name} cannot be read: ${file.reason}`);
  return {
    ...toPushedDocument({ datasource, path: `company/${name}`, file, linkPrefix: null }),
    permissions: group === null ? anonymousPermissions : { ...nobodyPermissions, allowed_groups: [group] },
    data_source_sub: companySub.key,
  };
}
