/** `20.0 MiB` → `20 MiB`: the ticks of an axis are round, so decimals are not needed. */
export const shortenAxis = (text: string): string => text.replace(/\.0+(?=\D*$)/, '');
