import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Field } from '@/components/ui/forms/field';
import { Input, Textarea } from '@/components/ui/forms/input';
import { Select } from '@/components/ui/forms/select';
import type { SmtpSettings } from '@/lib/model/alerts/channel';

export const NEW_MAIL_SETTINGS: SmtpSettings = {
  ...{ host: '', port: 587, security: 'starttls', user: '', from: '', to: [] },
};
const USUAL_PORTS = { starttls: 587, tls: 465 };

/** The mail server, and from whom to whom. */
export function MailFields({ value, onChange }: { value: SmtpSettings; onChange: (value: SmtpSettings) => void }) {
  const t = useTranslations('channels.mail');
  const [to, setTo] = useState(value.to.join('\n'));
  const set = (change: Partial<SmtpSettings>) => onChange({ ...value, ...change });
  const text = (field: 'host' | 'user' | 'from') => (
    <Field label={t(field)}>
      <Input
        value={value[field]}
        maxLength={256}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => set({ [field]: target.value.trim() })}
      />
    </Field>
  );
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {text('host')}
      <Field label={t('port')}>
        <Input
          type="number"
          min={1}
          max={65_535}
          value={value.port}
          onChange={({ target }) => set({ port: Number(target.value) })}
        />
      </Field>
      <Field label={t('security')}>
        <Select
          value={value.security}
          onValueChange={(security) => set({ security, port: USUAL_PORTS[security] })}
          options={(['starttls', 'tls'] as const).map((one) => ({ value: one, label: t(one) }))}
        />
      </Field>
      {text('user')}
      {text('from')}
      <Field label={t('to')} hint={t('toHint')}>
        <Textarea
          value={to}
          spellCheck={false}
          onChange={({ target }) => {
            setTo(target.value);
            set({ to: target.value.split(/[\s,;]+/).filter((one) => one !== '') });
          }}
        />
      </Field>
    </div>
  );
}
