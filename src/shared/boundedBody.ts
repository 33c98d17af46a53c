/** The parts of a body, as they come. Throws what `tooLarge` makes once there are more bytes than these. */
export async function* boundedBody(
  body: AsyncIterable<Uint8Array>,
  mostBytes: number,
  tooLarge: () => Error,
): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0;
  for await (const part of body) {
    bytes += part.byteLength;
    if (bytes > mostBytes) throw tooLarge();
    yield part;
  }
}
