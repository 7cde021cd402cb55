import type { z } from 'zod';
import { DeletionOptions, type DeletionTask, ExpireOptions } from '@/lib/model/deletions/plan-request';
import type { Speed } from '@/lib/model/job';

/** The numbers that a person types in the plan dialog, as the plan names them. All times are typed in hours. */
export type NumberName = 'quarantineHours' | 'retentionHours' | 'tolerancePercent' | 'fromSeconds' | 'windowSeconds';

/** The dialog as typed: fields that people type are strings. `toPlanOptions` turns it into the options of a plan. */
export interface PlanDraft extends Record<NumberName, string> {
  mode: DeletionOptions['mode'];
  speed: Speed;
  afterQuarantine: DeletionOptions['afterQuarantine'];
  onExpiring: DeletionOptions['onExpiring'];
  moduleTypes: string;
  only: ExpireOptions['only'];
}
export type DraftErrors = Partial<Record<NumberName | 'moduleTypes', true>>;

const DAY_SECONDS = 86_400;
/** Rounded to four decimal places, so that a minute is 0.0167 hours, which `parseNumber` reads as a minute again. */
const toHours = (seconds: number) => String(Math.round((seconds / 3600) * 10_000) / 10_000);
const isSeconds = (name: NumberName): name is 'fromSeconds' | 'windowSeconds' =>
  name === 'fromSeconds' || name === 'windowSeconds';

/** The initial values of the dialog: those of the plan that is changed, otherwise the defaults. */
export function toPlanDraft(before: Partial<DeletionOptions & ExpireOptions> = {}): PlanDraft {
  const options = { ...DeletionOptions.parse({}), fromSeconds: DAY_SECONDS, windowSeconds: DAY_SECONDS, ...before };
  return {
    mode: options.mode,
    speed: options.speed,
    quarantineHours: String(options.quarantineHours),
    retentionHours: String(options.retentionHours),
    tolerancePercent: String(options.tolerancePercent),
    afterQuarantine: options.afterQuarantine,
    onExpiring: options.onExpiring,
    moduleTypes: options.moduleTypes.join(', '),
    fromSeconds: toHours(options.fromSeconds),
    windowSeconds: toHours(options.windowSeconds),
    only: before.only ?? 'none',
  };
}

/** The number in the unit of the plan's schema; null: not a number. */
export function parseNumber(draft: PlanDraft, name: NumberName): number | null {
  const text = draft[name].trim();
  if (!/^\d*\.?\d+$/.test(text)) return null;
  return isSeconds(name) ? Math.round(Number(text) * 3600) : Number(text);
}

const getShape = (name: NumberName): z.ZodNumber => {
  if (isSeconds(name)) return ExpireOptions.shape[name];
  return DeletionOptions.shape[name].unwrap();
};
/** The smallest and the largest allowed number, both included. */
export function getBounds(name: NumberName): { min: number; max: number } {
  const { minValue, maxValue } = getShape(name);
  return { min: minValue ?? 0, max: maxValue ?? Number.MAX_SAFE_INTEGER };
}

/** Whether such a plan keeps an archive for some time, so that its retention matters. */
export const isArchived = ({ mode, afterQuarantine }: Pick<PlanDraft, 'mode' | 'afterQuarantine'>) =>
  mode === 'archive' || mode === 'in_place' || (mode === 'quarantine' && afterQuarantine === 'archive');

/** The numbers that are shown for the chosen options. Numbers that are hidden are not checked. */
export function listShownNumbers(task: DeletionTask, draft: PlanDraft): NumberName[] {
  if (task === 'expire') return ['fromSeconds', 'windowSeconds'];
  return [
    ...(draft.mode === 'quarantine' ? ['quarantineHours' as const] : []),
    ...(isArchived(draft) ? ['retentionHours' as const] : []),
    'tolerancePercent',
  ];
}

const parseModuleTypes = ({ moduleTypes }: PlanDraft) => [...new Set(moduleTypes.split(/[,，、\s]+/).filter(Boolean))];

export function findDraftErrors(task: DeletionTask, draft: PlanDraft): DraftErrors {
  const errors: DraftErrors = {};
  for (const name of listShownNumbers(task, draft))
    if (!getShape(name).safeParse(parseNumber(draft, name)).success) errors[name] = true;
  if (task === 'delete' && !DeletionOptions.shape.moduleTypes.safeParse(parseModuleTypes(draft)).success)
    errors.moduleTypes = true;
  return errors;
}

/** The options of the request. Fields that are hidden keep their previous values. Call `findDraftErrors` first. */
export function toPlanOptions(task: 'delete', draft: PlanDraft, before: object): DeletionOptions;
export function toPlanOptions(task: 'expire', draft: PlanDraft, before: object): ExpireOptions;
export function toPlanOptions(task: DeletionTask, draft: PlanDraft, before: object): DeletionOptions | ExpireOptions {
  const numbers = Object.fromEntries(listShownNumbers(task, draft).map((name) => [name, parseNumber(draft, name)]));
  const { mode, speed, afterQuarantine, onExpiring, only } = draft;
  if (task === 'expire') return ExpireOptions.parse({ ...before, ...numbers, speed, only });
  return DeletionOptions.parse({
    ...before,
    ...numbers,
    mode,
    speed,
    afterQuarantine,
    onExpiring,
    moduleTypes: parseModuleTypes(draft),
  });
}
