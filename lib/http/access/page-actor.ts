import { headers } from 'next/headers';
import type { Actor } from '@/lib/model/actor';
import { actorOf } from './actor-of';

/** The person who looks at a page, for verbs that are called while it is rendered. */
export const pageActor = async (): Promise<Actor> => actorOf(await headers(), { use: true, tokens: false });
