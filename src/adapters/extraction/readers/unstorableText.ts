/** Thrown for a file of a text media type that holds NUL characters or unpaired surrogates. */
export class UnstorableText extends Error {}
