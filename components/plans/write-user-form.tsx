import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSetWriteUser } from '@/components/data/queries/use-instances';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { toast } from '@/components/ui/overlays/toast';
import type { Instance } from '@/lib/model/servers/instance';

/** Name and password of the write user; stored once the servers have accepted them. */
export function WriteUserForm({ instance, onDone }: { instance: Instance; onDone?: () => void }) {
  const t = useTranslations('instances');
  const errorText = useErrorText();
  const set = useSetWriteUser(instance.id);
  const [username, setUsername] = useState(instance.writeUsername ?? '');
  const [password, setPassword] = useState('');
  const failure = set.error ? errorText(set.error) : null;
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
        const given = { username: username.trim() || null, password };
        if (password !== '') set.mutateAsync(given).then(done, () => {});
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
      {failure ? (
        <Alert tone="danger" title={failure.title}>
          {failure.hint}
        </Alert>
      ) : null}
    </form>
  );
}
