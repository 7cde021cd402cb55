'use client';
import { useTranslations } from 'use-intl';
import { useSession } from '@/components/data/queries/accounts/use-session';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { PasswordCard } from './password-card';
import { SessionsCard } from './sessions-card';
import { TokensCard } from './tokens-card';

/** The reader's own account: role, password, sessions and API tokens. */
export function AccountPage() {
  const t = useTranslations('account');
  const { data: session } = useSession();
  const user = session?.user;
  return (
    <div className="space-y-4">
      <PageHeader
        title={t('title')}
        badges={user && !session.singleUser ? <Badge tone="outline">{t(`role.${user.role}`)}</Badge> : null}
        description={
          user && !session.singleUser ? (
            <>
              <bdi className="font-medium text-foreground">{user.name}</bdi> · {t(`roleText.${user.role}`)}
            </>
          ) : null
        }
      />
      {!session ? (
        <Skeleton className="h-64 rounded-lg" />
      ) : session.singleUser ? (
        <Alert tone="info" title={t('singleUser')}>
          {t('singleUserText')}
        </Alert>
      ) : (
        <>
          {user?.provider ? <Alert tone="info" title={t('managed', { provider: user.provider })} /> : <PasswordCard />}
          <SessionsCard />
          <TokensCard />
        </>
      )}
    </div>
  );
}
