import { engineAddress, integer, integerOrUnset, type Setting } from "./kinds.js";

/** How the text of files is read. */
export interface ExtractionConfig {
  /** How long one file may be read. */
  readonly extractionTimeoutMs: number;
  /** How much memory the reading of one file may take, in mebibytes. */
  readonly extractionMemoryMb: number;
  /** How many characters of a file's text are kept. */
  readonly extractionMaxCharacters: number;
  /** How many files are read at once; null: one less than there are processors, and at least one. */
  readonly extractionConcurrency: number | null;
  /** How many requests may wait for files to be read. */
  readonly extractionQueue: number;
  /** Whether text is recognized in images. */
  readonly ocr: boolean;
  /** The languages in which text is recognized, as Tesseract names them. */
  readonly ocrLanguages: readonly string[];
  /** Which LibreOffice converts what has no reader here: one that is found, none, or the program at a path. */
  readonly libreOffice: "auto" | "off" | { readonly program: string };
  /** Address of the Apache Tika that reads what this program does not know; null: nobody does. */
  readonly tikaUrl: string | null;
}

export const extractionSettings: { readonly [Field in keyof ExtractionConfig]: Setting<ExtractionConfig[Field]> } = {
  extractionTimeoutMs: {
    name: "EXTRACTION_TIMEOUT_MS",
    default: "30000",
    meaning: "How long the text of one file may take to be read; one that takes longer is skipped.",
    ...integer(100, 3_600_000),
  },
  extractionMemoryMb: {
    name: "EXTRACTION_MEMORY_MB",
    default: "512",
    meaning: "How much memory the reading of one file may take, in MiB; a file that needs more is skipped.",
    ...integer(128, 65_536),
  },
  extractionMaxCharacters: {
    name: "EXTRACTION_MAX_CHARACTERS",
    default: "20000000",
    meaning: "How many characters of a file's text are kept; what is over is cut, and said to be.",
    ...integer(1, 100_000_000),
  },
  extractionConcurrency: {
    name: "EXTRACTION_CONCURRENCY",
    meaning:
      "How many files are read at once, each in a process of its own. Unset: one less than there are processors, and at least one.",
    ...integerOrUnset(1, 64),
  },
  extractionQueue: {
    name: "EXTRACTION_QUEUE",
    default: "64",
    meaning: "How many requests may wait for their files to be read; beyond, 503 with `Retry-After`.",
    ...integer(0, 10_000),
  },
  ocr: {
    name: "OCR",
    default: "off",
    meaning: "`on`: text is recognized in images, and in pages of PDFs that have no text.",
    allowed: "one of off, on",
    parse: (value) => ({ off: false, on: true })[value],
  },
  ocrLanguages: {
    name: "OCR_LANGUAGES",
    default: "deu+eng",
    meaning: "The languages in which text is recognized, as Tesseract names them, joined by `+`.",
    allowed: "names of languages such as `deu` and `eng`, joined by `+`",
    parse: (value) =>
      /^[a-z]{3}(_[a-z]{3,4})?(\+[a-z]{3}(_[a-z]{3,4})?){0,9}$/i.test(value) ? value.split("+") : undefined,
  },
  libreOffice: {
    name: "LIBREOFFICE",
    default: "auto",
    meaning:
      "What converts formats that have no reader here: `auto`: LibreOffice where it is installed; `off`: nothing; a path: that program.",
    allowed: "auto, off, or the path of the program `soffice`",
    parse: (value) =>
      value === "auto" || value === "off" ? value : /^\/[^\0]+$/.test(value) ? { program: value } : undefined,
  },
  tikaUrl: {
    name: "TIKA_URL",
    meaning: "Address of Apache Tika 3, for formats that this program does not read itself. Unset: they are skipped.",
    ...engineAddress("http", "https"),
  },
};
