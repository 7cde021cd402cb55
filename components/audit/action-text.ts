import { translateIfKnown } from '@/components/data/translate-if-known';

/**
 * The name of an audited action, or its identifier if it has no name yet. `panic` is an action itself and also the
 * first word of `panic.lift`, so its own name is one level deeper (`self`).
 */
export const formatAction = (t: { has: (key: never) => boolean }, action: string): string =>
  translateIfKnown(t, `actions.${action.includes('.') ? action : `${action}.self`}`) ?? action;
