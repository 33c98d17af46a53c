/** What a PDF is made of. Object 1 is the catalog, 2 the tree of pages; others are numbered as they are added. */
export class PdfMaker {
  private readonly objects: string[] = [];
  private readonly kids: number[] = [];
  private info = "";
  private annotations: number[] = [];
  catalog = "<< /Type /Catalog /Pages 2 0 R >>";
  /** null: the pages that were added. */
  pageTree: string | null = null;

  /** The number of the new object. Every character of what stands in it is one byte. */
  add(object: string): number {
    this.objects.push(object);
    return this.objects.length + 2;
  }

  addStream(content: string, entries = ""): number {
    return this.add(`<< /Length ${content.length} ${entries} >>\nstream\n${content}\nendstream`);
  }

  /** Adds a note or a field to the page that is added next. What it shows is drawn in Helvetica, as `/F1`. */
  addAnnotation(entries: string, shown?: string): this {
    const font = shown === undefined ? 0 : this.addStandardFont();
    const appearance =
      shown === undefined
        ? ""
        : `/AP << /N ${this.addStream(
            shown,
            `/Type /XObject /Subtype /Form /BBox [0 0 300 20] /Resources << /Font << /F1 ${font} 0 R >> >>`,
          )} 0 R >>`;
    this.annotations.push(this.add(`<< /Type /Annot /Rect [60 600 360 620] ${entries} ${appearance} >>`));
    return this;
  }

  /** The number of a file that is kept in the PDF, as notes name it. */
  addFile(name: string, content: string): number {
    const stream = this.addStream(content, "/Type /EmbeddedFile");
    return this.add(`<< /Type /Filespec /F (${name}) /EF << /F ${stream} 0 R >> >>`);
  }

  /** A page with this content, with fonts by their names (`{ F1: 4 }`), and with other resources. */
  addPage(content: string, fonts: Readonly<Record<string, number>>, resources = ""): this {
    const named = Object.entries(fonts).map(([name, font]) => `/${name} ${font} 0 R`);
    const stream = this.addStream(content);
    this.kids.push(
      this.add(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${stream} 0 R` +
          ` /Annots [${this.annotations.map((one) => `${one} 0 R`).join(" ")}]` +
          ` /Resources << /Font << ${named.join(" ")} >> ${resources} >> >>`,
      ),
    );
    this.annotations = [];
    return this;
  }

  /** A page that is a JPEG of this size, as scanners write it. */
  addScan(jpeg: Buffer, width: number, height: number): this {
    const picture = this.addStream(
      jpeg.toString("latin1"),
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8` +
        " /Filter /DCTDecode",
    );
    const [inPoints, high] = [width, height].map((pixels) => (pixels * 72) / 150) as [number, number];
    const content = this.addStream(`${inPoints} 0 0 ${high} 0 0 cm /P Do`);
    this.kids.push(
      this.add(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${inPoints} ${high}] /Contents ${content} 0 R` +
          ` /Resources << /XObject << /P ${picture} 0 R >> >> >>`,
      ),
    );
    return this;
  }

  /** What the file says of itself: `/Title (Report)`. */
  about(entries: string): this {
    this.info = `/Info ${this.add(`<< ${entries} >>`)} 0 R`;
    return this;
  }

  /** One of the fonts that every program has, by its name. */
  addStandardFont(name = "Helvetica"): number {
    return this.add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`);
  }

  /** A font of many signs that is not in the file. `encoding` tells what the bytes of a text mean. */
  addForeignFont(encoding: string, characterSet: string, more = ""): number {
    const [collection = "", ordering = ""] = characterSet.split("-");
    const descriptor = this.add("<< /Type /FontDescriptor /FontName /Foreign /Flags 4 /ItalicAngle 0 >>");
    const descendant = this.add(
      `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Foreign /FontDescriptor ${descriptor} 0 R` +
        ` /CIDSystemInfo << /Registry (${collection}) /Ordering (${ordering}) /Supplement 0 >> >>`,
    );
    return this.add(
      `<< /Type /Font /Subtype /Type0 /BaseFont /Foreign /Encoding /${encoding}` +
        ` /DescendantFonts [${descendant} 0 R] ${more} >>`,
    );
  }

  make(): Buffer {
    const pages = `<< /Type /Pages /Kids [${this.kids.map((kid) => `${kid} 0 R`).join(" ")}] /Count ${this.kids.length} >>`;
    const objects = [this.catalog, this.pageTree ?? pages, ...this.objects];
    let file = "%PDF-1.7\n";
    const offsets = objects.map((object, at) => {
      const offset = file.length;
      file += `${at + 1} 0 obj\n${object}\nendobj\n`;
      return `${String(offset).padStart(10, "0")} 00000 n \n`;
    });
    const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
    const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${this.info} >>\n`;
    return Buffer.from(`${file}${table}${trailer}startxref\n${file.length}\n%%EOF\n`, "latin1");
  }
}

/** Draws lines from the top of a page down, in a font of this name. Only what WinAnsi has. */
export const drawn = (lines: readonly string[], font = "F1"): string =>
  `BT /${font} 11 Tf 14 TL 60 780 Td\n${lines.map((line) => `(${escaped(line)}) Tj T*`).join("\n")}\nET`;

/** Draws text that is given by its codes. */
export const drawnCodes = (codes: Buffer, font = "F1"): string =>
  `BT /${font} 11 Tf 60 780 Td <${codes.toString("hex")}> Tj ET`;

const escaped = (line: string): string => line.replace(/[\\()]/g, "\\$&");

/** A PDF with these pages of lines, in Helvetica. */
export function pdfOfLines(...pages: readonly (readonly string[])[]): Buffer {
  const pdf = new PdfMaker();
  const font = pdf.addStandardFont();
  for (const lines of pages) pdf.addPage(drawn(lines), { F1: font });
  return pdf.make();
}
