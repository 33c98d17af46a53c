import { createPublicKey } from "node:crypto";
import { Command } from "commander";
import type { PublicKeyAnswer } from "../export/auditExport.js";
import { describeAnswer } from "../../cli/apiClient.js";
import { CliFailure } from "../../cli/cliFailure.js";
import { withOfflineService } from "../../cli/offline.js";
import { printResult } from "../../cli/output.js";
import { auditClient, withAddress } from "./askAudit.js";

interface PublicKeyOptions {
  readonly url?: string;
  readonly json?: boolean;
}

/** `audit public-key`: what exports are verified with. */
export function publicKeyCommand(): Command {
  const command = new Command("public-key").description("print the public key of the signatures of exports, in PEM");
  return withAddress(command)
    .option("--json", "print one JSON object, with the key's fingerprint")
    .addHelpText(
      "after",
      "\nKeep it apart from the exports: `audit verify --public-key FILE` takes no other.\n\nExample:\n  enterprise-search audit public-key > audit-key.pem",
    )
    .action(async ({ url, json }: PublicKeyOptions) => {
      const key = await (url === undefined
        ? withOfflineService(({ auditExport }) => auditExport.publicKey())
        : publicKeyThere(url));
      printResult(json === true, key, () => key.public_key.trimEnd());
    });
}

/** The key of the service at an address. */
export async function publicKeyThere(url: string): Promise<PublicKeyAnswer> {
  const answer = await auditClient(url).request({ method: "GET", path: "/api/audit/public-key" });
  if (answer.status !== 200) throw new CliFailure(describeAnswer(answer));
  return answer.body as PublicKeyAnswer;
}

/** The DER form of a key in PEM. Throws where it is none. */
export const publicKeyIn = (pem: string | Buffer): Buffer =>
  createPublicKey(pem).export({ type: "spki", format: "der" });
