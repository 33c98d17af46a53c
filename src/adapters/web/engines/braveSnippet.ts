/** A snippet of Brave's LLM Context as plain text: it may be JSON that stood in the page. */
export function braveSnippet(snippet: string): string {
  if (!/^\s*[[{]/.test(snippet)) return snippet;
  try {
    return linesOf(JSON.parse(snippet) as unknown, "").join("\n");
  } catch {
    return snippet;
  }
}

/** What is said in it, a value a line. Names that begin with `@` say nothing to people. */
function linesOf(value: unknown, label: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => linesOf(item, label));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => (name.startsWith("@") ? [] : linesOf(inner, name)));
  if (typeof value !== "string" && typeof value !== "number") return [];
  return [label === "" ? String(value) : `${label}: ${value}`];
}
