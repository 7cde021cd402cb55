import { createHash } from 'node:crypto';
import { UserName } from '@/lib/model/accounts/accounts';
import type { Identity, Provider } from '@/lib/model/accounts/oidc';
import { findUserRow } from '@/lib/store/accounts/users';
import type { Tx } from '@/lib/store/open-store';

const MAX = 64;

/**
 * The name of a new account: as the provider calls that person, where names allow it. One that is taken, by whomever,
 * stays theirs: then the provider's id is added, and a part of the subject's hash if that is taken too.
 */
export async function accountName({ id }: Pick<Provider, 'id'>, identity: Identity, tx: Tx): Promise<string> {
  const mark = createHash('sha256').update(`${identity.issuer} ${identity.subject}`).digest('hex').slice(0, 10);
  const plain = (identity.name ?? '')
    .normalize('NFKC')
    .trim()
    .replace(/[^\p{L}\p{N}._@+-]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  const base = cut(plain, MAX) || `${id}-${mark}`;
  for (const name of [base, withEnd(base, `@${id}`), withEnd(base, `-${mark}`)])
    if (UserName.safeParse(name).success && (await findUserRow(name, tx)) === null) return name;
  return withEnd(id, `-${mark}`);
}

const withEnd = (name: string, end: string) => `${cut(name, MAX - end.length)}${end}`;

/** No half of a pair of surrogates stays. */
const cut = (text: string, length: number) => text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
