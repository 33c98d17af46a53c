const context = document.createElement("canvas").getContext("2d");

/** Cuts a text so that it fits, with an ellipsis in its middle: beginnings and ends of names tell them apart. */
export function fitted(text: string, width: number, font: string): string {
  if (context === null) return text;
  context.font = font;
  if (context.measureText(text).width <= width) return text;
  const characters = [...text];
  let [least, most] = [1, characters.length];
  while (least < most) {
    const kept = Math.ceil((least + most) / 2);
    if (context.measureText(cut(characters, kept)).width <= width) least = kept;
    else most = kept - 1;
  }
  return cut(characters, least);
}

function cut(characters: readonly string[], kept: number): string {
  const head = Math.ceil(kept * 0.6);
  return `${characters.slice(0, head).join("")}…${characters.slice(characters.length - (kept - head)).join("")}`;
}
