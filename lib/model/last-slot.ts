/** The highest slot number; there are 16,384 slots. */
export const LAST_SLOT = 16_383;
