import { storeReadOnly } from '@/lib/store/keep-probing';

/** Whether the store can be written; false = signed-in users can read, but nobody can sign in or change anything. */
export const storeTakesWrites = (): boolean => storeReadOnly() === null;
