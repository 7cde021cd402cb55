import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { May } from '@/components/data/may';
import { useProfileName } from '@/components/data/queries/policies/use-profile-name';
import { useSaveProfile } from '@/components/data/queries/policies/use-profiles';
import { useErrorText } from '@/components/data/use-error-text';
import { StandardLegend } from '@/components/rules/standards';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody } from '@/components/ui/card';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { toast } from '@/components/ui/overlays/toast';
import { PageHeader } from '@/components/ui/page-header';
import { useGo } from '@/components/ui/underway/use-go';
import { DELIMITER } from '@/lib/model/names/delimiter';
import type { Profile, ProfileBody, RuleSetting } from '@/lib/model/rules/policy';
import type { Catalogue } from '@/lib/model/rules/rules';
import { RULE_AREAS } from '@/lib/model/rules/vocabulary';
import { AreaCard } from './area-card';
import { ContradictionsCard } from './contradictions-card';
import { CustomRulesCard } from './custom-rules-card';
import { listProblems } from './import-dialog';
import { ReasonsCard } from './reasons-card';
import { TryNamesCard } from './try-names-card';
import { unsaved } from './unsaved';

/**
 * All rules of a profile, with the standards in columns next to each other. A preset is read-only; its copy can be
 * edited.
 */
export function ProfileEditor(props: {
  profile: Profile;
  /** Whether another person has saved the profile since it was opened here. */
  outdated: boolean;
  catalogue: Catalogue;
  /** The default profile, which rules are compared with; null: it is not loaded yet. */
  defaultBody: ProfileBody | null;
  /** Unsaved changes from an earlier visit to this page; null: none. */
  keptBody: ProfileBody | null;
  onDiscard: () => void;
  onChanged: (changed: boolean) => void;
  onSaved: (saved: Profile) => void;
}) {
  const t = useTranslations('profiles');
  const { profile, catalogue, onChanged, onSaved } = props;
  const go = useGo();
  const errorText = useErrorText();
  const save = useSaveProfile();
  const getProfileName = useProfileName();
  const [body, setBody] = useState(props.keptBody ?? profile.body);
  const [filter, setFilter] = useState('');
  const readOnly = profile.preset;
  const changed = JSON.stringify(body) !== JSON.stringify(profile.body);
  useLeaveGuard(changed && !save.isSuccess);
  useEffect(() => onChanged(changed), [changed, onChanged]);
  useEffect(() => {
    if (changed) unsaved.keep(profile, body);
    else unsaved.drop(profile.id);
  }, [changed, profile, body]);
  const setRule = (id: string, setting: RuleSetting) =>
    setBody((before) => ({ ...before, rules: { ...before.rules, [id]: setting } }));

  function submit() {
    const copy = readOnly
      ? { ...body, name: t('copyOf', { name: getProfileName(profile.id, body.name) }).slice(0, 80) }
      : body;
    // Uses a promise, because the editor is created again with the saved values, and callbacks of the former one would
    // be dropped.
    save
      .mutateAsync({ id: readOnly ? undefined : profile.id, body: copy, updatedAt: profile.updatedAt })
      .then((saved) => {
        if (!readOnly) onSaved(saved);
        toast.success(t('saved', { count: saved.usedBy.length }));
        if (readOnly) go(`/profiles/${encodeURIComponent(saved.id)}`);
      })
      // The error is shown at the top, and Save may have been pressed far below.
      .catch(() => window.scrollTo({ top: 0 }));
  }

  return (
    <div className="space-y-4">
      <PageHeader
        className="bg-background py-2 sm:sticky sm:top-12 sm:z-10"
        title={getProfileName(profile.id, body.name)}
        badges={readOnly ? <Badge tone="outline">{t('preset')}</Badge> : null}
        description={t(readOnly ? 'presetIntro' : 'editIntro', { count: profile.usedBy.length })}
        actions={
          <May permission="profile.manage" reason>
            {!readOnly && changed ? <Button onClick={props.onDiscard}>{t('discard')}</Button> : null}
            <Button
              variant="primary"
              busy={save.isPending}
              disabled={!readOnly && (!changed || !DELIMITER.test(body.delimiter))}
              onClick={submit}
            >
              {t(readOnly ? 'copyToEdit' : 'save')}
            </Button>
          </May>
        }
      />
      {props.outdated ? <Alert tone="warning">{t('savedMeanwhile')}</Alert> : null}
      {props.keptBody && changed ? <Alert tone="info">{t('keptChanges')}</Alert> : null}
      {save.error ? (
        <Alert tone="danger" title={listProblems(save.error) ? t('importing.refused') : errorText(save.error).title}>
          <span className="whitespace-pre-wrap break-words">
            {listProblems(save.error) ?? errorText(save.error).hint}
          </span>
        </Alert>
      ) : null}
      {readOnly ? null : (
        <Card>
          <CardBody className="grid gap-3 md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_6rem]">
            <Field label={t('name')}>
              <Input value={body.name} maxLength={80} onChange={(e) => setBody({ ...body, name: e.target.value })} />
            </Field>
            <Field label={t('description')}>
              <Input value={body.description} onChange={(e) => setBody({ ...body, description: e.target.value })} />
            </Field>
            <Field label={t('delimiter')} error={DELIMITER.test(body.delimiter) ? undefined : t('delimiterRefused')}>
              <Input
                value={body.delimiter}
                maxLength={4}
                className="font-mono"
                onChange={(e) => setBody({ ...body, delimiter: e.target.value })}
              />
            </Field>
          </CardBody>
        </Card>
      )}
      <TryNamesCard body={body} />
      <ContradictionsCard catalogue={catalogue} body={body} />
      <ReasonsCard catalogue={catalogue} />
      <StandardLegend chips />
      <Input
        type="search"
        aria-label={t('find')}
        placeholder={t('find')}
        value={filter}
        onChange={(e) => setFilter(e.target.value)}
        className="max-w-sm"
      />
      {RULE_AREAS.map((area) => (
        <AreaCard
          key={area}
          area={area}
          catalogue={catalogue}
          body={body}
          defaultBody={props.defaultBody}
          filter={filter}
          readOnly={readOnly}
          onChange={setRule}
        />
      ))}
      <CustomRulesCard rules={body.custom} readOnly={readOnly} onChange={(custom) => setBody({ ...body, custom })} />
    </div>
  );
}

/** Makes the browser ask before unsaved changes are lost. */
function useLeaveGuard(on: boolean) {
  useEffect(() => {
    if (!on) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [on]);
}
