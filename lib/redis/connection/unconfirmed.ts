import { AppError } from '@/lib/model/errors';

/** More of them in one sentence would help nobody; the details hold as many as a page can show. */
const SHOWN = 5;

/** Servers have announced these addresses, and nobody has said yet that they belong to the instance. */
export function unconfirmed(addresses: string[]): AppError {
  const first = addresses.slice(0, SHOWN).join(', ');
  const more = addresses.length > SHOWN ? ` and ${addresses.length - SHOWN} more` : '';
  return new AppError(
    'destination_unconfirmed',
    `Not confirmed: ${first}${more}. The servers announce ${addresses.length === 1 ? 'this address' : 'these addresses'}, and nobody has said that the password may go there. An administrator confirms addresses on the Server page of the instance.`,
    { address: addresses[0] ?? '', addresses },
  );
}

/** Those that only wait to be confirmed come first, together: that is what a person can do. Else the first refusal. */
export function whyNone(problems: ReadonlyMap<string, AppError>): AppError {
  const all = [...problems.values()];
  const waiting = all.flatMap(({ code, details }) =>
    code === 'destination_unconfirmed' ? [String(details.address)] : [],
  );
  return waiting.length > 0 ? unconfirmed(waiting) : (all[0] as AppError);
}
