import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { May } from '@/components/data/may';
import { useInstance, useWithdrawWriteUser } from '@/components/data/queries/use-instances';
import { useErrorText } from '@/components/data/use-error-text';
import { WriteUserForm } from '@/components/plans/write-user-form';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { toast } from '@/components/ui/overlays/toast';

/**
 * The user that keys are changed as: the user that reads, or a separate write user, whose password is set and withdrawn
 * here.
 */
export function WriteUserCard({ instanceId }: { instanceId: string }) {
  const t = useTranslations('instances.writeUser');
  const errorText = useErrorText();
  const { data: instance } = useInstance(instanceId);
  const withdraw = useWithdrawWriteUser(instanceId);
  const [giving, setGiving] = useState(false);
  if (!instance) return null;
  const { separateWriteUser: separate, hasWritePassword: given } = instance;
  const state = !separate ? 'same' : given ? 'given' : 'missingShort';
  const failure = withdraw.error ? errorText(withdraw.error) : null;
  return (
    <Card>
      <CardHeader
        title={t('title')}
        actions={
          <Badge tone={separate && !given ? 'warning' : 'outline'}>
            {t(state, { name: instance.writeUsername || 'default' })}
          </Badge>
        }
      />
      <CardBody className="space-y-3">
        <p className="text-muted-foreground">{t(separate ? 'text' : 'sameText')}</p>
        <May permission="instance.manage" instanceId={instanceId} reason>
          {giving || (separate && !given) ? (
            <WriteUserForm instance={instance} onDone={() => setGiving(false)} />
          ) : (
            <div className="flex flex-wrap gap-2">
              <Button size="sm" onClick={() => setGiving(true)}>
                {t(separate ? 'replace' : 'separate')}
              </Button>
              {given ? (
                <Button
                  size="sm"
                  variant="ghost"
                  busy={withdraw.isPending}
                  onClick={() => withdraw.mutate(undefined, { onSuccess: () => toast.success(t('withdrawn')) })}
                >
                  {t('withdraw')}
                </Button>
              ) : null}
            </div>
          )}
        </May>
        {failure ? (
          <Alert tone="danger" title={failure.title}>
            {failure.hint}
          </Alert>
        ) : null}
      </CardBody>
    </Card>
  );
}
