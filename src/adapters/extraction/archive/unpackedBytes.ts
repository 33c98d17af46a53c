import { UnreadableFile } from "../readers/reader.js";

/** What one file may unpack to, with everything inside it. */
export const mostUnpackedBytes = 104_857_600;

/** Ends the reading of the whole file, whichever of the files inside it was being read. */
export class UnpackedTooMuch extends UnreadableFile {}

export const unpackedTooMuch = (): UnpackedTooMuch =>
  new UnpackedTooMuch(`The file unpacks to more than ${mostUnpackedBytes / 1_048_576} MB.`);
