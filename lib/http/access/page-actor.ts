import { headers } from 'next/headers';
import type { Actor } from '@/lib/model/actor';
import { resolveActor } from './resolve-actor';

/** The person who looks at a page, for verbs that are called while it is rendered. */
export const getPageActor = async (): Promise<Actor> => resolveActor(await headers(), { use: true, tokens: false });
