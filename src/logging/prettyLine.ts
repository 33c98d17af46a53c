interface LoggedError {
  readonly message?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const levelWidth = 5;

/** A line of the log, which is a JSON object, for people: when, how bad, what, and what else is known of it. */
export function prettyLine(json: string): string {
  const { time, level, msg, version: _version, err, ...known } = JSON.parse(json) as Record<string, unknown>;
  const facts = Object.entries(known).map(([name, value]) => `${name}=${textOf(value)}`);
  const head = [clock(time), String(level).toUpperCase().padEnd(levelWidth), msg ?? "", ...facts].join(" ").trimEnd();
  return `${head}\n${err === undefined ? "" : describe(err as LoggedError)}`;
}

/** The time of day, in the time zone of this machine. */
function clock(time: unknown): string {
  const at = new Date(String(time));
  const digits = (number: number, width = 2): string => String(number).padStart(width, "0");
  return `${digits(at.getHours())}:${digits(at.getMinutes())}:${digits(at.getSeconds())}.${digits(at.getMilliseconds(), 3)}`;
}

const textOf = (value: unknown): string =>
  typeof value === "string" && !/[\s"=]/.test(value) && value !== "" ? value : JSON.stringify(value);

/** The stack has the message in its first line. */
function describe({ message, stack, cause }: LoggedError): string {
  const own = (stack ?? message ?? "").replace(/^/gm, "    ");
  return `${own}\n${cause === undefined ? "" : `    caused by\n${describe(cause)}`}`;
}
