import { isImage, mediaTypes } from "./detect/mediaTypes.js";

/** Formats that are known, and what to do about them. */
const reasons: Readonly<Record<string, string>> = {
  [mediaTypes.encrypted]: "The Office file is encrypted.",
  [mediaTypes.doc]: "Word files of the old format (.doc) cannot be read. Save the document as .docx and send that.",
  [mediaTypes.xls]: "Excel files of the old format (.xls) cannot be read. Save the workbook as .xlsx and send that.",
  [mediaTypes.ppt]: "PowerPoint files of the old format (.ppt) cannot be read. Save the slides as .pptx and send that.",
};

/**
 * Why there is no reader for a file, and what to do about it, as sentences for the person who sent it. They fit whatever
 * way it came: a document in a push may come with its text instead, and what is uploaded may be another file.
 */
export function whyUnreadable(mimeType: string): string {
  if (isImage(mimeType))
    return `Images of the type ${mimeType} cannot be read. Convert the image to JPEG or PNG and send that.`;
  if (mimeType.startsWith("video/"))
    return `The file is a video (${mimeType}). Send what is said in it as text instead.`;
  if (mimeType.startsWith("audio/")) return `The file is a recording (${mimeType}). Send what is said in it as text.`;
  if (mimeType === mediaTypes.anything)
    return "It cannot be told what kind of file it is. Send its text, or save it as PDF.";
  return reasons[mimeType] ?? `Text cannot be extracted from ${mimeType}. Send its text, or save it as PDF.`;
}
