import { expect, it } from 'vitest';
import { parseJournal } from './item-journal';

const item = { deletionId: 'd1', seq: 7 };

it('keeps what another version noted', () => {
  const text = JSON.stringify({ intent: true, position: { cursor: '18446744073709551615', later: 1 }, later: ['x'] });
  expect(JSON.stringify(parseJournal(text, item))).toBe(text);
});

it.each(['{"intent":1}', '{"before":"gone"}', '{"archives":"a.col"}', '{"look":{"type":null}}', '[]', '{', ''])(
  'refuses %s and says which key',
  (text) => {
    expect(() => parseJournal(text, item)).toThrow(
      expect.objectContaining({ code: 'journal_unreadable', details: { deletionId: 'd1', seq: 7 } }),
    );
  },
);
