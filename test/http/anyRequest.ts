import * as fc from "fast-check";
import { apiRoutes } from "../../src/wiring/features.js";
import type { DescribedRoute } from "../../src/http/route.js";

/** A request as it goes over the wire, right or wrong. */
export interface AnyRequest {
  readonly route: DescribedRoute;
  readonly method: string;
  /** With query string; may be malformed. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

export interface RequestSources {
  /** Existing names, ids, emails: so that some requests get far. */
  readonly known: readonly string[];
  /** Authorization headers that prove something. */
  readonly serviceAccounts: readonly string[];
  readonly apiKeys: readonly string[];
}

const nastyTexts = [
  "",
  " ",
  ".",
  "..",
  "a..b",
  "../../etc/passwd",
  "__",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "%00",
  "a\u0000b",
  "\ud800",
  "\ufeff",
  "ä".repeat(300),
  "x".repeat(5_000),
  "'; DROP TABLE events; --",
  '"',
  "\\",
  "*",
  "NEAR(",
  "a AND",
  "-",
  '"unclosed',
  "😀".repeat(100),
  "\u202e",
  "\r\nX-Evil: 1",
  "1e400",
  "0".repeat(400),
  "true",
  "2024-02-30",
  "2024-01-01T24:61:00Z",
  "amber_x",
  "AMBER",
  "two words",
  "A@B.C",
];
const nastyText = fc.oneof(
  fc.constantFrom(...nastyTexts),
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.string({ unit: "binary", maxLength: 10 }),
);
const nastyValue = fc.oneof(
  nastyText,
  fc.constantFrom(null, true, false, 0, -1, 1.5, 1e300, [], {}, [[]], [null], [{}], { a: 1 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Replaces, removes, wraps or repeats one value somewhere inside. */
function mutate(value: unknown, choices: Iterator<number>, replacement: unknown): unknown {
  const choose = (count: number): number => Number(choices.next().value) % count;
  if (typeof value !== "object" || value === null || choose(4) === 0)
    return [replacement, undefined, [value], [value, value]][choose(4)];
  const keys = Object.keys(value);
  const key = keys[choose(Math.max(1, keys.length))];
  if (key === undefined) return replacement;
  const changed = mutate((value as Record<string, unknown>)[key], choices, replacement);
  return Array.isArray(value)
    ? value.map((item, index) => (String(index) === key ? changed : (item as unknown)))
    : { ...value, [key]: changed };
}

function bodyOf(route: DescribedRoute): fc.Arbitrary<Buffer | null> {
  const example = route.description.example;
  if (example === undefined) return fc.constantFrom(null, Buffer.from("{}"));
  const valid = JSON.stringify(example);
  const mutated = fc
    .tuple(fc.array(fc.nat(), { minLength: 20, maxLength: 20 }), fc.array(nastyValue, { minLength: 1, maxLength: 3 }))
    .map(([choices, replacements]) =>
      replacements.reduce<unknown>(
        (value, replacement) => mutate(value, [...choices, ...choices, ...choices].values(), replacement),
        example,
      ),
    )
    .map((value) => Buffer.from(JSON.stringify(value) ?? ""));
  const broken = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc.nat(valid.length).map((at) => Buffer.from(valid.slice(0, at))),
    fc
      .tuple(fc.nat(valid.length), fc.uint8Array({ minLength: 1, maxLength: 3 }))
      .map(([at, bytes]) => Buffer.concat([Buffer.from(valid.slice(0, at)), bytes, Buffer.from(valid.slice(at))])),
    fc
      .constantFrom(
        "[".repeat(70),
        '{"a":1,"a":2}',
        '{"a":1e400}',
        `{"a":"\\u0000"}`,
        `{"a":"\\ud800"}`,
        "",
        "null",
        "0",
        '"x"',
      )
      .map((text) => Buffer.from(text)),
  );
  return fc.oneof(
    { weight: 5, arbitrary: mutated },
    { weight: 2, arbitrary: broken },
    { weight: 2, arbitrary: fc.constantFrom(Buffer.from(valid), Buffer.from(valid), null) },
  );
}

/** What a path or query can hold: encoded well, badly or not at all, but no character that ends the request line. */
const inAddress = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: text.map((value) => encodeURIComponent(value.replace(/\p{Surrogate}/gu, "?"))) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "%",
        "%zz",
        "%ff",
        "%c3%28",
        "%ed%a0%80",
        "%00",
        "a%2Fb",
        "%2e%2e",
        "..",
        "a//b",
        "~!@$&'()*+,;=:",
      ),
    },
  );

function addressOf(route: DescribedRoute, known: readonly string[]): fc.Arbitrary<string> {
  const segment = inAddress(
    fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known, "user", "group") }, { weight: 1, arbitrary: nastyText }),
  );
  const names = [
    "query",
    "count",
    "start_page",
    "data_source",
    "file_type",
    "last_modified",
    "document_id",
    "include_text_content",
    "parent_key",
    "unknown",
  ];
  const value = inAddress(fc.oneof(fc.constantFrom(...known, "10", "0", "pdf", "week", "true", "receipts"), nastyText));
  const query = fc
    .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 5 })
    .map((pairs) => pairs.map(([name, text]) => `${name}=${text}`).join("&"));
  const needed = fc.constantFrom(
    "",
    "query=receipts&",
    "document_id=handbook__travel-2024.md&",
    "user=ada%40example.org&",
    "document=handbook%2Ftravel-2024.md&",
  );
  return fc
    .tuple(fc.array(segment, { minLength: 6, maxLength: 6 }), needed, query)
    .map(([segments, start, rest]) => `${route.path.replace(/\{\w+\}/g, () => segments.pop() ?? "")}?${start}${rest}`);
}

/** Requests to every route: mostly nearly right, so that they reach what is behind validation. */
export function anyRequest({ known, serviceAccounts, apiKeys }: RequestSources): fc.Arbitrary<AnyRequest> {
  return fc.constantFrom(...apiRoutes).chain((route) => {
    const proofs = route.access === "serviceAccount" || route.access === "open" ? serviceAccounts : apiKeys;
    const authorization = fc.oneof(
      { weight: 15, arbitrary: fc.constantFrom(...proofs) },
      { weight: 1, arbitrary: fc.constantFrom("", "Bearer", "Bearer x", "Basic eDp5", ...apiKeys, ...serviceAccounts) },
    );
    const contentType = fc.oneof(
      { weight: 15, arbitrary: fc.constant("application/json") },
      {
        weight: 1,
        arbitrary: fc.constantFrom("", "text/plain", "application/json; charset=utf-16", ";", "application/xml"),
      },
    );
    const token = fc.oneof(
      { weight: 8, arbitrary: fc.constant("") },
      {
        weight: 1,
        arbitrary: fc.constantFrom(`p2-${"A".repeat(22)}`, `p2-${"z".repeat(22)}, p2-`, "p1-1", "p2-", "x", "0"),
      },
    );
    const requestId = fc.constantFrom("", "trace-1", "a b", "x".repeat(200), "<script>");
    return fc.record({
      route: fc.constant(route),
      method: fc.oneof(
        { weight: 20, arbitrary: fc.constant<string>(route.method) },
        { weight: 1, arbitrary: fc.constantFrom("HEAD", "OPTIONS", "PATCH", "PUT", "TRACE") },
      ),
      path: addressOf(route, known),
      headers: fc
        .record({ authorization, "content-type": contentType, "x-consistency-token": token, "x-request-id": requestId })
        .map((headers) => Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""))),
      body: bodyOf(route),
    });
  });
}
