import { useDeferredValue, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCheckedNames } from '@/components/data/queries/policies/use-profiles';
import { RuleId } from '@/components/rules/rule-id';
import { useRuleText } from '@/components/rules/use-rule-text';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Field } from '@/components/ui/forms/field';
import { Textarea } from '@/components/ui/forms/input';
import { KeyName } from '@/components/ui/key-name';
import type { ProfileBody } from '@/lib/model/rules/policy';

/** The most names that the server checks at once. */
const MAX_NAMES = 50;

/** Checks names against the profile in the editor, before anything is saved. */
export function TryNamesCard({ body }: { body: ProfileBody }) {
  const t = useTranslations('profiles.try');
  const [text, setText] = useState('user:basic.info:42:string\nUserAdmin:1\nuser-1-name');
  const names = useDeferredValue(text)
    .split('\n')
    .filter((line) => line !== '')
    .slice(0, MAX_NAMES);
  const { data, error } = useCheckedNames(useDeferredValue(body), names);
  const getRuleText = useRuleText();
  return (
    <Card>
      <CardHeader title={t('title')} description={t('intro')} />
      <CardBody className="grid gap-4 md:grid-cols-2">
        <Field label={t('names')}>
          <Textarea
            rows={5}
            value={text}
            spellCheck={false}
            onChange={(e) => setText(e.target.value)}
            className="font-mono text-xs"
          />
        </Field>
        <ul className="space-y-2 text-sm" aria-live="polite">
          {error ? <li className="text-muted-foreground">{t('notYet')}</li> : null}
          {names.map((name, i) => {
            const verdict = data?.[i];
            if (!verdict) return null;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same name may occur twice
              <li key={`${i} ${name}`}>
                <KeyName name={name} max={60} />
                {verdict.violated.length === 0 ? <span className="ml-2 text-success text-xs">{t('fine')}</span> : null}
                <ul className="mt-0.5 space-y-0.5">
                  {verdict.violated.map(({ rule, title }) => (
                    <li key={rule} className="flex items-center gap-1.5 text-muted-foreground text-xs">
                      <RuleId id={rule} /> {getRuleText(rule, title).title}
                    </li>
                  ))}
                </ul>
                {verdict.suggested ? (
                  <span className="flex items-center gap-1 text-xs">
                    {t('better')} <KeyName name={verdict.suggested} max={60} />
                  </span>
                ) : null}
              </li>
            );
          })}
        </ul>
      </CardBody>
    </Card>
  );
}
