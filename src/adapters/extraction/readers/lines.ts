/** What no line of text means: control characters and halves of surrogate pairs. Line breaks are put in here. */
// eslint-disable-next-line no-control-regex
const meaningless = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200b\ufeff\ufffe\uffff]|\p{Cs}/gu;

/** Ligatures and wide letters as plain ones, gaps as one space; without what nobody can read and without empty lines. */
export function joinLines(lines: readonly string[]): string {
  return lines
    .map((line) => line.normalize("NFKC").replace(meaningless, "").replace(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}
