import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { ChoiceCards } from '@/components/ui/forms/choice-cards';
import { Field } from '@/components/ui/forms/field';
import { FilterInput } from '@/components/ui/forms/filter-input';
import { Fold } from '@/components/ui/forms/fold';
import { Textarea } from '@/components/ui/forms/input';
import { PasswordInput } from '@/components/ui/forms/password-input';
import { Select } from '@/components/ui/forms/select';
import { UserNameInput } from '@/components/ui/forms/user-name-input';
import { Sample } from './sample';

const TYPES = ['string', 'hash', 'list', 'set', 'zset', 'stream'] as const;

/** Fields that take more than a line to say what they ask. */
export function Choices() {
  const t = useTranslations('styleguide');
  const [card, setCard] = useState('one');
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [type, setType] = useState<(typeof TYPES)[number]>('hash');
  return (
    <Card>
      <CardHeader title={t('choices')} />
      <CardBody className="space-y-4">
        <Sample of="ChoiceCards">
          <ChoiceCards
            label={t('field')}
            value={card}
            onValueChange={setCard}
            options={[
              { value: 'one', title: t('one'), text: t('hint') },
              { value: 'two', title: t('two'), note: '1.2 s', text: t('hint') },
              { value: 'three', title: t('disabled'), text: t('hint'), disabled: true },
            ]}
          />
        </Sample>
        <Sample of="Fold">
          <Fold title={t('field')} summary={t('one')} open={open} onOpenChange={setOpen}>
            <p>{t('hint')}</p>
          </Fold>
        </Sample>
        <div className="grid gap-4 sm:grid-cols-2">
          <Sample of="FilterInput">
            <FilterInput value={text} onValueChange={setText} placeholder={t('filter')} />
          </Sample>
          <Sample of="Select">
            <Select
              aria-label={t('field')}
              value={type}
              onValueChange={setType}
              options={TYPES.map((value) => ({ value, label: value }))}
            />
          </Sample>
          <Sample of="PasswordInput">
            <Field label={t('password')}>
              <PasswordInput autoComplete="off" onValueChange={() => undefined} />
            </Field>
          </Sample>
          <Sample of="UserNameInput">
            <Field label={t('userName')} optional={t('optional')}>
              <UserNameInput autoComplete="off" defaultValue="ada" />
            </Field>
          </Sample>
          <Sample of="Select">
            <Select
              aria-label={t('disabled')}
              disabled
              value={undefined}
              placeholder={t('nothing')}
              onValueChange={() => undefined}
              options={[]}
            />
          </Sample>
          <Sample of="Textarea">
            <Field label={t('field')} hint={t('hint')}>
              <Textarea defaultValue={'user:\nmall:'} />
            </Field>
          </Sample>
          <Sample of="Textarea">
            <Field label={t('field')} error={t('wrong')}>
              <Textarea defaultValue="…" />
            </Field>
          </Sample>
        </div>
      </CardBody>
    </Card>
  );
}
