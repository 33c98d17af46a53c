/** What stands above a mail. */
export interface MailHead {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly cc: string;
  /** ISO 8601; empty where it is not said. */
  readonly date: string;
  /** Where the mail itself begins. */
  readonly end: number;
}

/** Subject, sender, two kinds of recipients, date. */
const mostLines = 5;
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const person = /<[^\s<>@]{1,200}@[^\s<>@]{1,200}>|^[^\s<>@]{1,200}@[^\s<>@]{1,200}$/;

/**
 * Reads the first lines of a mail's text: subject, sender, recipients and date, each left out where the mail does not
 * say it.
 */
export function mailHeadOf(text: string): MailHead {
  const lines = text.split("\n", mostLines);
  const [first = ""] = lines;
  const subject = person.test(first) || instant.test(first) ? [] : [first];
  const [people, date] = peopleAndDateIn(lines.slice(subject.length));
  const [from = "", to = "", cc = ""] = people;
  const end = [...subject, ...people, ...date].reduce((sum, line) => sum + line.length + 1, 0);
  return { subject: subject[0] ?? "", from, to, cc, date: date[0] ?? "", end: Math.min(text.length, end) };
}

/** All lines before the date name people; without a date, those that look like it. */
function peopleAndDateIn(lines: readonly string[]): readonly [people: readonly string[], date: readonly string[]] {
  const dated = lines.findIndex((line) => instant.test(line));
  if (dated !== -1) return [lines.slice(0, dated), lines.slice(dated, dated + 1)];
  const end = lines.findIndex((line) => !person.test(line));
  return [lines.slice(0, Math.min(3, end === -1 ? lines.length : end)), []];
}
