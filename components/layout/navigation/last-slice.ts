/**
 * The last filter of each instance in this tab, as a query string (components/data/address-slice.ts). It is kept only in
 * memory, so that a person who signs in later does not see it.
 */
const slices = new Map<string, string>();

export const getLastSlice = (instanceId: string): string => slices.get(instanceId) ?? '';

export const rememberSlice = (instanceId: string, slice: string): void => void slices.set(instanceId, slice);
