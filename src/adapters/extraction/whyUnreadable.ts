import { mediaTypes } from "./detect/mediaTypes.js";

/** Formats that are known, and what to do about them. */
const reasons: Readonly<Record<string, string>> = {
  [mediaTypes.encrypted]: "The Office file is encrypted.",
  [mediaTypes.doc]: "Word files of the old format (.doc) cannot be read. Save the document as .docx and send that.",
  [mediaTypes.xls]: "Excel files of the old format (.xls) cannot be read. Save the workbook as .xlsx and send that.",
  [mediaTypes.ppt]: "PowerPoint files of the old format (.ppt) cannot be read. Save the slides as .pptx and send that.",
};

/** Why there is no reader for a file, as a sentence for the person who sent it. */
export const whyUnreadable = (mimeType: string): string =>
  reasons[mimeType] ?? `Text cannot be extracted from ${mimeType}. Send the text itself as text_content.`;
