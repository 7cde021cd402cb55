import { describe, expect, it } from 'vitest';
import { DeletionOptions, type ExpireOptions } from '@/lib/model/deletions/plan-request';
import { findDraftErrors, getBounds, listShownNumbers, parseNumber, toPlanDraft, toPlanOptions } from './plan-draft';

describe('the plan dialog', () => {
  it('begins with the defaults of the model', () => {
    expect(toPlanOptions('delete', toPlanDraft(), {})).toEqual(DeletionOptions.parse({}));
    expect(toPlanOptions('expire', toPlanDraft(), {})).toMatchObject({ fromSeconds: 86_400, windowSeconds: 86_400 });
  });

  it('gives back every option of a plan that is changed', () => {
    const deletion: DeletionOptions = {
      mode: 'quarantine',
      speed: 'fast',
      retentionHours: 12,
      quarantineHours: 0.5,
      afterQuarantine: 'unlink',
      tolerancePercent: 2.5,
      onExpiring: 'skip',
      moduleTypes: ['ReJSON-RL', 'TSDB-TYPE'],
    };
    expect(toPlanOptions('delete', toPlanDraft(deletion), deletion)).toEqual(deletion);
    const expiry: ExpireOptions = { speed: 'balanced', fromSeconds: 60, windowSeconds: 90, only: 'all' };
    expect(toPlanOptions('expire', toPlanDraft(expiry), expiry)).toEqual(expiry);
  });

  it('keeps what the chosen way does not show, and does not ask whether it is right', () => {
    const before = { ...DeletionOptions.parse({}), retentionHours: 12 };
    const draft = { ...toPlanDraft(before), mode: 'unlink' as const, retentionHours: 'soon' };
    expect(listShownNumbers('delete', draft)).toEqual(['tolerancePercent']);
    expect(findDraftErrors('delete', draft)).toEqual({});
    expect(toPlanOptions('delete', draft, before)).toEqual({ ...before, mode: 'unlink' });
  });

  it.each([
    ['tolerancePercent', '101'],
    ['tolerancePercent', '-1'],
    ['tolerancePercent', ''],
    ['tolerancePercent', '1,5'],
    ['tolerancePercent', '1e1'],
    ['retentionHours', '0'],
    ['retentionHours', '1.5'],
    ['retentionHours', '8761'],
  ] as const)('refuses %s %j', (name, text) => {
    expect(findDraftErrors('delete', { ...toPlanDraft(), [name]: text })).toEqual({ [name]: true });
  });

  it('refuses too many module types, and reads them however they are separated', () => {
    const types = Array.from({ length: 21 }, (_, i) => `t${i}`);
    expect(findDraftErrors('delete', { ...toPlanDraft(), moduleTypes: types.join() })).toEqual({ moduleTypes: true });
    const draft = { ...toPlanDraft(), moduleTypes: ' ReJSON-RL， TSDB-TYPE  ReJSON-RL,' };
    expect(toPlanOptions('delete', draft, {}).moduleTypes).toEqual(['ReJSON-RL', 'TSDB-TYPE']);
  });

  it('names the bounds of the model', () => {
    const names = ['quarantineHours', 'retentionHours', 'tolerancePercent', 'fromSeconds', 'windowSeconds'] as const;
    expect(names.map(getBounds)).toEqual([
      { min: 0.01, max: 720 },
      { min: 1, max: 8760 },
      { min: 0, max: 100 },
      { min: 60, max: 315_360_000 },
      { min: 0, max: 315_360_000 },
    ]);
    expect(findDraftErrors('expire', { ...toPlanDraft(), fromSeconds: '0.01' })).toEqual({ fromSeconds: true });
    expect(parseNumber({ ...toPlanDraft(), fromSeconds: '0.0167' }, 'fromSeconds')).toBe(60);
  });
});
