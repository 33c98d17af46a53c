const opening = "<mark>";
const closing = "</mark>";
const characters: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#39;": "'",
};

/** A stretch of a snippet. */
interface Stretch {
  readonly text: string;
  readonly isMatch: boolean;
}

/** The API escapes all but its marks. Here all is text again, and the marks tell stretches apart. */
function stretchesOf(snippet: string): readonly Stretch[] {
  return snippet.split(opening).flatMap((piece, at) => {
    const end = at === 0 ? -1 : piece.indexOf(closing);
    const [match, rest] = end === -1 ? ["", piece] : [piece.slice(0, end), piece.slice(end + closing.length)];
    return [
      { text: plain(match), isMatch: true },
      { text: plain(rest), isMatch: false },
    ].filter(({ text }) => text !== "");
  });
}

const plain = (escaped: string): string =>
  escaped.replaceAll(/&(?:lt|gt|amp|quot|#39);/g, (entity) => characters[entity] ?? entity);

/** The words that a snippet marks, as they are written there. */
export const wordsMarkedIn = (snippet: string): readonly string[] =>
  stretchesOf(snippet).flatMap(({ text, isMatch }) => (isMatch ? [text] : []));

/** A passage with its matches as elements. */
export const Snippet = ({ of }: { readonly of: string }) => (
  <p>{stretchesOf(of).map(({ text, isMatch }, at) => (isMatch ? <mark key={at}>{text}</mark> : text))}</p>
);
