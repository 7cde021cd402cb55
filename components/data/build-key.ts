import type { RouteName, SentTo } from '@/app/api/routes';

/** The routes that pages read. */
export type ReadName = RouteName & `GET ${string}`;

/**
 * The key under which an answer is cached: the route, and what was sent. With a part of what was sent, or nothing, it
 * is the beginning of the keys of all answers that were requested with it.
 */
export const buildKey = <Name extends RouteName>(route: Name, sent?: Partial<SentTo<Name>>): readonly unknown[] =>
  sent === undefined ? [route] : [route, sent];
