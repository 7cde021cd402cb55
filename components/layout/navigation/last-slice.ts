/**
 * The last filter of each instance in this tab (sliceOf). It is kept in memory only, so that it ends with the visit and
 * a person who signs in later does not see it.
 */
const slices = new Map<string, string>();

export const lastSlice = (instanceId: string): string => slices.get(instanceId) ?? '';

export const rememberSlice = (instanceId: string, slice: string): void => void slices.set(instanceId, slice);
