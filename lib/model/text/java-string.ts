/**
 * Java writes seven bytes before a string that it serialises, and Spring does so before every name by default: `ac ed
 * 00 05 74`, and the length of the text in two bytes. A display form shows them as `\java\`, because the length follows
 * from the text. If it were shown, names of one namespace would have a different beginning for every length, and a
 * length of 58 would be a colon. Source: Java Object Serialization Specification, chapter 6.
 */
export const JAVA_STRING = '\\java\\';
export const JAVA_HEADER = [0xac, 0xed, 0x00, 0x05, 0x74] as const;
export const JAVA_BYTES = JAVA_HEADER.length + 2;

/** A length byte that is a brace may begin the hash tag of a name, so such names are shown byte by byte. */
const BRACES = [0x7b, 0x7d];

/** Whether the bytes as a whole are such a string. */
export function isJavaString(bytes: Uint8Array): boolean {
  if (bytes.length < JAVA_BYTES || JAVA_HEADER.some((byte, at) => bytes[at] !== byte)) return false;
  const [high, low] = [bytes[JAVA_BYTES - 2]!, bytes[JAVA_BYTES - 1]!];
  return high * 256 + low === bytes.length - JAVA_BYTES && !BRACES.includes(high) && !BRACES.includes(low);
}
