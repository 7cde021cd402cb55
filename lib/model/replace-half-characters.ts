/** Half of a surrogate pair, as JSON writes it. */
const HALF_CHARACTER = /\\ud[89a-f][0-9a-f]{2}/g;

/** Returns JSON in which halves of surrogate pairs are replacement characters, as they are in HTML and in UTF-8. */
export const replaceHalfCharacters = (json: string): string =>
  json.replace(HALF_CHARACTER, (half, at: number) => {
    let backslashes = 0;
    while (json[at - 1 - backslashes] === '\\') backslashes++;
    return backslashes % 2 === 0 ? '\ufffd' : half;
  });
