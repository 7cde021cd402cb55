/** Streams pieces of text as bytes; each piece is made when the reader asks for it. */
export function createTextStream(pieces: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Skips empty pieces: after a pull that enqueues nothing the stream would not pull again.
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
