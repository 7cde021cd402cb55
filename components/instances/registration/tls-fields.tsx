import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Alert } from '@/components/ui/alert';
import { Card, CardBody } from '@/components/ui/card';
import { Field } from '@/components/ui/forms/field';
import { Input, Textarea } from '@/components/ui/forms/input';
import type { Instance } from '@/lib/model/servers/instance';
import type { FormValues } from './form-values';
import { SecretField } from './secret-field';
import { ToggleRow } from './toggle-row';
import { useFieldError } from './use-field-error';

export function TlsFields({ instance }: { instance: Instance | null }) {
  const t = useTranslations('instances.form');
  const ui = useTranslations('ui');
  const { register } = useFormContext<FormValues>();
  const error = useFieldError();
  const tls = useWatch<FormValues, 'tls'>({ name: 'tls' });
  return (
    <Card>
      <div className="px-4 py-3">
        <ToggleRow name="tls.enabled" label={t('tlsEnabled')} />
      </div>
      {tls.enabled ? (
        <CardBody className="space-y-4 border-t">
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label={t('ca')} hint={t('caHint')} optional={ui('optional')} error={error('tls.ca')}>
              <Textarea
                {...register('tls.ca')}
                spellCheck={false}
                className="font-mono text-xs"
                placeholder="-----BEGIN CERTIFICATE-----"
              />
            </Field>
            <Field label={t('cert')} optional={ui('optional')} error={error('tls.cert')}>
              <Textarea
                {...register('tls.cert')}
                spellCheck={false}
                className="font-mono text-xs"
                placeholder="-----BEGIN CERTIFICATE-----"
              />
            </Field>
            <SecretField name="tlsKey" label={t('key')} stored={instance?.hasTlsKey ?? false} multiline />
            <Field
              label={t('servername')}
              hint={t('servernameHint')}
              optional={ui('optional')}
              error={error('tls.servername')}
            >
              <Input {...register('tls.servername')} className="font-mono" spellCheck={false} />
            </Field>
          </div>
          <ToggleRow name="tls.skipVerify" label={t('skipVerify')} />
          {tls.skipVerify ? <Alert tone="danger">{t('skipVerifyWarning')}</Alert> : null}
        </CardBody>
      ) : null}
    </Card>
  );
}
