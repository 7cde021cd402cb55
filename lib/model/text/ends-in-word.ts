/** Whether a prefix ends within a word, so that the next segment of the name begins only after a delimiter. */
export const endsInWord = (prefix: string) => /[\p{L}\p{N}]$/u.test(prefix);
