import { type FormEvent, useEffect, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { useFormat } from '@/components/data/format/use-format';
import { keep } from '@/components/data/kept/use-kept-state';
import { useMakePlan } from '@/components/data/queries/use-deletions';
import { useInstance } from '@/components/data/queries/use-instances';
import { useHere } from '@/components/layout/navigation/use-here';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { ChoiceCards } from '@/components/ui/forms/choice-cards';
import { Input } from '@/components/ui/forms/input';
import { Segmented } from '@/components/ui/forms/segmented';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/overlays/dialog';
import { useGo } from '@/components/ui/underway/use-go';
import { toVisibleText } from '@/components/ui/visible-text';
import type {
  DeletionOptions,
  DeletionTask,
  ExpireOptions,
  PlanRequest,
  Selection,
} from '@/lib/model/deletions/plan-request';
import { isNarrowing } from '@/lib/model/is-narrowing';
import type { Speed } from '@/lib/model/job';
import { getProtectionMarks } from '@/lib/model/servers/protection-marks';
import { AdvancedFields, DeletionFields } from './deletion-fields';
import { type DraftProps, NumberField } from './number-field';
import {
  type DraftErrors,
  findDraftErrors,
  type PlanDraft,
  parseNumber,
  toPlanDraft,
  toPlanOptions,
} from './plan-draft';

/** The confirmation of a plan requires a consent for expiries in less than this many seconds. */
const SHORT_SECONDS = 600;

/** The expiries to set, and which keys get them. */
function ExpiryFields(props: DraftProps) {
  const t = useTranslations('deletions.new');
  const { draft, onChange } = props;
  const isShort = (parseNumber(draft, 'fromSeconds') ?? SHORT_SECONDS) < SHORT_SECONDS;
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <NumberField
          {...props}
          name="fromSeconds"
          label={t('from')}
          hint={(time) => t(isShort ? 'fromShort' : 'fromHint', { time })}
        />
        <NumberField {...props} name="windowSeconds" label={t('window')} hint={(time) => t('windowHint', { time })} />
      </div>
      <ChoiceCards
        label={t('only')}
        value={draft.only}
        onValueChange={(only) => onChange({ only })}
        className="sm:grid-cols-2"
        options={[
          { value: 'none', title: t('onlyNone'), text: t('onlyNoneText') },
          { value: 'all', title: t('onlyAll'), text: t('onlyAllText') },
        ]}
      />
    </>
  );
}

/** Number of paths that are named for a selection of nodes. */
const SHOWN_PATHS = 3;
const SPEEDS: readonly Speed[] = ['gentle', 'balanced', 'fast'];

export interface PlanStart {
  task: DeletionTask;
  /** Options of the plan that is being changed. */
  options?: DeletionOptions | ExpireOptions;
  /** Keys were excluded that can only be deleted in place. */
  offerInPlace?: boolean;
}

/** Must be typed to plan all keys of a snapshot; it is the same in every language. */
const EVERY_KEY = 'ALL';

/**
 * Chooses how the selected keys are deleted (or which expiry they get), makes the plan and opens it. It changes no key
 * yet.
 */
export function PlanDialog(props: {
  instanceId: string;
  selection: Selection;
  start: PlanStart;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Called when the plan was made and is about to be opened. */
  onMade?: () => void;
}) {
  const t = useTranslations('deletions');
  const scans = useTranslations('scans.speed');
  const { instanceHref } = useHere();
  const go = useGo();
  const { data: instance } = useInstance(props.instanceId);
  const make = useMakePlan();
  const form = useId();
  const { instanceId, start } = props;
  const { task } = start;
  const optionsBefore = start.options ?? {};
  const [draft, setDraft] = useState<PlanDraft>(() => toPlanDraft(start.options));
  /** The fields whose errors are shown, because the person has left them or tried to make the plan. */
  const [visited, setVisited] = useState<DraftErrors>({});
  const [typed, setTyped] = useState('');
  // A filter that excludes nothing covers every key of the snapshot, which a person has to confirm.
  const everyKey = props.selection.by === 'filter' && !props.selection.nodes && !isNarrowing(props.selection.filter);
  const isConfirmed = typed.trim() === EVERY_KEY;
  const selection: Selection =
    props.selection.by === 'filter' && everyKey && isConfirmed ? { ...props.selection, all: true } : props.selection;

  const formatSelection = () => {
    if (selection.by === 'keys') return t('new.textDelete', { count: selection.keys.length });
    if (!selection.nodes) return t('new.textFilter');
    // A row of the tree may be two nodes with the same path: the keys that end there, and the keys below it.
    const paths = [...new Set(selection.nodes.map((node) => node.path))];
    const shown = paths.slice(0, SHOWN_PATHS).map((path) => toVisibleText(path));
    return t('new.textNodes', { paths: shown.join(', '), more: paths.length - shown.length });
  };
  const allErrors = findDraftErrors(task, draft);
  const wrongFields = Object.keys(allErrors) as (keyof DraftErrors)[];
  const fields = {
    draft,
    errors: Object.fromEntries(wrongFields.filter((name) => visited[name]).map((name) => [name, true])) as DraftErrors,
    onChange: (change: Partial<PlanDraft>) => setDraft({ ...draft, ...change }),
    onLeave: (name: keyof DraftErrors) => setVisited((visitedBefore) => ({ ...visitedBefore, [name]: true })),
  };

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setVisited(allErrors);
    const target = event.currentTarget;
    if (wrongFields.length > 0) {
      // The fields show their errors only after the next render.
      setTimeout(() => target.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    const request: PlanRequest =
      task === 'expire'
        ? { task, instanceId, selection, options: toPlanOptions(task, draft, optionsBefore) }
        : { task, instanceId, selection, options: toPlanOptions(task, draft, optionsBefore) };
    make.mutate(request, {
      onSuccess: (plan) => {
        // A person who discards the plan comes back to this page, unless it is the page of the plan that was changed.
        const { pathname, search } = window.location;
        if (!pathname.includes('/deletions/')) keep(`plan from ${plan.id}`, pathname + search);
        props.onMade?.();
        go(instanceHref(instanceId, `/deletions/${plan.id}`));
      },
    });
  }

  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange}>
      <DialogContent
        title={t(task === 'expire' ? 'new.titleExpire' : 'new.title')}
        description={formatSelection()}
        className="max-w-xl"
        footer={
          <>
            {make.isPending ? <PlanWait /> : null}
            <DialogClose asChild>
              <Button>{t('new.cancel')}</Button>
            </DialogClose>
            <Button
              type="submit"
              form={form}
              variant="primary"
              busy={make.isPending}
              disabled={everyKey && !isConfirmed}
            >
              {t('new.create')}
            </Button>
          </>
        }
      >
        <form id={form} noValidate className="space-y-4" onSubmit={submit}>
          {instance && getProtectionMarks(instance).readOnly ? (
            <Alert tone="warning">{t('new.readOnly', { name: instance.name })}</Alert>
          ) : null}
          {task === 'expire' ? (
            <ExpiryFields {...fields} />
          ) : (
            <DeletionFields
              {...fields}
              offerInPlace={start.offerInPlace === true || toPlanDraft(start.options).mode === 'in_place'}
            />
          )}
          <div className="space-y-1">
            <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <span className="font-medium">{t('new.speed')}</span>
              <Segmented
                label={t('new.speed')}
                size="sm"
                value={draft.speed}
                onValueChange={(speed) => fields.onChange({ speed })}
                options={SPEEDS.map((value) => ({ value, label: scans(`${value}.name`) }))}
              />
            </div>
            <p className="text-muted-foreground text-xs">{scans(`${draft.speed}.text`)}</p>
          </div>
          {task === 'delete' ? <AdvancedFields {...fields} /> : null}
          {everyKey ? (
            <div className="space-y-1.5">
              <label htmlFor={`${form}-every`} className="block">
                {t('new.everyKey', { word: EVERY_KEY })}
              </label>
              <Input
                id={`${form}-every`}
                value={typed}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setTyped(event.target.value)}
              />
            </div>
          ) : null}
          <ErrorAlert error={make.error} />
        </form>
      </DialogContent>
    </Dialog>
  );
}

/** How long the plan has been in preparation, shown after the first second. */
function PlanWait() {
  const t = useTranslations('deletions.new');
  const f = useFormat();
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="mr-auto min-w-0 text-muted-foreground text-xs">
      <span role="status">{seconds > 0 ? t('creating') : null}</span>{' '}
      {seconds > 0 ? <span className="num">{f.seconds(seconds)}</span> : null}
    </p>
  );
}
