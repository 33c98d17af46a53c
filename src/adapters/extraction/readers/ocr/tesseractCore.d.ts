/** What is used of the package, which brings no types of its own. */
declare module "tesseract.js-core/tesseract-core-simd-lstm.js" {
  interface TesseractApi {
    /** 0: all languages are there. */
    Init(dataPath: string | null, languages: string, engine: number): number;
    SetVariable(name: string, value: string): void;
    /** Decodes `/input`, turned as EXIF says, then by an angle. 1: it is no image. */
    SetImageFile(orientation: number, radians: number): number;
    /** Recognizes only a part of the image: its left, its top, its width and its height. */
    SetRectangle(left: number, top: number, width: number, height: number): void;
    Recognize(monitor: null): number;
    GetUTF8Text(): string;
    MeanTextConf(): number;
    Clear(): void;
    End(): void;
  }

  export interface TesseractCore {
    readonly FS: {
      writeFile(path: string, bytes: Uint8Array): void;
      unlink(path: string): void;
    };
    readonly TessBaseAPI: new () => TesseractApi;
    destroy(object: object): void;
  }

  const start: (settings: { print(line: string): void; printErr(line: string): void }) => Promise<TesseractCore>;
  export default start;
}
