import { match, P } from "ts-pattern";
import { permissionFactsOf, type PermissionFact } from "../../audit/timeline/permissionFact.js";
import { permissionCategories } from "../../events/streams.js";
import type { DatasourceId, PrincipalToken } from "../../shared/ids.js";
import type { PrincipalTokens } from "../../shared/principalTokens.js";
import type { Difference, Drift } from "./answers.js";
import { readLog, type LogStretch } from "./readLog.js";

/**
 * Says in words who stands behind the tokens of these differences, by minting those of everyone whom the log ever
 * named. A token that nobody in the log has stays as it is.
 */
export async function nameThePrincipals(
  drift: readonly Drift[],
  tokens: PrincipalTokens,
  stretch: Omit<LogStretch, "categories">,
): Promise<readonly Drift[]> {
  const wanted = new Set(drift.flatMap(({ differences }) => differences.flatMap(tokensIn)));
  if (wanted.size === 0) return drift;
  const words = new Map<string, string>();
  const names = new Map<DatasourceId, string>();
  for await (const events of readLog({ ...stretch, categories: permissionCategories })) {
    for (const fact of events.flatMap(({ event }) => permissionFactsOf(event))) {
      const { datasourceId } = fact;
      if (fact.about === "incarnation") names.set(datasourceId, fact.name);
      const found = principalsIn(fact, tokens).filter(([token]) => wanted.has(token) && !words.has(token));
      found.forEach(([token, name]) => words.set(token, `${name} of ${names.get(datasourceId) ?? datasourceId}`));
    }
    if (words.size === wanted.size) break;
  }
  return drift.map(({ subject, differences }) => ({
    subject,
    differences: differences.map((difference) => inWords(difference, words)),
  }));
}

/** The principals that a fact names, with their names. */
const principalsIn = (fact: PermissionFact, tokens: PrincipalTokens): readonly (readonly [PrincipalToken, string])[] =>
  match(fact)
    .returnType<readonly (readonly [PrincipalToken, string])[]>()
    .with({ about: "incarnation", kind: "opened" }, ({ datasourceId }) => [
      [tokens.anonymous(datasourceId), "everyone registered"],
    ])
    .with({ about: "group", kind: P.union("created", "renamed") }, ({ datasourceId, name }) => [
      [tokens.group(datasourceId, name), `group ${name}`],
    ])
    .with({ about: "person", kind: "registered" }, ({ datasourceId, email }) => [
      [tokens.user(datasourceId, email), email],
    ])
    .with({ about: "document", kind: "indexed" }, ({ datasourceId, access: { users, groups } }) => [
      ...users.map((email) => [tokens.user(datasourceId, email), email] as const),
      ...groups.map((group) => [tokens.group(datasourceId, group), `group ${group}`] as const),
    ])
    .with({ kind: P.union("closed", "deleted", "joined", "left") }, { about: "person", kind: "renamed" }, () => [])
    .exhaustive();

const decision = "decision on ";

const tokensIn = (difference: Difference): readonly string[] =>
  "missing" in difference
    ? [...difference.missing, ...difference.extra]
    : difference.aspect.startsWith(decision)
      ? [difference.aspect.slice(decision.length)]
      : [];

function inWords(difference: Difference, words: ReadonlyMap<string, string>): Difference {
  const said = (token: string): string => words.get(token) ?? `principal ${token}, whom the log does not name`;
  if ("missing" in difference)
    return { ...difference, missing: difference.missing.map(said), extra: difference.extra.map(said) };
  return difference.aspect.startsWith(decision)
    ? { ...difference, aspect: decision + said(difference.aspect.slice(decision.length)) }
    : difference;
}
