/**
 * What was last looked at of each instance in this tab (sliceOf). In its memory, so that it ends with the visit and
 * nobody who signs in later finds it.
 */
const slices = new Map<string, string>();

export const lastSlice = (instanceId: string): string => slices.get(instanceId) ?? '';

export const rememberSlice = (instanceId: string, slice: string): void => void slices.set(instanceId, slice);
