import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { TesseractCore } from "tesseract.js-core/tesseract-core-simd-lstm.js";
import { UnreadableFile } from "../reader.js";

const neuralNet = 1;
const input = "/input";
/** Below, what is recognized is texture rather than text. */
const leastConfidence = 40;
const silent = (): void => undefined;

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
   * The lines of text in the file of an image; null where it is no image that can be decoded. `orientation` is that of
   * EXIF.
   */
  recognize(image: Uint8Array, { orientation = 1, dpi }: { orientation?: number; dpi?: number } = {}): string | null {
    this.core.FS.writeFile(input, image);
    try {
      if (dpi !== undefined) this.api.SetVariable("user_defined_dpi", String(dpi));
      if (this.api.SetImageFile(orientation, 0) !== 0) return null;
      this.api.Recognize(null);
      return this.api.MeanTextConf() < leastConfidence ? "" : this.api.GetUTF8Text();
    } finally {
      this.core.FS.unlink(input);
      this.api.Clear();
    }
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
