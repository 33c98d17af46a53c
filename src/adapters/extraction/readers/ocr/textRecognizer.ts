import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { TesseractCore } from "tesseract.js-core/tesseract-core-simd-lstm.js";
import { UnreadableFile } from "../reader.js";
import type { ImageHeader } from "./imageHeader.js";

const neuralNet = 1;
const input = "/input";
/** Below, what is recognized is texture rather than text. */
const leastConfidence = 40;
/** Text of a page that lies as it should is surer than this, measured on scans and photos; on its side it never is. */
const sureConfidence = 70;
/** Photos of what is no text have hardly any letters. */
const leastLetters = 20;
/** A quarter to the right and to the left, as EXIF numbers them. */
const sides = [6, 8];
const silent = (): void => undefined;

interface Recognizing {
  /** As EXIF says it. */
  readonly orientation?: number;
  readonly dpi?: number;
  /** In pixels. */
  readonly size?: ImageHeader;
}

interface Attempt {
  readonly text: string;
  /** Of a hundred. */
  readonly confidence: number;
}

const nothing: Attempt = { text: "", confidence: 0 };

const lettersIn = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;

const mayLieOnItsSide = ({ text, confidence }: Attempt): boolean =>
  confidence < sureConfidence && lettersIn(text) >= leastLetters;

/**
 * Recognizes text in images. Images are decoded where they are recognized, in WebAssembly, which no damaged image can
 * leave. The neural net alone is built in, which does not adapt to what it has seen: a page reads as it would by
 * itself.
 */
export class TextRecognizer {
  private constructor(
    private readonly core: TesseractCore,
    private readonly api: InstanceType<TesseractCore["TessBaseAPI"]>,
  ) {}

  /**
   * Languages are named as Tesseract does; their data comes from npm packages. Nothing is fetched.
   *
   * @throws UnreadableFile where the data of a language is not installed.
   */
  static async open(languages: readonly string[]): Promise<TextRecognizer> {
    const { default: start } = await import("tesseract.js-core/tesseract-core-simd-lstm.js");
    const core = await start({ print: silent, printErr: silent });
    for (const language of languages) core.FS.writeFile(`${language}.traineddata`, await dataOf(language));
    const api = new core.TessBaseAPI();
    if (api.Init(null, languages.join("+"), neuralNet) !== 0) throw new Error("Tesseract does not take its data.");
    return new TextRecognizer(core, api);
  }

  /**
   * The lines of text in the file of an image; null where it is no image that can be decoded. One that reads badly is
   * turned, where its size is told: scans lie on their side more often than they say so.
   */
  recognize(image: Uint8Array, { orientation = 1, dpi, size }: Recognizing = {}): string | null {
    this.core.FS.writeFile(input, image);
    try {
      if (dpi !== undefined) this.api.SetVariable("user_defined_dpi", String(dpi));
      const upright = this.attempt(orientation);
      const isTurned = upright !== null && size !== undefined && orientation === 1 && mayLieOnItsSide(upright);
      const turned = isTurned ? this.turned(size) : null;
      const { text, confidence } = turned ?? upright ?? nothing;
      return upright === null ? null : confidence < leastConfidence ? "" : text;
    } finally {
      this.core.FS.unlink(input);
      this.api.Clear();
    }
  }

  /** What reads well on one of its sides; null: on none. The middle tells at a quarter of the cost. */
  private turned({ width, height }: ImageHeader): Attempt | null {
    const middle = [height / 4, width / 4, height / 2, width / 2].map(Math.floor);
    const side = sides.find((orientation) => {
      const { text, confidence } = this.attempt(orientation, middle) ?? nothing;
      return confidence >= sureConfidence && lettersIn(text) >= leastLetters;
    });
    return side === undefined ? null : this.attempt(side);
  }

  /** `part`: its left, its top, its width and its height. */
  private attempt(orientation: number, part?: readonly number[]): Attempt | null {
    if (this.api.SetImageFile(orientation, 0) !== 0) return null;
    if (part !== undefined) this.api.SetRectangle(...(part as [number, number, number, number]));
    this.api.Recognize(null);
    return { text: this.api.GetUTF8Text(), confidence: this.api.MeanTextConf() };
  }

  close(): void {
    this.api.End();
    this.core.destroy(this.api);
  }
}

async function dataOf(language: string): Promise<Uint8Array> {
  try {
    const data = import.meta.resolve(`@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`);
    return await promisify(gunzip)(await readFile(fileURLToPath(data)));
  } catch {
    const advice = `Install @tesseract.js-data/${language}, or leave it out of OCR_LANGUAGES.`;
    throw new UnreadableFile(`There is no data to recognize text in the language ${language}. ${advice}`);
  }
}
