/** Pieces of text as bytes, made when the reader asks for them. */
export function textStream(pieces: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // A piece may be empty, and an empty answer to a pull would not be asked again.
        for (;;) {
          const { value, done } = await pieces.next();
          if (done) return controller.close();
          if (value !== '') return controller.enqueue(encoder.encode(value));
        }
      },
      cancel: () => void pieces.return(undefined),
    },
    { highWaterMark: 0 },
  );
}
