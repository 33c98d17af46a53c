import { computed } from "@preact/signals";
import { locale } from "../words.js";

/** Making one takes longer than all else of a row of a list, so each is made once. */
const forms = computed(() => ({
  minute: new Intl.DateTimeFormat(locale.value, { dateStyle: "medium", timeStyle: "short" }),
  day: new Intl.DateTimeFormat(locale.value, { dateStyle: "medium" }),
  shortDay: new Intl.DateTimeFormat(locale.value, { dateStyle: "short" }),
}));

interface InstantProps {
  /** An ISO instant. */
  readonly at: string;
  /** With the time of day (default), or the day alone. */
  readonly precision?: "minute" | "day";
}

/** A time in the reader's zone and language; the exact instant when one hovers. */
export function Instant({ at, precision = "minute" }: InstantProps) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  return (
    <time dateTime={at} title={date.toISOString()}>
      {forms.value[precision].format(date)}
    </time>
  );
}

/** A day for where there is little room. */
export const shortDay = (at: string): string => {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  return forms.value.shortDay.format(date);
};

/** An instant as a field for local time shows it; empty: none. */
export function toLocal(instant: string | null | undefined): string {
  const date = new Date(instant ?? "");
  if (Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The instant that a field for local time holds; null: none. */
export function toInstant(local: string): string | null {
  const date = new Date(local);
  return local === "" || Number.isNaN(date.getTime()) ? null : date.toISOString();
}
