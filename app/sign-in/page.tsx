import { redirect } from 'next/navigation';
import { pageTitle } from '@/app/page-title';
import { SignInPage } from '@/components/account/sign-in-page';
import { isAnonymous } from '@/lib/http/access/actor-of';
import { pageActor } from '@/lib/http/access/page-actor';
import { safeReturn } from '@/lib/http/access/safe-return';

export const generateMetadata = () => pageTitle('account', 'signIn');

export default async function Page({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const { next } = await searchParams;
  const back = safeReturn(typeof next === 'string' ? next : null);
  if (!isAnonymous(await pageActor())) redirect(back);
  return <SignInPage next={back} />;
}
