import { createCanvas } from "@napi-rs/canvas";
import { expect } from "chai";
import { imageHeader } from "../../../../../src/adapters/extraction/readers/ocr/imageHeader.js";

const canvas = createCanvas(300, 20);
const size = { width: 300, height: 20 };

/** With as much of a head as tells the size. */
function tiff(isLittle: boolean): Buffer {
  const bytes = Buffer.alloc(34);
  bytes.write(isLittle ? "II*\0" : "MM\0*", "latin1");
  const word = (value: number, at: number): number =>
    isLittle ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at);
  const long = (value: number, at: number): number =>
    isLittle ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at);
  long(8, 4);
  word(2, 8);
  for (const [at, tag, kind] of [
    [10, 256, 3],
    [22, 257, 4],
  ] as const) {
    word(tag, at);
    word(kind, at + 2);
    long(1, at + 4);
  }
  word(300, 18);
  long(20, 30);
  return bytes;
}

describe("imageHeader", () => {
  it("tells the size of each kind of image", () => {
    const bmp = Buffer.alloc(30);
    bmp.write("BM");
    bmp.writeInt32LE(300, 18);
    bmp.writeInt32LE(-20, 22);
    const lossless = Buffer.from("RIFF....WEBPVP8L....\x2f\0\0\0\0", "latin1");
    lossless.writeUInt32LE(299 | (19 << 14), 21);
    const extended = Buffer.from("RIFF....WEBPVP8X..........\0\0\0\0", "latin1");
    extended.writeUIntLE(299, 24, 3);
    extended.writeUIntLE(19, 27, 3);
    for (const bytes of [
      canvas.toBuffer("image/png"),
      canvas.toBuffer("image/jpeg"),
      canvas.toBuffer("image/webp"),
      canvas.toBuffer("image/gif"),
      bmp,
      lossless,
      extended,
      tiff(true),
      tiff(false),
    ])
      expect(imageHeader(bytes), bytes.toString("latin1", 0, 16)).to.deep.equal(size);
  });

  it("tells nothing of what is no image, or ends within its head", () => {
    for (const bytes of [canvas.toBuffer("image/png"), canvas.toBuffer("image/jpeg"), tiff(true)])
      for (let end = 0; end < 20; end += 1) expect(imageHeader(bytes.subarray(0, end))).to.equal(null);
    expect(imageHeader(Buffer.from("%PDF-1.7"))).to.equal(null);
    expect(imageHeader(Buffer.alloc(100_000, 0xff))).to.equal(null);
  });
});
