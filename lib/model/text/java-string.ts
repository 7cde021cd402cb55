/**
 * Java writes seven bytes before a string that it serialises, and so does Spring before every name by default:
 * `ac ed 00 05 74`, and the length of the text in two bytes. In a display form they are `\java\`, because the length
 * says nothing that the text does not: spelled out, names of one namespace begin with as many texts as they have
 * lengths, and a length of 58 is a colon.
 * Source: Java Object Serialization Specification, chapter 6.
 */
export const JAVA_STRING = '\\java\\';
export const JAVA_HEADER = [0xac, 0xed, 0x00, 0x05, 0x74] as const;
export const JAVA_BYTES = JAVA_HEADER.length + 2;

/** A brace as length may begin the hash tag of a name, so it is shown. */
const BRACES = [0x7b, 0x7d];

/** Whether bytes are such a string as a whole. */
export function isJavaString(bytes: Uint8Array): boolean {
  if (bytes.length < JAVA_BYTES || JAVA_HEADER.some((byte, at) => bytes[at] !== byte)) return false;
  const [high, low] = [bytes[JAVA_BYTES - 2]!, bytes[JAVA_BYTES - 1]!];
  return high * 256 + low === bytes.length - JAVA_BYTES && !BRACES.includes(high) && !BRACES.includes(low);
}
