/** Of 16,384. */
export const LAST_SLOT = 16_383;
