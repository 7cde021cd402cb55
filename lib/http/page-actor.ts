import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';

/** Who looks at a page, for verbs that a page asks while it is made. Until sign-in exists: the local administrator. */
export const pageActor = (): Actor => ({ ...LOCAL_ADMIN, via: 'page' });
