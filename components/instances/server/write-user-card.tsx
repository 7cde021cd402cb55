import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { May } from '@/components/data/may';
import { useInstance, useWithdrawWriteUser } from '@/components/data/queries/use-instances';
import { WriteUserForm } from '@/components/plans/write-user-form';
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
  const { data: instance } = useInstance(instanceId);
  const withdraw = useWithdrawWriteUser(instanceId);
  const [editing, setEditing] = useState(false);
  if (!instance) return null;
  const { separateWriteUser: separate, hasWritePassword: given } = instance;
  const state = !separate ? 'same' : given ? 'given' : 'missingShort';
  return (
    <Card id="write-user" className="scroll-mt-16">
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
        <May permission="instance.manage" instanceId={instanceId} instead>
          {editing || (separate && !given) ? (
            <WriteUserForm instance={instance} onDone={() => setEditing(false)} />
          ) : (
            <div className="flex flex-wrap gap-2">
              <Button size="sm" onClick={() => setEditing(true)}>
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
        <ErrorAlert error={withdraw.error} />
      </CardBody>
    </Card>
  );
}
