import type { IValidation } from "typia";

/** Looking for all that is wrong takes microseconds for each find, and a find for each value may be there. */
const mostValues = 1_000;

type Found = Pick<IValidation.IError, "path" | "expected" | "value">;

/** The first thing that is wrong. To be given to typia's `createAssert` as `wrongShape`. */
class WrongShape extends Error {
  constructor(readonly found: Found) {
    super(`Something else was expected at ${found.path}.`);
  }
}

/** Makes the error that an assertion throws. */
export const wrongShape = ({ path = "$input", expected, value }: Partial<Found> & Pick<Found, "expected">): Error =>
  new WrongShape({ path, expected, value });

/**
 * Finds everything that is wrong with a small value, and the first thing that is wrong with a large one: a body of
 * 256 KiB could otherwise take seconds to be refused. A right value is told as fast by either.
 */
export const boundedValidation =
  <Message>(validate: (input: unknown) => IValidation<Message>, assert: (input: unknown) => Message) =>
  (input: unknown): IValidation<Message> => {
    if (!holdsMoreThan(mostValues, input)) return validate(input);
    try {
      return { success: true, data: assert(input) };
    } catch (error) {
      if (error instanceof WrongShape) return { success: false, data: input, errors: [error.found] };
      throw error;
    }
  };

/** Whether there are more values in a value; looks at no more than that. */
function holdsMoreThan(most: number, input: unknown): boolean {
  let left = most;
  const isBeyond = (value: unknown): boolean => {
    if (--left < 0) return true;
    if (typeof value !== "object" || value === null) return false;
    return Array.isArray(value) ? value.some(isBeyond) : Object.values(value).some(isBeyond);
  };
  return isBeyond(input);
}
