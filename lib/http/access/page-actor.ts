import { headers } from 'next/headers';
import type { Actor } from '@/lib/model/actor';
import { actorOf } from './actor-of';

/** Who looks at a page, for verbs that a page asks while it is made. */
export const pageActor = async (): Promise<Actor> => actorOf(await headers(), { use: true, tokens: false });
