import type { Attributes, XmlHandler } from "./readXml.js";

/**
 * Collects elements that hold nothing but text, the first of each name: so do title, author and the like stand in
 * files. `open` is told of every element.
 */
export function collectProperties(
  said: Map<string, string>,
  open: (name: string, attributes: Attributes) => void = () => undefined,
): XmlHandler {
  let text = "";
  return {
    open: (name, attributes) => {
      text = "";
      open(name, attributes);
    },
    text: (data) => {
      text += data;
    },
    close: (name) => {
      if (!said.has(name) && text.trim() !== "") said.set(name, text);
      text = "";
    },
  };
}
