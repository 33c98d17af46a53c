/** Pairs of a form and the stem of its base, of those that begin with other letters: the forms, by that stem. */
export function beginningOtherwise(
  forms: Iterable<readonly [form: string, base: string]>,
): ReadonlyMap<string, readonly string[]> {
  const byBase = new Map<string, string[]>();
  for (const [form, base] of forms)
    if (form.slice(0, 2) !== base.slice(0, 2)) byBase.set(base, [...(byBase.get(base) ?? []), form]);
  return byBase;
}
