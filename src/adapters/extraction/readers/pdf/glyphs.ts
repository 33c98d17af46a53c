import type { PDFPageProxy } from "pdfjs-dist";

/** What glyphs share that are shown by one instruction. */
interface Shown {
  /** The direction of writing, of the length one. */
  readonly direction: readonly [x: number, y: number];
  /** The size of the font on the page. */
  readonly size: number;
  /** Its font does not tell its characters: what stands for them are the numbers of its glyphs. */
  readonly isUnmapped: boolean;
}

/** A sign where it is drawn. */
export interface Glyph {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly shown: Shown;
}

/** What is drawn on a page, in the order of drawing. */
interface DrawnGlyphs {
  readonly ofPage: readonly Glyph[];
  /** What is drawn for an annotation or a field, by the annotation's id. */
  readonly ofAnnotations: ReadonlyMap<string, readonly Glyph[]>;
}

/** The numbers of the instructions by their names. */
export type Instructions = Readonly<Record<string, number>>;

/** The library shows hidden fields to nobody, and fields that can be seen as the file paints them. */
const withAnnotations = 1;

/** Goes through what a page draws, without drawing it. */
export async function glyphsOf(page: PDFPageProxy, instructions: Instructions): Promise<DrawnGlyphs> {
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: withAnnotations });
  const pen = new Pen(page);
  const steps = stepsOf(pen, instructions);
  for (const [at, instruction] of fnArray.entries()) steps[instruction]?.(...((argsArray[at] ?? []) as never[]));
  return pen;
}

type Step = (...given: never[]) => void;

/** What each instruction that concerns text does to the pen, by its number. */
function stepsOf(pen: Pen, numbers: Instructions): readonly (Step | undefined)[] {
  const byName: Readonly<Record<string, Step>> = {
    save: () => pen.save(),
    restore: () => pen.restore(),
    transform: (...matrix: number[]) => pen.transform(matrix),
    paintFormXObjectBegin: (matrix: ArrayLike<number> | null) => pen.enter(matrix),
    paintFormXObjectEnd: () => pen.restore(),
    beginAnnotation: (id: string, _area: unknown, transform: number[], matrix: number[]) =>
      pen.beginAnnotation(id, transform, matrix),
    endAnnotation: () => pen.endAnnotation(),
    beginText: () => pen.place([1, 0, 0, 1, 0, 0]),
    setTextMatrix: (matrix: ArrayLike<number>) => pen.place(matrix),
    moveText: (x: number, y: number) => pen.move(x, y),
    setLeadingMoveText: (x: number, y: number) => pen.moveAndLead(x, y),
    nextLine: () => pen.nextLine(),
    setLeading: (leading: number) => pen.set({ leading }),
    setFont: (font: string, size: number) => pen.setFont(font, size),
    setGState: (states: readonly (readonly [string, never])[]) => pen.setStates(states),
    setCharSpacing: (charSpacing: number) => pen.set({ charSpacing }),
    setWordSpacing: (wordSpacing: number) => pen.set({ wordSpacing }),
    setHScale: (percent: number) => pen.set({ stretch: percent / 100 }),
    setTextRise: (rise: number) => pen.set({ rise }),
    showText: (glyphs: readonly (LibraryGlyph | number)[]) => pen.show(glyphs),
  };
  const steps: (Step | undefined)[] = [];
  for (const [name, step] of Object.entries(byName)) {
    const number = numbers[name];
    if (number !== undefined) steps[number] = step;
  }
  return steps;
}

/** A glyph as the library tells it; a number between glyphs moves the pen. */
interface LibraryGlyph {
  readonly unicode: string;
  readonly width: number;
  readonly isSpace: boolean;
  readonly vmetric?: readonly number[] | null;
}

/** A font as the library tells it. */
interface LibraryFont {
  readonly fontMatrix?: readonly number[];
  readonly isType3Font?: boolean;
  readonly bbox?: readonly number[];
  readonly vertical?: boolean;
  readonly defaultVMetrics?: readonly number[];
  /** It has a first number instead of a map, where every number stands for itself. */
  readonly toUnicode?: { readonly firstChar?: number };
  readonly composite?: boolean;
}

/** What is saved and restored while a page is drawn. */
interface PenState {
  readonly matrix: Matrix;
  readonly font: LibraryFont;
  readonly fontSize: number;
  readonly charSpacing: number;
  readonly wordSpacing: number;
  readonly stretch: number;
  readonly leading: number;
  readonly rise: number;
}

const atFirst: PenState = {
  matrix: [1, 0, 0, 1, 0, 0],
  font: {},
  fontSize: 0,
  charSpacing: 0,
  wordSpacing: 0,
  stretch: 1,
  leading: 0,
  rise: 0,
};

/** A thousandth of the size of the font, as nearly every font counts. */
const usualUnit = 0.001;

/** Nobody nests what is drawn so deep. */
const mostSaved = 10_000;

/** Where and how text is drawn next. */
class Pen implements DrawnGlyphs {
  readonly ofPage: Glyph[] = [];
  readonly ofAnnotations = new Map<string, Glyph[]>();
  private drawn = this.ofPage;
  private state = atFirst;
  private readonly saved: PenState[] = [];
  private outsideAnnotation: { readonly state: PenState; readonly depth: number } | null = null;
  private textMatrix: Matrix = atFirst.matrix;
  private x = 0;
  private y = 0;
  private lineX = 0;
  private lineY = 0;

  constructor(private readonly page: PDFPageProxy) {}

  set(change: Partial<PenState>): void {
    this.state = { ...this.state, ...change };
  }

  save(): void {
    if (this.saved.length < mostSaved) this.saved.push(this.state);
  }

  restore(): void {
    this.state = this.saved.pop() ?? this.state;
  }

  transform(by: ArrayLike<number>): void {
    this.set({ matrix: multiplied(this.state.matrix, by) });
  }

  enter(matrix: ArrayLike<number> | null): void {
    this.save();
    if (matrix !== null) this.transform(matrix);
  }

  beginAnnotation(id: string, transform: ArrayLike<number>, matrix: ArrayLike<number>): void {
    this.outsideAnnotation = { state: this.state, depth: this.saved.length };
    this.state = { ...atFirst, matrix: multiplied(multiplied(atFirst.matrix, transform), matrix) };
    this.drawn = this.ofAnnotations.get(id) ?? [];
    this.ofAnnotations.set(id, this.drawn);
  }

  /** What an annotation has saved and not restored ends with it. */
  endAnnotation(): void {
    if (this.outsideAnnotation === null) return;
    this.state = this.outsideAnnotation.state;
    this.saved.length = Math.min(this.saved.length, this.outsideAnnotation.depth);
    this.drawn = this.ofPage;
  }

  place(matrix: ArrayLike<number>): void {
    this.textMatrix = multiplied(atFirst.matrix, matrix);
    this.x = this.lineX = 0;
    this.y = this.lineY = 0;
  }

  move(x: number, y: number): void {
    this.x = this.lineX += x;
    this.y = this.lineY += y;
  }

  moveAndLead(x: number, y: number): void {
    this.set({ leading: -y });
    this.move(x, y);
  }

  nextLine(): void {
    this.move(0, -this.state.leading);
  }

  setFont(name: string, fontSize: number): void {
    this.set({ font: this.page.commonObjs.get(name) as LibraryFont, fontSize });
  }

  setStates(states: readonly (readonly [string, never])[]): void {
    for (const [name, value] of states) if (name === "Font") this.setFont(value[0], value[1]);
  }

  show(glyphs: readonly (LibraryGlyph | number)[]): void {
    const { font, fontSize, charSpacing, wordSpacing, rise } = this.state;
    const isVertical = font.vertical === true;
    const toPage = multiplied(this.state.matrix, this.textMatrix);
    const stretch = isVertical ? 1 : this.state.stretch;
    const along: readonly [number, number] = isVertical
      ? [-toPage[2], -toPage[3]]
      : [toPage[0] * stretch, toPage[1] * stretch];
    const unit = Math.hypot(...along);
    const ofGlyph = fontSize * (font.fontMatrix?.[0] ?? usualUnit);
    const shown = this.shownBy(toPage, along);
    const [startX, startY] = [
      toPage[0] * this.x + toPage[2] * (this.y + rise) + toPage[4],
      toPage[1] * this.x + toPage[3] * (this.y + rise) + toPage[5],
    ];
    const step = isVertical ? fontSize / 1000 : -fontSize / 1000;
    let advance = 0;
    for (const glyph of glyphs) {
      if (typeof glyph === "number") {
        advance += glyph * step;
        continue;
      }
      const width = widthOf(glyph, font) * ofGlyph;
      this.draw({
        text: glyph.unicode,
        x: startX + along[0] * advance,
        y: startY + along[1] * advance,
        width: Math.abs(width * unit),
        shown,
      });
      const spacing = charSpacing + (glyph.isSpace ? wordSpacing : 0);
      advance += isVertical ? width - spacing : width + spacing;
    }
    if (isVertical) this.y -= advance;
    else this.x += advance * stretch;
  }

  private shownBy(toPage: Matrix, [x, y]: readonly [number, number]): Shown {
    const { font, fontSize } = this.state;
    const length = Math.hypot(x, y);
    // A negative size turns the signs around, and the direction in which they follow each other.
    const sign = fontSize < 0 ? -1 : 1;
    return {
      direction: length === 0 ? [1, 0] : [(sign * x) / length, (sign * y) / length],
      size: Math.abs(fontSize) * heightOf(font) * Math.hypot(toPage[2], toPage[3]),
      isUnmapped: font.toUnicode?.firstChar !== undefined && font.composite === true,
    };
  }

  /** What is drawn beside the page is there for nobody. */
  private draw(glyph: Glyph): void {
    const [left = 0, bottom = 0, right = 0, top = 0] = this.page.view;
    const { x, y, width } = glyph;
    const isBeside = x + width < left || x - width > right || y + width < bottom || y - width > top;
    if (!isBeside && Number.isFinite(x + y + width)) this.drawn.push(glyph);
  }
}

function widthOf(glyph: LibraryGlyph, font: LibraryFont): number {
  if (font.vertical !== true) return glyph.width;
  const [height] = glyph.vmetric ?? font.defaultVMetrics ?? [];
  return height === undefined ? glyph.width : -height;
}

/** How high a font is at the size one. A font whose glyphs are drawings counts in units of its own. */
function heightOf({ isType3Font, fontMatrix, bbox }: LibraryFont): number {
  if (isType3Font !== true) return 1;
  const [, bottom = 0, , top = 0] = bbox ?? [];
  const height = Math.abs((top - bottom) * (fontMatrix?.[3] ?? usualUnit));
  return height > 0 ? height : Math.abs((fontMatrix?.[0] ?? usualUnit) / usualUnit);
}

/** How points of one plane lie in another: stretched, turned and moved. */
type Matrix = readonly [number, number, number, number, number, number];

/** Does what `inner` does, and then what `outer` does. */
function multiplied(outer: Matrix, inner: ArrayLike<number>): Matrix {
  const { 0: a = 1, 1: b = 0, 2: c = 0, 3: d = 1, 4: x = 0, 5: y = 0 } = inner;
  return [
    outer[0] * a + outer[2] * b,
    outer[1] * a + outer[3] * b,
    outer[0] * c + outer[2] * d,
    outer[1] * c + outer[3] * d,
    outer[0] * x + outer[2] * y + outer[4],
    outer[1] * x + outer[3] * y + outer[5],
  ];
}
