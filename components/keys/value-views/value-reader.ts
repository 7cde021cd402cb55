/** The bytes end before the value does. */
export class EndOfBytes extends Error {}
/** The bytes are not a value of the format, or are nested too deeply. */
export class NotOfFormat extends Error {}

/** Deeper values are not shown in a view. */
export const MAX_DEPTH = 32;
/** The longest text of a value in a view, in characters: references may repeat a long text many times. */
const MAX_TEXT = 65_536;

/**
 * Runs `read`, which adds to the text of `reader`, and returns that text. A value that is cut is shown up to the cut.
 * null: the bytes are not of the format, or an uncut value ends before its end.
 */
export function readText(reader: { out: string }, cut: boolean, read: () => void): string | null {
  try {
    read();
  } catch (error) {
    if (error instanceof NotOfFormat) return null;
    if (!(error instanceof EndOfBytes)) throw error;
    return cut ? `${reader.out.slice(0, MAX_TEXT)}…` : null;
  }
  return reader.out.length > MAX_TEXT ? `${reader.out.slice(0, MAX_TEXT)}…` : reader.out;
}
