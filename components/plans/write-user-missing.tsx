import { useTranslations } from 'use-intl';
import { May } from '@/components/data/may';
import { useInstance } from '@/components/data/queries/use-instances';
import { Alert } from '@/components/ui/alert';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { WriteUserForm } from './write-user-form';

/** Asks for the password of the write user if it is missing and keys are about to be changed. */
export function WriteUserMissing({ instanceId }: { instanceId: string }) {
  const t = useTranslations('instances.writeUser');
  const { data: instance } = useInstance(instanceId);
  if (!instance?.separateWriteUser || instance.hasWritePassword) return null;
  return (
    <Card>
      <CardHeader title={t('missing')} />
      <CardBody className="space-y-4">
        <Alert tone="warning">{t('missingText', { name: instance.name })}</Alert>
        <May permission="instance.manage" instanceId={instanceId} reason>
          <WriteUserForm instance={instance} />
        </May>
      </CardBody>
    </Card>
  );
}
