import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs as graphs, dictionary } from "@zxcvbn-ts/language-common";

/** Scores passwords; a module of its own, since its dictionaries are large and most processes never look at one. */
export type PasswordJudge = Pick<ZxcvbnFactory, "check">;

export const judge: PasswordJudge = new ZxcvbnFactory({ dictionary, graphs });
