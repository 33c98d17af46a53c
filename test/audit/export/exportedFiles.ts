import { generateKeyPairSync, sign } from "node:crypto";
import { exportFacts, type ExportRange } from "../../../src/audit/export/auditExport.js";
import type { PermissionEvent } from "../../../src/audit/export/exportedFacts.js";
import type { ExportSigner, PermissionLog } from "../../../src/audit/ports/export.js";
import type { RecordedEvent } from "../../../src/events/domainEvent.js";
import { beginning, type Position } from "../../../src/shared/position.js";

/** A key of its own. */
export function newSigner(): ExportSigner {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  return {
    publicKey: publicKey.export({ type: "spki", format: "der" }),
    sign: (bytes) => sign(null, bytes, privateKey),
  };
}

/** A log that holds these events, delivered in stretches of three. */
export const logOf = (events: readonly RecordedEvent<PermissionEvent>[]): PermissionLog => ({
  head: async () => events.at(-1)?.position ?? beginning,
  events: async function* (upTo) {
    const wanted = events.filter(({ position }) => position <= upTo);
    for (let from = 0; from < wanted.length; from += 3) {
      const stretch = wanted.slice(from, from + 3);
      yield { events: stretch, position: from + 3 < wanted.length ? (stretch.at(-1) as RecordedEvent).position : upTo };
    }
    if (wanted.length === 0) yield { events: [], position: upTo };
  },
});

/** The bytes of an export of everything, or of a range. */
export async function exported(
  log: PermissionLog,
  signer: ExportSigner,
  range: { readonly from?: Position; readonly to?: Position } = {},
): Promise<Buffer> {
  const whole: ExportRange = {
    from: null,
    to: null,
    fromPosition: range.from ?? beginning,
    toPosition: range.to ?? (await log.head()),
  };
  const options = { log, namespace: "default", signer, now: () => new Date("2026-01-02T03:04:05.678Z") };
  let text = "";
  for await (const chunk of exportFacts(options, whole, new AbortController().signal)) text += chunk.text;
  return Buffer.from(text);
}

/** The bytes in chunks that end anywhere. */
export async function* chunksOf(bytes: Buffer, size = 7): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}
