import type { Email } from "../../src/shared/ids.js";
import type { CommandServices } from "../services.js";

const fewest = 12;
const most = 256;

/** One way of writing of all that look alike: what is typed on one keyboard is the same on another. */
export const normalizedPassword = (password: string): string => password.normalize("NFC");

/** Why somebody may not have this password, as a sentence that says what to do; null: they may. */
export async function passwordFault(
  { isEasyToGuess, productName }: Pick<CommandServices, "isEasyToGuess" | "productName">,
  password: string,
  email: Email,
): Promise<string | null> {
  const { length } = [...normalizedPassword(password)];
  if (length < fewest)
    return `The password has ${length} of at least ${fewest} characters. Take a longer one: four or five words that do not belong together are easy to remember.`;
  if (length > most) return `The password has ${length} characters, and ${most} are taken at most. Take a shorter one.`;
  const known = [...wordsOf(email), productName];
  return (await isEasyToGuess(normalizedPassword(password), known))
    ? "The password is easy to guess: it is a common one, repeats itself, or is made of your e-mail. Take four or five words that do not belong together."
    : null;
}

const separators = /[^\p{L}\p{N}]+/u;

/** The email, its parts, and what is before the `@` in one word. */
function wordsOf(email: Email): readonly string[] {
  const [person = ""] = email.split("@");
  const words = [email, ...email.split(separators), person.split(separators).join("")];
  return words.filter((word) => word !== "");
}
