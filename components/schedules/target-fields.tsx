import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useInstances } from '@/components/data/queries/use-instances';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Segmented } from '@/components/ui/forms/segmented';
import { toVisibleText } from '@/components/ui/visible-text';
import type { ScheduleTargets } from '@/lib/model/schedules/schedule';

const KINDS = ['instances', 'tags', 'environment'] as const;

const buildEmpty = (by: ScheduleTargets['by']): ScheduleTargets =>
  by === 'instances' ? { by, ids: [] } : by === 'tags' ? { by, tags: [] } : { by, environment: '' };

/** Which instances a schedule scans: by name, by tag or by environment. */
export function TargetFields(props: { targets: ScheduleTargets; onChange: (targets: ScheduleTargets) => void }) {
  const t = useTranslations('schedules.form');
  const { targets, onChange } = props;
  const { data: instances = [] } = useInstances();
  // The text as it is typed: a comma at its end is not a tag yet.
  const [tags, setTags] = useState(targets.by === 'tags' ? targets.tags.join(', ') : '');
  return (
    <fieldset className="space-y-3">
      <legend className="mb-1.5 font-medium text-sm">{t('targets')}</legend>
      <Segmented
        label={t('targets')}
        value={targets.by}
        onValueChange={(by) => {
          setTags('');
          onChange(buildEmpty(by));
        }}
        options={KINDS.map((value) => ({ value, label: t(`by.${value}`) }))}
      />
      {targets.by === 'instances' ? (
        <div className="-m-1 max-h-40 space-y-1 overflow-y-auto p-1">
          {instances.map(({ id, name }) => (
            <label key={id} className="flex items-center gap-2 text-sm">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={targets.ids.includes(id)}
                onChange={({ target }) =>
                  onChange({
                    by: 'instances',
                    ids: target.checked ? [...targets.ids, id] : targets.ids.filter((one) => one !== id),
                  })
                }
              />
              <bdi className="[overflow-wrap:anywhere]">{toVisibleText(name)}</bdi>
            </label>
          ))}
        </div>
      ) : targets.by === 'tags' ? (
        <Field label={t('tags')} hint={t('tagsHint')}>
          <Input
            value={tags}
            autoComplete="off"
            onChange={({ target }) => {
              setTags(target.value);
              onChange({
                by: 'tags',
                tags: target.value
                  .split(/[,，]/)
                  .map((tag) => tag.trim())
                  .filter(Boolean),
              });
            }}
          />
        </Field>
      ) : (
        <Field label={t('environment')} hint={t('environmentHint')}>
          <Input
            value={targets.environment}
            maxLength={64}
            autoComplete="off"
            onChange={({ target }) => onChange({ by: 'environment', environment: target.value.trim() })}
          />
        </Field>
      )}
    </fieldset>
  );
}
