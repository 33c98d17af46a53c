/** Programs fill in where a document came from, or what every document has, where nobody gave it a title. */
const noTitles = [
  /^[a-z][a-z\d+.-]{1,20}:\/\//i,
  /^(?:[a-z]:)?[\\/]\S/i,
  /^(?:untitled|unbenannt|ohne titel|no title|sans titre)\b/i,
  /\.(?:docx?|docm|dotx?|rtf|odt|ott|wpd|wps|pages|sxw|sdw|txt|pdf|xlsx?|xlsm|ods|pptx?|odp|html?|md)$/i,
  /^(?:table of contents|contents|inhaltsverzeichnis|inhaltsübersicht|inhalt|table des matières|toc)[.:]?$/i,
  /^(?:document|dokument|presentation|präsentation|book|mappe|workbook|slide|folie|title|titel|kein titel)[ ]?\d{0,4}$/i,
  /^(?:powerpoint[- ](?:presentation|präsentation)|word[- ](?:document|dokument)|new document|neues dokument)$/i,
];

/** Printing from an office program names that program first. */
const program = /^Microsoft (?:Office )?\w{1,20} - (?=\S)/;

/** What a title on one line says; undefined where it is none that tells documents apart. */
export function tellingTitle(line: string): string | undefined {
  const title = line.replace(program, "");
  return title === "" || noTitles.some((no) => no.test(title)) ? undefined : title;
}
