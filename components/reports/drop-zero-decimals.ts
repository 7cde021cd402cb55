/** Removes decimals that are all 0, for ticks and bounds, which are round: `20.0 MiB` → `20 MiB`. */
export const dropZeroDecimals = (text: string): string => text.replace(/\.0+(?=\D*$)/, '');
