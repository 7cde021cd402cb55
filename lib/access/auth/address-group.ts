/**
 * Returns the text by which callers are counted: the address, or for IPv6 its /64, because a client with one address
 * there has 2^64 of them. It is normalized, however a proxy writes the address.
 */
export function toAddressGroup(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail = ''] = plain.toLowerCase().split('::', 2);
  const [first, last] = [head, tail].map((part) => part.split(':').filter((piece) => piece !== ''));
  const gap = plain.includes('::') ? Array<string>(Math.max(0, 8 - first!.length - last!.length)).fill('0') : [];
  const groups = [...first!, ...gap, ...last!].slice(0, 4);
  return groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':');
}
