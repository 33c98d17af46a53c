import { ok, type Result } from "../../src/shared/result.js";
import type { Rejection } from "../rejection.js";
import type { DocumentSchema } from "./documentSchema.js";
import type { IndexDocument } from "./indexing.js";
import { listed, schemaViolation } from "./schemaViolation.js";

/** Where a document hangs in the datasource's tree; a child never stands without its parent. */
export interface SubBinding {
  readonly sub: string | null;
  readonly childSub: string | null;
}

/**
 * Checks the keys against the datasource's subs and infers the parent where it was left out (spec: Documents, rule 6).
 */
export function bindToSub(
  { sub, childSub }: Pick<IndexDocument, "sub" | "childSub">,
  schema: DocumentSchema,
): Result<SubBinding, Rejection> {
  if (sub !== null) return bindToTop(sub, childSub, schema);
  return childSub === null ? ok({ sub, childSub }) : inferParent(childSub, schema);
}

function bindToTop(
  sub: string,
  childSub: string | null,
  { childrenOf }: DocumentSchema,
): Result<SubBinding, Rejection> {
  const children = childrenOf.get(sub);
  if (children === undefined) {
    const valid = listed(childrenOf.keys(), "the datasource declares no subs");
    return schemaViolation(
      "INVALID_DATA_SOURCE_SUB",
      `data_source_sub "${sub}" is not a top-level sub of the datasource. Valid keys: ${valid}.`,
    );
  }
  if (childSub === null || children.has(childSub)) return ok({ sub, childSub });
  const valid = listed(children, "it has no children");
  return schemaViolation(
    "INVALID_DATA_SOURCE_SUB_SUB",
    `data_source_sub_sub "${childSub}" is not a child of sub "${sub}". Valid keys: ${valid}.`,
  );
}

function inferParent(childSub: string, { childrenOf, parentsOf }: DocumentSchema): Result<SubBinding, Rejection> {
  if (childrenOf.size === 0) {
    return schemaViolation(
      "INVALID_DATA_SOURCE_SUB",
      `data_source_sub_sub "${childSub}" cannot be used: the datasource declares no subs.`,
    );
  }
  const [only, ...others] = parentsOf.get(childSub) ?? [];
  if (only === undefined) {
    const valid = listed(parentsOf.keys(), "no sub has children");
    return schemaViolation(
      "INVALID_DATA_SOURCE_SUB_SUB",
      `data_source_sub_sub "${childSub}" is not a child of any sub of the datasource. Valid keys: ${valid}.`,
    );
  }
  if (others.length > 0) {
    const parents = listed([only, ...others], "");
    return schemaViolation(
      "AMBIGUOUS_DATA_SOURCE_SUB_SUB",
      `data_source_sub_sub "${childSub}" exists under several subs: say which by data_source_sub. Candidates: ${parents}.`,
    );
  }
  return ok({ sub: only, childSub });
}
