/** Whether a prefix ends within a word: the name goes on with another segment only behind a delimiter. */
export const endsInWord = (prefix: string) => /[\p{L}\p{N}]$/u.test(prefix);
