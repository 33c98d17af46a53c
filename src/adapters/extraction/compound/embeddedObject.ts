import { UnreadableFile, type InnerFile } from "../readers/reader.js";
import { CompoundFile } from "./compoundFile.js";

/** Streams in which programs keep the file that they embed, and how such a file ends. */
const wholeFiles: readonly (readonly [string, string])[] = [
  ["Package", ""],
  ["CONTENTS", ".pdf"],
];
/** Streams of files of old Office programs: the object is such a file itself. */
const ownStreams = ["WordDocument", "Workbook", "Book", "PowerPoint Document"];

/** The file that is embedded as an object; null where it is none that a reader could open, such as a formula. */
export function embeddedObject(bytes: Buffer, name: string): InnerFile | null {
  const object = openObject(bytes);
  if (object === null) return null;
  const packaged = object.stream("\u0001Ole10Native");
  if (packaged !== null) return packagedFile(packaged);
  for (const [path, extension] of wholeFiles) {
    const whole = object.stream(path);
    if (whole !== null) return { name: withExtension(name, extension), declaredMimeType: null, open: () => whole };
  }
  if (!ownStreams.some((path) => object.has(path))) return null;
  return { name: withExtension(name, ""), declaredMimeType: null, open: () => bytes };
}

function openObject(bytes: Buffer): CompoundFile | null {
  try {
    return new CompoundFile(bytes);
  } catch (error) {
    if (error instanceof UnreadableFile) return null;
    throw error;
  }
}

/** `oleObject1.bin` says nothing of what is in it. */
const withExtension = (name: string, extension: string): string => name.replace(/\.bin$/, extension);

/** A file of any kind: its name, the path that it came from, and its bytes. */
function packagedFile(stream: Buffer): InnerFile | null {
  try {
    const label = endingAt(stream, 6);
    const path = endingAt(stream, label.end);
    // Two words, and then the path of a copy with its length.
    const copy = path.end + 4;
    const at = copy + 4 + stream.readUInt32LE(copy);
    const bytes = stream.subarray(at + 4, at + 4 + stream.readUInt32LE(at));
    return { name: label.text, declaredMimeType: null, open: () => bytes };
  } catch {
    return null;
  }
}

function endingAt(stream: Buffer, start: number): { readonly text: string; readonly end: number } {
  const end = stream.indexOf(0, start);
  if (end < 0) throw new RangeError("The text does not end.");
  return { text: stream.toString("latin1", start, end), end: end + 1 };
}
