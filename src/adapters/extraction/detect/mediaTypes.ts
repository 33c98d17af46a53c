/** The media types that files are known by here. */
export const mediaTypes = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  odt: "application/vnd.oasis.opendocument.text",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odp: "application/vnd.oasis.opendocument.presentation",
  odg: "application/vnd.oasis.opendocument.graphics",
  epub: "application/epub+zip",
  visio: "application/vnd.ms-visio.drawing",
  xps: "application/vnd.ms-xpsdocument",
  pages: "application/vnd.apple.pages",
  numbers: "application/vnd.apple.numbers",
  keynote: "application/vnd.apple.keynote",
  zip: "application/zip",
  rtf: "application/rtf",
  eml: "message/rfc822",
  msg: "application/vnd.ms-outlook",
  mbox: "application/mbox",
  smime: "application/pkcs7-mime",
  tnef: "application/vnd.ms-tnef",
  calendar: "text/calendar",
  card: "text/vcard",
  doc: "application/msword",
  xls: "application/vnd.ms-excel",
  xlsb: "application/vnd.ms-excel.sheet.binary.macroenabled.12",
  ppt: "application/vnd.ms-powerpoint",
  compound: "application/x-cfb",
  /** A file of parts as Office's are, for a program that nobody here knows. */
  officePackage: "application/x-office-package",
  /** Any Office file that asks for a password. */
  encrypted: "application/encrypted",
  /** Bytes of which nothing is known. */
  anything: "application/octet-stream",
} as const;

/** Other names of the same. */
const aliases: Readonly<Record<string, string>> = {
  "application/x-pdf": mediaTypes.pdf,
  "application/acrobat": mediaTypes.pdf,
  "text/rtf": mediaTypes.rtf,
  "text/richtext": mediaTypes.rtf,
  "application/x-rtf": mediaTypes.rtf,
  "application/x-zip": mediaTypes.zip,
  "application/x-zip-compressed": mediaTypes.zip,
  "application/x-msg": mediaTypes.msg,
  "application/x-mimearchive": mediaTypes.eml,
  "application/eml": mediaTypes.eml,
  "message/global": mediaTypes.eml,
  "message/news": mediaTypes.eml,
  "multipart/related": mediaTypes.eml,
  "application/x-mbox": mediaTypes.mbox,
  "application/x-pkcs7-mime": mediaTypes.smime,
  "application/ms-tnef": mediaTypes.tnef,
  "application/x-tnef": mediaTypes.tnef,
  "application/ics": mediaTypes.calendar,
  "text/x-vcalendar": mediaTypes.calendar,
  "text/x-vcard": mediaTypes.card,
  "text/directory": mediaTypes.card,
  "application/vcard": mediaTypes.card,
  "application/vnd.msword": mediaTypes.doc,
  "application/x-msword": mediaTypes.doc,
  "application/x-msexcel": mediaTypes.xls,
  "application/x-excel": mediaTypes.xls,
  "application/excel": mediaTypes.xls,
  "application/mspowerpoint": mediaTypes.ppt,
  "application/x-mspowerpoint": mediaTypes.ppt,
  "application/vnd.ms-word.document.macroenabled.12": mediaTypes.docx,
  "application/vnd.ms-word.template.macroenabled.12": mediaTypes.docx,
  "application/vnd.openxmlformats-officedocument.wordprocessingml.template": mediaTypes.docx,
  "application/vnd.ms-powerpoint.presentation.macroenabled.12": mediaTypes.pptx,
  "application/vnd.ms-powerpoint.slideshow.macroenabled.12": mediaTypes.pptx,
  "application/vnd.openxmlformats-officedocument.presentationml.slideshow": mediaTypes.pptx,
  "application/vnd.openxmlformats-officedocument.presentationml.template": mediaTypes.pptx,
  "application/vnd.ms-excel.sheet.macroenabled.12": mediaTypes.xlsx,
  "application/vnd.openxmlformats-officedocument.spreadsheetml.template": mediaTypes.xlsx,
  "application/vnd.oasis.opendocument.text-template": mediaTypes.odt,
  "application/vnd.oasis.opendocument.text-master": mediaTypes.odt,
  "application/vnd.oasis.opendocument.text-web": mediaTypes.odt,
  "application/vnd.oasis.opendocument.spreadsheet-template": mediaTypes.ods,
  "application/vnd.oasis.opendocument.presentation-template": mediaTypes.odp,
  "application/vnd.oasis.opendocument.graphics-template": mediaTypes.odg,
  "application/vnd.sun.xml.writer": mediaTypes.odt,
  "application/vnd.sun.xml.calc": mediaTypes.ods,
  "application/vnd.sun.xml.impress": mediaTypes.odp,
  "application/vnd.sun.xml.draw": mediaTypes.odg,
  "application/vnd.rar": "application/x-rar-compressed",
  "application/x-rar": "application/x-rar-compressed",
  "application/x-gzip": "application/gzip",
  "application/x-gtar": "application/x-tar",
  "application/bzip2": "application/x-bzip2",
  "application/x-bzip": "application/x-bzip2",
  "application/x-zstd": "application/zstd",
  "application/vnd.debian.binary-package": "application/x-deb",
  "application/vnd.ms-visio.drawing.macroenabled.12": mediaTypes.visio,
  "application/vnd.ms-visio.template": mediaTypes.visio,
  "application/vnd.ms-visio.stencil": mediaTypes.visio,
  "application/oxps": mediaTypes.xps,
  "image/jpg": "image/jpeg",
  "image/pjpeg": "image/jpeg",
  "image/x-png": "image/png",
  "image/apng": "image/png",
  "image/x-ms-bmp": "image/bmp",
  "image/x-bmp": "image/bmp",
  "image/tif": "image/tiff",
  "image/heif": "image/heic",
  "image/heic-sequence": "image/heic",
  "image/heif-sequence": "image/heic",
};

/** Media types by which a client says that it does not know. */
const unspoken: ReadonlySet<string> = new Set([
  mediaTypes.anything,
  "application/x-octet-stream",
  "application/unknown",
  "application/x-unknown",
  "application/x-download",
  "application/force-download",
  "binary/octet-stream",
  "unknown/unknown",
  "",
]);

/** The usual name of a media type; null where it says nothing. */
export const canonical = (mimeType: string | null): string | null =>
  mimeType === null || unspoken.has(mimeType) ? null : (aliases[mimeType] ?? mimeType);

/** Formats that are ZIP archives, so that calling one an archive is true. */
const zipped: ReadonlySet<string> = new Set<string>([
  ...[mediaTypes.docx, mediaTypes.pptx, mediaTypes.xlsx],
  ...[mediaTypes.odt, mediaTypes.ods, mediaTypes.odp, mediaTypes.odg, mediaTypes.epub],
  ...[mediaTypes.xlsb, mediaTypes.visio, mediaTypes.xps, mediaTypes.pages, mediaTypes.numbers, mediaTypes.keynote],
]);

/** Whether what was declared is another thing than what the content shows. */
export function isLie(declared: string | null, detected: string): boolean {
  const said = canonical(declared);
  if (said === null || said === detected) return false;
  return !(said === mediaTypes.zip && zipped.has(detected));
}

const archives: ReadonlySet<string> = new Set<string>([
  ...[mediaTypes.zip, "application/x-tar", "application/x-7z-compressed", "application/x-rar-compressed"],
  ...["application/vnd.ms-cab-compressed", "application/x-cpio", "application/x-lzh-compressed", "application/x-arj"],
  ...["application/x-unix-archive", "application/x-deb", "application/x-rpm"],
]);

/** Files that are there to hold others. */
export const isArchive = (mimeType: string): boolean => archives.has(mimeType);

const packings: ReadonlySet<string> = new Set<string>([
  ...["application/gzip", "application/x-bzip2", "application/x-xz", "application/zstd", "application/x-compress"],
  ...["application/x-lzip", "application/x-lzma"],
]);

/** One file by itself that was made smaller: it may be an archive. */
export const isPacked = (mimeType: string): boolean => packings.has(mimeType);

/** What names a picture, whatever its format. */
export const isImage = (mimeType: string): boolean => mimeType.startsWith("image/");

/** Formats of Office before 2007. */
export const isOldOffice = (mimeType: string): boolean =>
  mimeType === mediaTypes.doc || mimeType === mediaTypes.xls || mimeType === mediaTypes.ppt;
