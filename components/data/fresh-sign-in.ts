/**
 * An action on production requires the password once more. The component that renders the dialog registers here, and
 * the API client calls it when an answer requires the password.
 */

type Ask = () => Promise<boolean>;
let ask: Ask | null = null;

export function onFreshSignInAsked(handler: Ask): () => void {
  ask = handler;
  return () => {
    if (ask === handler) ask = null;
  };
}

/** Whether the password was entered; false: the dialog was closed, or no dialog is registered. */
export const askFreshSignIn = async (): Promise<boolean> => (await ask?.()) ?? false;
