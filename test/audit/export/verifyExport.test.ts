import { expect } from "chai";
import * as fc from "fast-check";
import type { PermissionEvent } from "../../../src/audit/export/exportedFacts.js";
import { chainedFacts } from "../../../src/audit/export/auditExport.js";
import { verifyExport, type Verdict, type VerifyOptions } from "../../../src/audit/export/verifyExport.js";
import type { LogFacts } from "../../../src/audit/export/logComparison.js";
import type { ExportSigner, PermissionLog } from "../../../src/audit/ports/export.js";
import type { RecordedEvent } from "../../../src/events/domainEvent.js";
import { categoryOf, permissionCategories } from "../../../src/events/streams.js";
import { beginning, toPosition } from "../../../src/shared/position.js";
import { events as exampleEvents } from "../../support/examples.js";
import { propertyRuns } from "../../support/propertyRuns.js";
import { recordEvents } from "../../support/recordEvents.js";
import { chunksOf, exported, logOf, newSigner } from "./exportedFiles.js";

const isPermission = (event: RecordedEvent): event is RecordedEvent<PermissionEvent> =>
  permissionCategories.includes(categoryOf(event.stream));
const examples = Object.values(exampleEvents);
const { GroupCreated, DocumentIndexed } = exampleEvents;

/** Anything that can happen, in any order, with names that need care in JSON. */
const histories = fc
  .array(
    fc.oneof(
      fc.constantFrom(...examples),
      fc
        .string({ unit: "binary", maxLength: 12 })
        .map((name) => ({ ...GroupCreated, data: { ...GroupCreated.data, name } })),
      fc.array(fc.string(), { maxLength: 4 }).map((groups) => ({
        ...DocumentIndexed,
        data: { ...DocumentIndexed.data, access: { anonymous: false, users: [], groups } },
      })),
    ),
    { maxLength: 24 },
  )
  .map((events) => recordEvents(events).filter(isPermission));

interface Sample {
  readonly log: PermissionLog;
  readonly signer: ExportSigner;
  readonly file: Buffer;
  readonly lines: readonly string[];
}

const signer = newSigner();

async function sampleOf(events: readonly RecordedEvent<PermissionEvent>[]): Promise<Sample> {
  const log = logOf(events);
  const file = await exported(log, signer);
  return { log, signer, file, lines: file.toString().split("\n").slice(0, -1) };
}

const verify = (file: Buffer, options: Partial<VerifyOptions> = {}): Promise<Verdict> =>
  verifyExport(chunksOf(file), { publicKey: signer.publicKey, log: null, ...options });

const fileOf = (lines: readonly string[]): Buffer => Buffer.from(lines.map((line) => `${line}\n`).join(""));
const linesOf = ({ findings }: Verdict): readonly number[] => findings.map(({ line }) => line);

/** The facts of a log as the verifier asks for them. */
const factsOf = (log: PermissionLog): VerifyOptions["log"] =>
  async function* (range): LogFacts {
    for await (const { lines, before } of chainedFacts(
      { log, namespace: "default", ...range },
      new AbortController().signal,
    )) {
      yield lines.map(({ hash }, index) => ({ n: before.facts + 1 + index, hash }));
    }
  };

const check = (property: fc.IAsyncProperty<unknown>, runs: number): Promise<void> =>
  fc.assert(property, propertyRuns(runs));

/** Holds for every history with at least one fact, and whatever is picked of its lines. */
const property = <Value>(
  pick: (lines: number) => fc.Arbitrary<Value>,
  holds: (sample: Sample, value: Value) => Promise<void>,
): fc.IAsyncProperty<unknown> =>
  fc.asyncProperty(histories, fc.nat(), async (events, seed) => {
    const sample = await sampleOf(events);
    const [picked] = sample.lines.length < 3 ? [] : fc.sample(pick(sample.lines.length), { numRuns: 1, seed });
    if (picked !== undefined) await holds(sample, picked);
  });

describe("an export, verified", () => {
  it("is whole as it was made, against the log too", () =>
    check(
      fc.asyncProperty(histories, async (events) => {
        const { file, log, lines } = await sampleOf(events);
        const verdict = await verify(file, { log: factsOf(log) });
        expect(verdict.findings).to.deep.equal([]);
        expect(verdict.head?.count).to.equal(lines.length - 2);
      }),
      200,
    ));

  it("shows any flipped byte in its line", () =>
    check(
      property(
        () => fc.record({ at: fc.nat(), bit: fc.nat(7) }),
        async ({ file }, { at, bit }) => {
          const altered = Buffer.from(file);
          const index = at % file.length;
          altered[index] = (altered[index] as number) ^ (1 << bit);
          const line = file.subarray(0, index).toString("latin1").split("\n").length;
          expect(linesOf(await verify(altered))[0]).to.equal(line);
        },
      ),
      500,
    ));

  it("shows every byte that is changed, every line that is dropped and every two that are swapped, of a whole file", async () => {
    const events = recordEvents(examples).filter(isPermission);
    const { file, lines } = await sampleOf([...events.slice(0, 7), ...events.slice(-1)]);
    const verdictOf = (bytes: Buffer): Promise<Verdict> =>
      verifyExport(chunksOf(bytes, bytes.length), { publicKey: signer.publicKey, log: null });
    let line = 1;
    for (const [index, byte] of file.entries()) {
      // Each bit has its turn; and what ends a line, or stands for nothing.
      for (const other of new Set([byte ^ (1 << (index % 8)), 0x0a, 0x20])) {
        if (other === byte) continue;
        const altered = Buffer.from(file);
        altered[index] = other;
        expect(linesOf(await verdictOf(altered))[0], `byte ${index} as ${other}`).to.equal(line);
      }
      if (byte === 0x0a) line++;
    }
    expect(line).to.equal(lines.length + 1);
    for (const a of lines.keys()) {
      const dropped = await verdictOf(fileOf(lines.toSpliced(a, 1)));
      expect(linesOf(dropped), `line ${a + 1} dropped`).to.deep.equal([a + 1]);
      for (let b = a + 1; b < lines.length; b++) {
        const swapped = await verdictOf(fileOf(lines.with(a, lines[b] as string).with(b, lines[a] as string)));
        expect(linesOf(swapped)[0], `lines ${a + 1} and ${b + 1} swapped`).to.equal(a + 1);
      }
    }
  });

  it("shows any dropped line where it stood", () =>
    check(
      property(
        (lines) => fc.nat(lines - 1),
        async ({ lines }, dropped) => {
          const { findings } = await verify(fileOf(lines.toSpliced(dropped, 1)));
          expect(findings.map(({ line, kind }) => [line, kind])).to.deep.include([
            dropped + 1,
            dropped === lines.length - 1 ? "cut off" : "missing",
          ]);
          expect(findings).to.have.length(1);
        },
      ),
      300,
    ));

  it("shows two swapped lines at the first of them, and no line that is in its place", () =>
    check(
      property(
        (lines) => fc.uniqueArray(fc.nat(lines - 1), { minLength: 2, maxLength: 2 }),
        async ({ lines }, swap) => {
          const [a = 0, b = 0] = swap.toSorted((one, other) => one - other);
          const swapped = lines.with(a, lines[b] as string).with(b, lines[a] as string);
          const found = linesOf(await verify(fileOf(swapped)));
          expect(found[0]).to.equal(a + 1);
          if (a > 0 && b < lines.length - 1)
            expect(found.filter((line) => line !== a + 1 && line !== b + 1)).to.deep.equal([]);
        },
      ),
      500,
    ));

  it("shows a line that stands there twice", () =>
    check(
      property(
        (lines) => fc.nat(lines - 1),
        async ({ lines }, doubled) => {
          const { findings } = await verify(fileOf(lines.toSpliced(doubled, 0, lines[doubled] as string)));
          expect(findings.map(({ line, kind }) => [line, kind])).to.deep.equal([[doubled + 2, "added"]]);
        },
      ),
      300,
    ));

  it("shows that it was cut off, wherever that was", () =>
    check(
      property(
        () => fc.nat(),
        async ({ file }, at) => {
          const kept = file.subarray(0, at % file.length);
          const { findings } = await verify(kept);
          expect(findings.map(({ kind }) => kind)).to.include("cut off");
          expect(findings.at(-1)?.line).to.be.at.least(kept.toString("latin1").split("\n").length);
        },
      ),
      300,
    ));

  it("shows what somebody else has made and signed", async () => {
    const { file } = await sampleOf(recordEvents([GroupCreated]).filter(isPermission));
    const { findings } = await verify(file, { publicKey: newSigner().publicKey });
    expect(findings.map(({ line, kind }) => [line, kind])).to.deep.equal([[3, "signature"]]);
  });

  it("shows what the log does not hold, however well it is sealed and signed", () =>
    check(
      property(
        (lines) => fc.nat(lines - 3),
        async ({ log, lines }, place) => {
          const events: RecordedEvent<PermissionEvent>[] = [];
          for await (const stretch of log.events(await log.head(), new AbortController().signal))
            events.push(...stretch.events);
          const facts = JSON.parse(lines[place + 1] as string) as { position: string };
          const forged = events.map((event) =>
            String(event.position) === facts.position
              ? { ...event, metadata: { ...event.metadata, by: "somebody" as never } }
              : event,
          );
          const { findings } = await verify(await exported(logOf(forged), signer), { log: factsOf(log) });
          expect(findings[0]).to.deep.include({ line: place + 2, kind: "differs" });
        },
      ),
      200,
    ));

  it("shows facts that the log has lost, and facts that were left out of it", async () => {
    const events = recordEvents([GroupCreated, GroupCreated, GroupCreated]).filter(isPermission);
    const file = await exported(logOf(events), signer);
    const lost = await verify(file, { log: factsOf(logOf(events.slice(0, 2))) });
    expect(lost.findings.map(({ line, kind }) => [line, kind])).to.deep.equal([[4, "differs"]]);
    const shorter = await exported(logOf(events.slice(0, 2)), signer, { to: toPosition(6) });
    const leftOut = await verify(shorter, { log: factsOf(logOf(events)) });
    expect(leftOut.findings.map(({ line, kind }) => [line, kind])).to.deep.equal([[4, "differs"]]);
  });
});

describe("exports of ranges", () => {
  it("continue the chain of each other, wherever they are cut", () =>
    check(
      fc.asyncProperty(histories, fc.nat(60), async (events, cut) => {
        const log = logOf(events);
        const head = await log.head();
        const between = toPosition(Math.min(cut, Number(head)));
        const first = await verify(await exported(log, signer, { to: between }), { log: factsOf(log) });
        const second = await verify(await exported(log, signer, { from: between }), { log: factsOf(log) });
        const whole = await verify(await exported(log, signer));
        expect([...first.findings, ...second.findings]).to.deep.equal([]);
        expect(second.header?.before).to.deep.equal(first.head?.after);
        expect(second.head?.after).to.deep.equal(whole.head?.after);
        expect(first.header?.fromPosition).to.equal(beginning);
      }),
      200,
    ));
});
