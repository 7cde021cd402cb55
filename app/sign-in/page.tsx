import { redirect } from 'next/navigation';
import { pageTitle } from '@/app/page-title';
import { SignInPage } from '@/components/account/sign-in-page';
import { listProviders } from '@/lib/access/users/providers/list-providers';
import { isAnonymous } from '@/lib/http/access/actor-of';
import { pageActor } from '@/lib/http/access/page-actor';
import { safeReturn } from '@/lib/http/access/safe-return';

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

export const generateMetadata = () => pageTitle('account', 'signIn');

export default async function Page({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { next, problem, provider } = await searchParams;
  const back = safeReturn(typeof next === 'string' ? next : null);
  const code = SHOWN.find((one) => one === problem);
  // If there is a problem, the page is shown so that it can be read.
  if (!code && !isAnonymous(await pageActor())) redirect(back);
  const providers = listProviders();
  const label = providers.find(({ id }) => id === provider)?.label ?? '';
  return <SignInPage next={back} providers={providers} problem={code ? { code, provider: label } : null} />;
}
