/**
 * Which analysis made an index. Raise it with every change that gives a document other terms, other words, another
 * language or its title other words: an index of another version is rebuilt from the log. A test compares a
 * fingerprint, so that no change goes unnoticed.
 */
export const analysisVersion = 11;
