import { textOf } from '@/components/data/text-of';

/**
 * What an act is called; its identifier where there is no name yet. `panic` is an act itself and the first word of
 * `panic.lift`, so its own name lies one step deeper.
 */
export const actionText = (t: { has: (key: never) => boolean }, action: string): string =>
  textOf(t, `actions.${action.includes('.') ? action : `${action}.self`}`) ?? action;
