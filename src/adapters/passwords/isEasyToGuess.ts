import type { IsEasyToGuess } from "../../../commands/ports.js";
import type { PasswordJudge } from "./passwordJudge.js";

/** 0 to 4, by the number of guesses; from 3 on (a hundred million and more) a slow hash keeps the password. */
const lowestScore = 3;

let judge: Promise<PasswordJudge> | null = null;

/**
 * By the number of guesses that an attacker who knows common passwords, names, keyboards and dates would need (zxcvbn).
 * A list of common passwords alone would let `aaaaaaaaaaaa` and `passwordpassword` pass, and the person's own name. The
 * dictionaries take 25 MB of memory, and are loaded with the first password that is set.
 */
export const isEasyToGuess: IsEasyToGuess = async (password, known) => {
  const { score } = (await (judge ??= loadJudge())).check(password, [...known]);
  return score < lowestScore;
};

const loadJudge = async (): Promise<PasswordJudge> => (await import("./passwordJudge.js")).judge;
