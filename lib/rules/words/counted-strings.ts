/**
 * Strings of binary encodings that stand behind their length, not between separators: what follows is the next string's
 * mark, mostly a letter, and hides where a number ends. Java (`t`, two bytes), protobuf and Thrift (one byte),
 * MessagePack (0xa0 + length, or 0xd9 and a byte). Of those that could be a number, or that follow the name of a
 * password field, a text as other encodings would have it. `text`: Latin-1.
 */
export function countedStrings(text: string): string {
  const numbers = [...text.matchAll(/[\x0b-\x13\xab-\xb3](?=\d{10})/g)].map(({ 0: count, index }) => {
    const length = count.charCodeAt(0) & 0x1f;
    const number = text.slice(index + 1, index + 1 + length);
    // A byte over 0x9f also ends a letter that is not ASCII; then digits go on.
    const goesOn = count > '\x9f' && /[\dXx]/.test(text[index + 1 + length] ?? '');
    return !goesOn && number.length === length && /^\d+[\dXx]$/.test(number) ? number : '';
  });
  const fields = [...text.matchAll(FIELD)].map(({ 0: all, 1: name, 2: byte, 3: short, index }) => {
    const length = byte ? byte.charCodeAt(0) : short!.charCodeAt(0) & 0x1f;
    const value = text.slice(index + all.length, index + all.length + length);
    return CLASS.test(value) ? '' : `${name}="${value}"`;
  });
  return [...numbers, ...fields].join('\n');
}

/** The name of a field, and the length of the string behind it. */
const FIELD =
  /([A-Za-z_]{0,40}(?:[pP]ass[wW]ord|[pP]asswd|[pP]wd|[sS]ecret))(?:(?:t\0|\xd9)([\x01-\xff])|([\xa1-\xbf]))/g;
/** In Java's description of a class the type of the field stands there. */
const CLASS = /^\[*L[\w/$]+;?$/;
