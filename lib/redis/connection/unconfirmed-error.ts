import { AppError } from '@/lib/model/errors';

/** The number of addresses in the sentence; more would not be readable. The details hold all of them. */
const SHOWN = 5;

/** The error for addresses that servers announce, or that a name now leads to, and that nobody has confirmed. */
export function createUnconfirmedError(addresses: string[]): AppError {
  const first = addresses.slice(0, SHOWN).join(', ');
  const more = addresses.length > SHOWN ? ` and ${addresses.length - SHOWN} more` : '';
  return new AppError(
    'destination_unconfirmed',
    `Not confirmed: ${first}${more}. The servers or a host name lead to ${addresses.length === 1 ? 'this address' : 'these addresses'}, and nobody has said that the password may go there. An administrator confirms addresses on the Server page of the instance.`,
    { address: addresses[0] ?? '', addresses },
  );
}

/**
 * Picks the error to report when no node can be used: all unconfirmed addresses together, because a person can confirm
 * them, else the first problem.
 */
export function pickNodeError(problems: ReadonlyMap<string, AppError>): AppError {
  const all = [...problems.values()];
  const unconfirmed = all.flatMap(({ code, details }) =>
    code === 'destination_unconfirmed' ? [String(details.address)] : [],
  );
  if (unconfirmed.length > 0) return createUnconfirmedError(unconfirmed);
  // A node that is not to be used says least about why the others cannot be used.
  return all.find(({ code }) => code !== 'node_not_used') ?? (all[0] as AppError);
}
