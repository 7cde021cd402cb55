/** A glob (`*` any text, `?` one character, all else as written) as RE2 that must match the whole name. */
export function globPattern(glob: string): string {
  const text = glob
    .replace(/[\\^$.+()[\]{}|]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.');
  return `(?s)${text}`;
}
