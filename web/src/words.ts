import { computed, signal } from "@preact/signals";

/** The languages that the pages speak. */
export const languages = ["en", "de"] as const;
/** One of the languages that the pages speak. */
export type Language = (typeof languages)[number];

const keptAs = "language";

const isLanguage = (text: string | null | undefined): text is Language =>
  (languages as readonly (string | null | undefined)[]).includes(text);

/** The chosen language, else the first of the browser's that there is, else English. */
function firstLanguage(): Language {
  const chosen = localStorage.getItem(keptAs);
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? "en";
}

/** The language in which everything is shown. */
export const language = signal<Language>(firstLanguage());

/**
 * How numbers and times are written: as the browser has it where that is the same language, else as the language has
 * it.
 */
export const locale = computed(
  () => navigator.languages.find((tag) => tag.slice(0, 2) === language.value) ?? language.value,
);

/** Making one takes longer than a sentence, so each is made once. */
const numbers = computed(() => new Intl.NumberFormat(locale.value));
const plurals = computed(() => new Intl.PluralRules(locale.value));

/** Changes the language, and remembers it in this browser. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(keptAs, chosen);
  language.value = chosen;
}

/** What is put into a sentence, by name. `count` also chooses between `key_one` and `key`. */
export type Values = Readonly<Record<string, string | number>>;

/** Says a sentence in the language of the moment; components that call it follow a change of language. */
export type Say<Key extends string> = (key: Key, values?: Values) => string;

/**
 * The sentences of a screen, by key, in every language: what English has, German has to have. `{name}` stands for a
 * value; numbers are written as the language writes them. Where `count` is one, `key_one` is said if it is there.
 */
export function words<const English extends Readonly<Record<string, string>>>(sentences: {
  readonly en: English;
  readonly de: { readonly [Key in keyof English]: string };
}): Say<Extract<keyof English, string>> {
  return (key, values = {}) => {
    const own: Readonly<Record<string, string>> = sentences[language.value];
    const isOne = plurals.value.select(Number(values["count"] ?? 2)) === "one";
    const sentence = (isOne ? own[`${key}_one`] : undefined) ?? own[key] ?? key;
    return sentence.replaceAll(/\{(\w+)\}/g, (hole, name: string) => shown(values[name], hole));
  };
}

const shown = (value: string | number | undefined, otherwise: string): string =>
  typeof value === "number" ? numbers.value.format(value) : (value ?? otherwise);
