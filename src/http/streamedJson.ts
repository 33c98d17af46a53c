import { setImmediate as nextTurn } from "node:timers/promises";
import { cutText } from "../shared/cutText.js";

/** UTF-16 units that are handed on at once: what a client that stopped taking them leaves unsent. */
const unitsAtOnce = 32_768;

/**
 * The JSON of `answer` with one key more, whose text comes in parts: byte for byte what `JSON.stringify` makes of the
 * whole. A part is asked for when the client has taken what is before it.
 */
export async function* jsonWithText(
  answer: object,
  key: string,
  parts: AsyncIterable<string>,
): AsyncGenerator<string, void, void> {
  yield JSON.stringify({ ...answer, [key]: "" }).slice(0, -2);
  for await (const part of parts)
    for (const piece of cutText(part, () => unitsAtOnce)) {
      yield JSON.stringify(piece).slice(1, -1);
      // The system takes megabytes at once: without this nobody else would have a turn until then.
      await nextTurn();
    }
  yield '"}';
}

/** The JSON of a list, byte for byte: an item is written when the client has taken those before it. */
export async function* jsonOfList<Item>(
  items: readonly Item[],
  toAnswer: (item: Item) => object,
): AsyncGenerator<string, void, void> {
  for (const [place, item] of items.entries()) {
    yield `${place === 0 ? "[" : ","}${JSON.stringify(toAnswer(item))}`;
    await nextTurn();
  }
  yield items.length === 0 ? "[]" : "]";
}
