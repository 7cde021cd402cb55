import { describe, expect, it } from 'vitest';
import { splitVisible, toVisibleText } from './visible-text';

describe('visiblePieces', () => {
  it('leaves ordinary names alone, in any script', () => {
    expect(splitVisible('user:42:资料:é')).toEqual([{ text: 'user:42:资料:é', hidden: false }]);
  });
  it('shows controls, bidi marks and zero-width characters', () => {
    expect(toVisibleText('a\nb\u202Ec\u200Bd\u001b[2J\u0000')).toBe('a\\nbU+202EcU+200Bd\\e[2J\\0');
  });
  it('shows lone surrogates and line separators', () => {
    expect(toVisibleText('x\ud800y\u2028z\u00a0')).toBe('xU+D800yU+2028z\\xA0');
  });
  it('shows spaces where they would not be seen', () => {
    expect(toVisibleText(' a b  ')).toBe('␣a b␣␣');
    expect(toVisibleText(' ')).toBe('␣');
  });
  it('shows no space at an end that was cut', () => {
    const text = (name: string, cut: 'begin' | 'end') =>
      splitVisible(name, cut)
        .map((piece) => piece.text)
        .join('');
    expect([text(' a ', 'begin'), text(' a ', 'end'), text('  ', 'end')]).toEqual([' a␣', '␣a ', '␣␣']);
  });
  it('never yields an empty piece', () => {
    expect(splitVisible('')).toEqual([]);
    expect(splitVisible('\t\t').every((p) => p.hidden && p.text === '\\t')).toBe(true);
  });
});
