/**
 * Which analysis an index was made by. Raise it with every change that gives a document other terms, words or another
 * language: an index of another version is rebuilt from the log. A test compares a fingerprint, so that no change goes
 * unnoticed.
 */
export const analysisVersion = 1;
