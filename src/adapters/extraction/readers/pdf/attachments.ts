import type { PDFDocumentProxy } from "pdfjs-dist";
import type { Annotation } from "./annotations.js";

/** A file that is kept in a PDF. */
export interface Attachment {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A file in a PDF as the library tells it. */
interface KeptFile {
  readonly filename?: string;
  readonly content?: Uint8Array | null;
}

/** More are not looked at. */
const mostAttachments = 10_000;

/** The files in a PDF, those of the whole first, then those of notes on its pages. Each is there once. */
export async function attachmentsOf(
  document: PDFDocumentProxy,
  annotations: readonly Annotation[],
): Promise<readonly Attachment[]> {
  const ofWhole = (await document.getAttachments().catch(() => null)) as Readonly<Record<string, KeptFile>> | null;
  const ofNotes = annotations.flatMap(({ file }) => (file === undefined ? [] : [file as KeptFile]));
  const found: Attachment[] = [];
  for (const kept of [...Object.values(ofWhole ?? {}), ...ofNotes].slice(0, mostAttachments)) {
    const { filename = "", content } = kept;
    if (content === undefined || content === null) continue;
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    if (!found.some((one) => one.name === filename && one.bytes.equals(bytes))) found.push({ name: filename, bytes });
  }
  return found;
}
