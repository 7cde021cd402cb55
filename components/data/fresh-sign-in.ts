/**
 * An act on production asks for the password once more: whoever draws the dialog says so here, and the door to the
 * server asks for it when an answer wants that.
 */
type Ask = () => Promise<boolean>;
let ask: Ask | null = null;

export function onFreshSignInAsked(handler: Ask): () => void {
  ask = handler;
  return () => {
    if (ask === handler) ask = null;
  };
}

/** Whether the password was given; false = closed without, or there is nobody to ask. */
export const askFreshSignIn = async (): Promise<boolean> => (await ask?.()) ?? false;
