import { getStoreReadOnly } from '@/lib/store/probe-store';

/** Whether the store can be written; false = signed-in users can read, but nobody can sign in or change anything. */
export const isStoreWritable = (): boolean => getStoreReadOnly() === null;
