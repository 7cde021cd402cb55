import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { May } from '@/components/data/may';
import { useInstance, useSetWriteUser } from '@/components/data/queries/use-instances';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { toast } from '@/components/ui/overlays/toast';
import type { Instance } from '@/lib/model/servers/instance';

/** The form for name and password of the write user, which are stored once the servers have accepted them. */
export function WriteUserForm({ instance, onDone }: { instance: Instance; onDone?: () => void }) {
  const t = useTranslations('instances');
  const set = useSetWriteUser(instance.id);
  const [username, setUsername] = useState(instance.writeUsername ?? '');
  const [password, setPassword] = useState('');
  const done = () => {
    setPassword('');
    toast.success(t('writeUser.done', { name: instance.name }));
    onDone?.();
  };
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        // Uses a promise: the answer may remove this form, and callbacks of `mutate` would be dropped with it.
        const input = { username: username.trim() || null, password };
        if (password !== '') set.mutateAsync(input).then(done, () => {});
      }}
    >
      <div className="flex flex-wrap items-end gap-3">
        <Field label={t('form.writeUsername')} className="w-full sm:w-56">
          <Input
            value={username}
            onChange={(event) => setUsername(event.target.value)}
            placeholder="default"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={253}
          />
        </Field>
        <Field label={t('form.writePassword')} className="w-full sm:w-56">
          <Input
            type="password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            autoComplete="new-password"
          />
        </Field>
        <Button type="submit" variant="primary" busy={set.isPending} disabled={password === ''}>
          {t('writeUser.save')}
        </Button>
      </div>
      <ErrorAlert error={set.error} />
    </form>
  );
}

/** Asks for the password of the write user if it is missing, on pages where keys are about to be changed. */
export function WriteUserMissing({ instanceId }: { instanceId: string }) {
  const t = useTranslations('instances.writeUser');
  const { data: instance } = useInstance(instanceId);
  if (!instance?.separateWriteUser || instance.hasWritePassword) return null;
  return (
    <Card>
      <CardHeader title={t('missing')} />
      <CardBody className="space-y-4">
        <Alert tone="warning">{t('missingText', { name: instance.name })}</Alert>
        <May permission="instance.manage" instanceId={instanceId} instead>
          <WriteUserForm instance={instance} />
        </May>
      </CardBody>
    </Card>
  );
}
