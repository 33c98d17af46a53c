import { createCanvas, GlobalFonts } from "@napi-rs/canvas";

/** The first font of the system that is known to draw Latin letters: one of symbols draws boxes. */
const font = GlobalFonts.families.find(({ family }) => /^(DejaVu|Liberation|Noto) Serif\b|^Times\b/.test(family));

/** Without such a font, no text can be drawn. */
export const hasFonts = font !== undefined;

export const letter = [
  "Sehr geehrte Frau Müller, die Geschäftsführung",
  "berichtet über das abgelaufene Jahr. Größere Än-",
  "derungen gab es im Lager: Zwölf Häuser wurden",
  "bezogen, und 340 Personen arbeiten jetzt dort.",
];

/** As one text. */
export const letterText = letter.join("\n").replace("-\n", "");

/** As a page of A4 in 150 dpi would show it, in 11 points. */
export function scanned(lines: readonly string[], format: "image/png" | "image/jpeg"): Buffer {
  const canvas = createCanvas(700, 60 + lines.length * 34);
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "black";
  context.font = `23px "${font?.family ?? "serif"}"`;
  lines.forEach((line, at) => context.fillText(line, 40, 60 + at * 34));
  return format === "image/png" ? canvas.toBuffer(format) : canvas.toBuffer(format, 90);
}
