import { storeReadOnly } from '@/lib/store/keep-probing';

/** false: whoever is signed in can read, and nobody can sign in or change anything just now. */
export const storeTakesWrites = (): boolean => storeReadOnly() === null;
