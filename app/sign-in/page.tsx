import { redirect } from 'next/navigation';
import { buildPageTitle } from '@/app/page-title';
import { SignInPage } from '@/components/account/sign-in-page';
import { hasAccounts } from '@/lib/access/users/has-accounts';
import { listProviders } from '@/lib/access/users/providers/list-providers';
import { getPageActor } from '@/lib/http/access/page-actor';
import { isAnonymous } from '@/lib/http/access/resolve-actor';
import { toSafeReturn } from '@/lib/http/access/to-safe-return';

/** Error codes that a browser may come back with from an identity provider. */
const SHOWN = [
  'provider_unreachable',
  'provider_sign_in_failed',
  'provider_sign_in_lost',
  'not_admitted',
  'fresh_sign_in_unproven',
  'sign_in_needed',
  'internal',
] as const;

export const generateMetadata = () => buildPageTitle('account', 'signIn');

export default async function Page({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { next, problem, provider, ended } = await searchParams;
  const back = toSafeReturn(typeof next === 'string' ? next : null);
  const code = SHOWN.find((one) => one === problem);
  // If there is a problem, the page is shown so that it can be read.
  if (!code && !isAnonymous(await getPageActor())) redirect(back);
  const providers = listProviders();
  const label = providers.find(({ id }) => id === provider)?.label ?? '';
  return (
    <SignInPage
      next={back}
      providers={providers}
      problem={code ? { code, provider: label } : null}
      hasEnded={ended === '1'}
      isFirstStart={!(await hasAccounts())}
    />
  );
}
