const names = ["EVENTSTORE_URL", "TYPESENSE_URL", "TYPESENSE_API_KEY", "REDIS_URL"] as const;

/** The engines that the environment of this test run names. */
export const namedEngines: NodeJS.ProcessEnv = Object.fromEntries(
  names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined || value === "" ? [] : [[name, value]];
  }),
);

/** A suite for real engines: skipped, with the reason in its title, where the environment names none. */
export function describeOnNamedEngines(title: string, suite: () => void): void {
  if (Object.keys(namedEngines).length > 0) describe(title, suite);
  else describe.skip(`${title}: none of ${names.join(", ")} is set`, suite);
}
