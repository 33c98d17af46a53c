import { xlsx } from "./office.js";
import { drawn, PdfMaker } from "./pdfs.js";
import { letter, scanned } from "./scans.js";
import { packed, zip, type Packed } from "./zip.js";

/** More than a file may unpack to. Packed once: it takes a while. */
export const tooManyZeros = (): Packed => (zeros ??= packed(Buffer.alloc(110_000_000)));
let zeros: Packed | undefined;

export const zipBomb = (): Buffer => zip({ "zeros.txt": tooManyZeros() });
/** The same, with a directory that says that it is small. */
export const lyingZipBomb = (): Buffer => zip({ "small.txt": tooManyZeros() }, { unpackedBytes: 10 });
export const docxBomb = (): Buffer => zip({ "[Content_Types].xml": "<Types/>", "word/document.xml": tooManyZeros() });

/** An archive in an archive, and so on. */
export function nestedArchives(depth = 50): Buffer {
  let inner = zip({ "deep.txt": "too deep" });
  for (let level = 1; level < depth; level++) inner = zip({ "inner.zip": inner });
  return inner;
}

/** Names that lead out of wherever an archive is unpacked. */
export const outwardArchive = (): Buffer =>
  zip({ "../../etc/passwd": "only a name", "/absolute.md": "# also", "..\\windows\\win.ini": "and this" });

/** A part of a Word document, by its name, that is ten to the power of twenty words where its entities are replaced. */
export function entityBomb(name = "word/document.xml", text = "<d><p><t>&l20;</t></p></d>"): Buffer {
  const laughs = Array.from({ length: 20 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join("");
  return zip({
    "[Content_Types].xml": "<Types/>",
    [name]: `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY l0 "ha">${laughs}]>${text}`,
  });
}

/** A sheet with a cell, a million rows with nothing in them, and another cell. */
export const emptyRows = (): Buffer =>
  xlsx({ S: `<row><c><v>1</v></c></row>${'<row r="7"/>'.repeat(1_000_000)}<row><c><v>2</v></c></row>` });

/** A PDF whose tree of pages leads back to itself. */
export function loopingPdf(): Buffer {
  const maker = new PdfMaker();
  maker.pageTree = "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000000 >>";
  return maker.make();
}

/** A PDF of one page, whose forms show each other twice: in all 2 to the power of forty times. */
export function doublingPdf(): Buffer {
  const maker = new PdfMaker();
  const font = maker.addStandardFont();
  let inner = maker.addStream(drawn(["word"]), form(`/Font << /F1 ${font} 0 R >>`));
  for (let level = 0; level < 40; level++)
    inner = maker.addStream("/X Do /X Do", form(`/XObject << /X ${inner} 0 R >>`));
  maker.addPage("/X Do", { F1: font }, `/XObject << /X ${inner} 0 R >>`);
  return maker.make();
}

const form = (resources: string): string =>
  `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << ${resources} >>`;

export const deepPage = (depth = 1_000_000): Buffer => Buffer.from("<div>".repeat(depth));
/** A page of this many bytes, with few elements. */
export const longPage = (bytes = 50_000_000): Buffer =>
  Buffer.from(`<p>${"word ".repeat(1_000)}</p>`.repeat(Math.ceil(bytes / 5_007)));

/** A message in a message, and so on, below these headers. */
export const deepEmail = (headers = "From: a@example.org\r\nSubject: Deep\r\nMIME-Version: 1.0"): Buffer =>
  Buffer.from(
    `${headers}\r\n${Array.from(
      { length: 500 },
      (_, n) => `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}\r\n`,
    ).join("")}\r\nend`,
  );

/** Lines like the headers of a mail, without the empty line that ends those: a calendar, a log. */
export const headersWithoutEnd = (lines = 100): Buffer => Buffer.from("Key: value\r\n".repeat(lines));

/** A PNG of no more than its head. */
export function pngHead(width: number, height: number): Buffer {
  const head = Buffer.from("89504e470d0a1a0a0000000d494844520000000000000000080200000000000000", "hex");
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
}

/** A JPEG with a whole head, and nothing that could be decoded behind it. */
export function bentJpeg(): Buffer {
  const bent = Buffer.from(scanned(letter, "image/jpeg"));
  for (let at = 200; at < 700; at += 3) bent[at] = 0xff;
  return bent;
}

/** A file that is made to exhaust whoever reads it, and what becomes of it where it is pushed, with `OCR=on`. */
export interface HostileFile {
  readonly mimeType: string;
  make(): Buffer;
  readonly outcome: "sent" | "skipped";
  /** What its sender is told; where there was a version before, that it stays is said behind it. */
  readonly message: RegExp;
}

const unpacksToTooMuch = /^The file unpacks to more than 100 MB\./;
const isSent = /^document sent to the indexing pipeline\./;
const docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const xlsxType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const sent = (mimeType: string, make: () => Buffer): HostileFile => ({
  ...{ mimeType, make, outcome: "sent", message: isSent },
});
const skipped = (mimeType: string, make: () => Buffer, message: RegExp): HostileFile => ({
  ...{ mimeType, make, outcome: "skipped", message },
});

/** By what they are. */
export const hostileFiles: Readonly<Record<string, HostileFile>> = {
  "a ZIP bomb": skipped("application/zip", zipBomb, unpacksToTooMuch),
  "a bomb in a DOCX": skipped(docxType, docxBomb, unpacksToTooMuch),
  "archives nested 50 deep": sent("application/zip", nestedArchives),
  "a size that is a lie": skipped("application/zip", lyingZipBomb, unpacksToTooMuch),
  "a PDF that leads back to itself": skipped("application/pdf", loopingPdf, /^The PDF is damaged\./),
  "an XML bomb in a DOCX": skipped(docxType, entityBomb, /not well-formed XML\./),
  "nothing but NULs": skipped("application/pdf", () => Buffer.alloc(5_000_000), /^The PDF is damaged\./),
  "names that lead outwards": sent("application/zip", outwardArchive),
  "an HTML page nested a million deep": skipped("text/html", deepPage, /^The page has too many elements .+\./),
  "an email nested 500 deep": skipped("message/rfc822", deepEmail, /^The email cannot be read: .+ nested too deep\./),
  "an image of 50,000 by 50,000 pixels": skipped(
    ...(["image/png", () => pngHead(50_000, 50_000), /^The image has more than 50 million pixels\./] as const),
  ),
  "a corrupt JPEG": skipped("image/jpeg", bentJpeg, /^The image is damaged\./),
  "headers without an end": sent("text/plain", headersWithoutEnd),
  "an XLSX of a million empty rows": sent(xlsxType, emptyRows),
};
