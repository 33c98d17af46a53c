import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

const colourful = process.stdout.isTTY === true && process.stdout.hasColors();

const styled =
  (style: Style) =>
  (text: string): string =>
    colourful ? styleText(style, text) : text;

/** Colours, on a terminal alone; `NO_COLOR` turns them off there too. */
export const bold = styled("bold");
export const dim = styled("dim");
export const green = styled("green");
export const red = styled("red");

/** One line of the demo's story. */
export const say = (line = ""): void => void process.stdout.write(`${line}\n`);

/** A part of a line, or of several, indented as the story is. */
export const sayOn = (text: string): void => void process.stdout.write(text.replaceAll("\n", "\n  "));

/** A heading with a blank line before it. */
export const heading = (text: string): void => say(`\n${bold(text)}`);

/** A duration for people: `0.9 ms`, `38 ms`, `2.4 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds >= 1_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  return milliseconds >= 10 ? `${Math.round(milliseconds)} ms` : `${milliseconds.toFixed(1)} ms`;
}

/** The middle one of the measured values. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
