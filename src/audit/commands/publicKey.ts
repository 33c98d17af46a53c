import { createPublicKey } from "node:crypto";
import { Command } from "commander";
import type { PublicKeyAnswer } from "../export/auditExport.js";
import type { Service } from "../../cli/service.js";
import { withUrlOption } from "../../cli/urlOption.js";
import type { Terminal } from "../../cli/terminal.js";
import { withAuditService } from "./askAudit.js";

interface PublicKeyOptions {
  readonly url?: string;
  readonly json?: boolean;
}

/** `audit public-key`: what exports are verified with. */
export function publicKeyCommand(terminal: Terminal): Command {
  const command = new Command("public-key").description("print the public key of the signatures of exports, in PEM");
  return withUrlOption(command, "an auditor")
    .option("--json", "print one JSON object, with the key's fingerprint")
    .addHelpText(
      "after",
      "\nKeep it apart from the exports: `audit verify --public-key FILE` takes no other.\n\nExample:\n  enterprise-search audit public-key > audit-key.pem",
    )
    .action(async ({ url, json }: PublicKeyOptions) => {
      const { source, ...key } = await withAuditService({ url, json }, terminal, [], async (service) => ({
        ...(await publicKeyOf(service)),
        source: service.source,
      }));
      terminal.printResult(json === true, { ...key, source }, () => key.public_key.trimEnd());
    });
}

/** The key that a service signs with. */
export const publicKeyOf = (service: Service): Promise<PublicKeyAnswer> =>
  service.ask({ method: "GET", path: "/api/audit/public-key" });

/** The DER form of a key in PEM. Throws where it is none. */
export const publicKeyIn = (pem: string | Buffer): Buffer =>
  createPublicKey(pem).export({ type: "spki", format: "der" });
