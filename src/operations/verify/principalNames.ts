import type { RecordedEvent } from "../../events/domainEvent.js";
import type { DatasourceId, PrincipalToken } from "../../shared/ids.js";
import type { PrincipalTokens } from "../../shared/principalTokens.js";
import type { Difference, Drift } from "./differences.js";
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
  for await (const events of readLog({ ...stretch, categories: ["datasource", "groupGraph", "user", "document"] })) {
    for (const { event } of events) {
      if (event.type === "DatasourceRegistered") names.set(event.data.datasourceId, event.data.name);
      const { datasourceId } = event.data as { readonly datasourceId: DatasourceId };
      const found = principalsIn(event, tokens).filter(([token]) => wanted.has(token) && !words.has(token));
      found.forEach(([token, name]) => words.set(token, `${name} of ${names.get(datasourceId) ?? datasourceId}`));
    }
    if (words.size === wanted.size) break;
  }
  return drift.map(({ subject, differences }) => ({
    subject,
    differences: differences.map((difference) => inWords(difference, words)),
  }));
}

function principalsIn(
  event: RecordedEvent["event"],
  tokens: PrincipalTokens,
): readonly (readonly [PrincipalToken, string])[] {
  if (event.type === "DatasourceRegistered")
    return [[tokens.anonymous(event.data.datasourceId), "everyone registered"]];
  if (event.type === "GroupCreated" || event.type === "GroupRenamed")
    return [[tokens.group(event.data.datasourceId, event.data.name), `group ${event.data.name}`]];
  if (event.type === "UserRegistered")
    return [[tokens.user(event.data.datasourceId, event.data.email), event.data.email]];
  if (event.type !== "DocumentIndexed") return [];
  const { datasourceId, access } = event.data;
  return [
    ...access.users.map((email) => [tokens.user(datasourceId, email), email] as const),
    ...access.groups.map((group) => [tokens.group(datasourceId, group), `group ${group}`] as const),
  ];
}

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
