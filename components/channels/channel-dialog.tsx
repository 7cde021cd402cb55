import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EditDialog } from '@/components/data/forms/edit-dialog';
import { useTeams } from '@/components/data/queries/accounts/use-teams';
import { useSaveChannel } from '@/components/data/queries/alerts/use-channels';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Select } from '@/components/ui/forms/select';
import type { Channel, ChannelInput } from '@/lib/model/alerts/channel';
import { CHANNEL_KINDS, type ChannelKind, SIGNING_KINDS } from '@/lib/model/alerts/vocabulary';
import { MailFields, NEW_MAIL_SETTINGS } from './mail-fields';

const EXAMPLES: Record<ChannelKind, string> = {
  dingtalk: 'https://oapi.dingtalk.com/robot/send?access_token=…',
  feishu: 'https://open.feishu.cn/open-apis/bot/v2/hook/…',
  wecom: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…',
  slack: 'https://hooks.slack.com/services/…',
  webhook: 'https://example.com/hooks/colonnade',
  alertmanager: 'https://alertmanager.example.com',
  smtp: '',
};

/** Adds a channel (`channel` null), or changes one. */
export function ChannelDialog(props: { channel: Channel | null; isFirst: boolean; onClose: () => void }) {
  const t = useTranslations('channels');
  const { channel } = props;
  const teams = useTeams().data ?? [];
  const save = useSaveChannel();
  const [body, setBody] = useState<ChannelInput>(() => toInput(channel, props.isFirst));
  const set = (change: Partial<ChannelInput>) => setBody({ ...body, ...change });
  const { kind, smtp, secrets } = body;
  const hasAddress = kind === 'smtp' ? smtp?.host !== '' && smtp?.from !== '' : (secrets.url ?? '') !== '' || channel;
  const ready = body.name.trim() !== '' && Boolean(hasAddress);
  /** Names of teams that have been removed stay chosen until somebody unticks them. */
  const names = [...new Set([...teams.map(({ name }) => name), ...body.teams])];
  return (
    <EditDialog
      title={channel ? t('editTitle', { name: channel.name }) : t('add')}
      description={t('text')}
      save={t('save')}
      ready={ready}
      busy={save.isPending}
      error={save.error}
      onSave={() => save.mutate({ id: channel?.id ?? null, body: clean(body) }, { onSuccess: props.onClose })}
      onClose={props.onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('column.name')}>
          <Input
            value={body.name}
            maxLength={80}
            autoComplete="off"
            onChange={({ target }) => set({ name: target.value })}
          />
        </Field>
        <Field label={t('kindLabel')}>
          <Select
            value={kind}
            disabled={channel !== null}
            onValueChange={(value) => set({ kind: value, smtp: value === 'smtp' ? NEW_MAIL_SETTINGS : null })}
            options={CHANNEL_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
          />
        </Field>
      </div>
      {kind === 'smtp' && smtp !== null ? (
        <MailFields value={smtp} onChange={(next) => set({ smtp: next })} />
      ) : (
        <Field label={t('url')} hint={channel ? t('kept', { shown: channel.shownUrl ?? '—' }) : EXAMPLES[kind]}>
          <Input
            value={secrets.url ?? ''}
            maxLength={2000}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => set({ secrets: { ...secrets, url: target.value } })}
          />
        </Field>
      )}
      {SIGNING_KINDS.includes(kind) || kind === 'smtp' ? (
        <Field
          label={t(kind === 'smtp' ? 'password' : 'secret')}
          optional={kind === 'webhook' ? undefined : t('optional')}
          hint={
            channel?.shownSecret
              ? t('kept', { shown: channel.shownSecret })
              : kind === 'smtp'
                ? undefined
                : t(`secretHint.${kind as 'webhook'}`)
          }
        >
          <Input
            type="password"
            value={secrets.secret ?? ''}
            maxLength={500}
            autoComplete="new-password"
            onChange={({ target }) => set({ secrets: { ...secrets, secret: target.value } })}
          />
        </Field>
      ) : null}
      <fieldset className="space-y-2">
        <legend className="font-medium">{t('column.receives')}</legend>
        <div className="-m-1 max-h-40 space-y-1 overflow-y-auto p-1">
          <Tick label={t('isDefault')} checked={body.isDefault} onChange={(isDefault) => set({ isDefault })} />
          {names.map((name) => (
            <Tick
              key={name}
              label={t('teamAlerts', { team: name })}
              checked={body.teams.includes(name)}
              onChange={(on) => set({ teams: on ? [...body.teams, name] : body.teams.filter((one) => one !== name) })}
            />
          ))}
        </div>
      </fieldset>
      {kind === 'alertmanager' ? null : (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={t('language')}>
            <Select
              value={body.language}
              onValueChange={(language) => set({ language })}
              options={[
                { value: 'en', label: 'English' },
                { value: 'zh-CN', label: '简体中文' },
              ]}
            />
          </Field>
          <Field label={t('zone')}>
            <Input
              value={body.zone}
              maxLength={64}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => set({ zone: target.value })}
            />
          </Field>
          <Field label={t('digest')} optional={t('optional')} hint={t('digestHint')} className="sm:col-span-2">
            <Input
              type="time"
              value={body.digestAt ?? ''}
              onChange={({ target }) => set({ digestAt: target.value || null })}
            />
          </Field>
        </div>
      )}
      <Tick label={t('isOn')} checked={body.on} onChange={(on) => set({ on })} />
    </EditDialog>
  );
}

const Tick = (props: { label: string; checked: boolean; onChange: (on: boolean) => void }) => (
  <label className="flex items-center gap-2 text-sm">
    <input
      type="checkbox"
      className="size-4 accent-accent"
      checked={props.checked}
      onChange={({ target }) => props.onChange(target.checked)}
    />
    <bdi>{props.label}</bdi>
  </label>
);

function toInput(channel: Channel | null, isFirst: boolean): ChannelInput {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const language = document.documentElement.lang === 'zh-CN' ? 'zh-CN' : 'en';
  if (channel === null)
    return {
      ...{ name: '', kind: 'dingtalk', on: true, isDefault: isFirst, teams: [], language, digestAt: null },
      ...{ zone: timeZone, smtp: null, secrets: {} },
    };
  const { name, kind, on, isDefault, teams, digestAt, zone, smtp } = channel;
  return { name, kind, on, isDefault, teams, language: channel.language, digestAt, zone, smtp, secrets: {} };
}

/** An empty field keeps what is stored. */
const clean = ({ secrets: { url, secret }, ...body }: ChannelInput): ChannelInput => ({
  ...body,
  name: body.name.trim(),
  secrets: { ...(url && { url }), ...(secret && { secret }) },
});
