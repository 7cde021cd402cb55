import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldedSegment } from '@/lib/model/names/folded-segment';
import { segmentKind } from '@/lib/model/names/id-kinds';
import { escapeSegment } from '@/lib/model/names/written-segment';
import { filterWhere } from './filter-where';
import { literalPrefix, parsePath } from './folded-path';
import { nextPrefix } from './next-prefix';

const order = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const text = fc.string({ unit: 'binary', maxLength: 6 });

describe('a prefix range', () => {
  it('holds exactly what begins with the prefix', () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), (prefix, other, joined) => {
        const name = joined ? prefix + other : other;
        const next = nextPrefix(prefix);
        const inRange = order(name, prefix) >= 0 && (next === null || order(name, next) < 0);
        expect(inRange).toBe(name.startsWith(prefix));
      }),
      { numRuns: 2000 },
    );
  });

  it('at the edges of Unicode', () => {
    expect(nextPrefix('rank:')).toBe('rank;');
    expect(nextPrefix('a\u{10ffff}')).toBe('b');
    expect(nextPrefix('\u{10ffff}\u{10ffff}')).toBeNull();
    expect(nextPrefix('\ud7ff')).toBe('\ue000');
    expect(nextPrefix('\u{ffff}')).toBe('\u{10000}');
    expect(nextPrefix('')).toBeNull();
  });
});

describe('the filter as SQL', () => {
  it('never holds what a user wrote', () => {
    const marker = "x'); DROP TABLE keys; --";
    const where = filterWhere(
      {
        prefix: marker,
        search: marker,
        template: `${marker}:{int}:${marker}`,
        type: [marker],
        encoding: [marker, 'unknown'],
        tag: marker,
      },
      0,
      marker,
    );
    expect(where.sql).not.toContain('DROP');
    expect(where.values.filter((value) => String(value).includes('DROP')).length).toBeGreaterThanOrEqual(6);
  });

  it('takes names that end at the template where a prefix narrows it too', () => {
    const where = filterWhere({ prefix: 'user:1', template: 'user:{int}', exact: true }, 0);
    expect(where.sql).not.toContain('name = ');
    expect(filterWhere({ prefix: 'user:1', exact: true }, 0).sql).toContain('name = ');
  });

  it('depends on which fields are set, not on their values', () => {
    fc.assert(
      fc.property(text, text, fc.double({ noNaN: true }), fc.double({ noNaN: true }), (a, b, x, y) => {
        fc.pre(nextPrefix(a) !== null && nextPrefix(b) !== null);
        const one = filterWhere({ prefix: a, tag: a, bytesMin: x, ttlMax: x }, 0);
        const two = filterWhere({ prefix: b, tag: b, bytesMin: y, ttlMax: y }, 0);
        expect(one.sql).toBe(two.sql);
      }),
    );
  });
});

describe('kinds of segments', () => {
  it.each([
    ['0', 'int'],
    ['123', 'int'],
    ['9'.repeat(40), 'int'],
    ['20261120', 'date'],
    ['20261320', 'int'],
    ['2026-11-20', 'date'],
    ['2026-11', 'date'],
    ['2026-13', null],
    ['a1b2c3d4', 'hex'],
    ['A1B2C3D4', 'hex'],
    ['A1b2c3d4', null],
    ['deadbeef', null],
    ['abc1234', null],
    ['123e4567-e89b-42d3-a456-426614174000', 'uuid'],
    ['a@b.cc', 'email'],
    ['a@b', null],
    ['QWxhZGRpbjpvcGVuMTIz5g', 'b64'],
    ['QWxhZGRpbjpvcGVu', null],
    ['user', null],
    ['', null],
    ['{int}', null],
    ['x1', null],
    ['1e309', null],
    ['１２', null],
  ])('%s is %s', (segment, kind) => {
    expect(segmentKind(segment)).toBe(kind);
  });
});

describe('segments with ids', () => {
  it.each([
    ['17', '{int}'],
    ['user_17', 'user_{int}'],
    ['user.42', 'user.{int}'],
    ['job-2024-01-15', 'job-{date}'],
    ['job-20240115', 'job-{date}'],
    ['job-2024-13-15', 'job-{int}-{int}-{int}'],
    ['celery-task-meta-123e4567-e89b-42d3-a456-426614174000', 'celery-task-meta-{uuid}'],
    ['123e4567-e89b-42d3-a456-426614174000_5', '{uuid}_{int}'],
    ['sess.a1b2c3d4', 'sess.{hex}'],
    ['1_2_3_4', '{int}_{int}_{int}_{int}'],
    ['10.0.0.1', '{int}.{int}.{int}.{int}'],
    ['{17}', '{{int}}'],
    ['{user', null],
    ['17}', '{int}}'],
    ['{user_17}', '{user_{int}}'],
    ['{a.b@c.de}', '{{email}}'],
    ['first.last_17@mail.example.com', '{email}'],
    ['aB3-xY_9kLmN0pQr', '{b64}'],
    // A number behind a joint is an id however short; digits within a word are none.
    ['utf-8', 'utf-{int}'],
    ['sha-256', 'sha-{int}'],
    ['v1.2', 'v1.{int}'],
    ['ipv4', null],
    ['s3', null],
    ['sha256', null],
    ['user17', null],
    ['a1_b2', null],
    ['_', null],
    ['_1_', '_{int}_'],
    ['{int}', null],
    ['{int}_1', '\\{int}_{int}'],
    ['\\{int}1', '\\\\{int}{int}'],
    ['{int}17', '\\{int}{int}'],
    ['x/17', 'x/{int}'],
    ['order list 2020 9', 'order list {int} {int}'],
    ['views/products/17-20261101', 'views/products/{int}-{date}'],
    ["a='17' AND b=[3]", "a='{int}' AND b=[{int}]"],
    ['^17^', '^{int}^'],
    // What escapes is no joint, and what encodes a sign is none either.
    ['x\\17', null],
    ['x%2017', null],
  ])('%s folds to %s', (segment, form) => {
    expect(foldedSegment(segment)).toBe(form);
  });

  it('are found again by their form, whatever they hold', () => {
    const piece = fc.oneof(
      fc.constantFrom('{int}', '\\', '_', '-', '.', '{', '}', 'user', '2024-01-15'),
      fc.nat().map(String),
      fc.uuid(),
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (some) => {
        const segment = some.join('');
        const form = foldedSegment(segment);
        const path = parsePath(`${form ?? escapeSegment(segment)}:`, ':');
        if (form === null) expect(path.parts[0]).toEqual({ text: segment });
        else expect(path.parts[0]).toMatchObject({ form });
        expect(segment.startsWith(literalPrefix(path, '').text)).toBe(true);
      }),
      { seed: 20261123, numRuns: 5000 },
    );
  });
});

describe('folded paths', () => {
  it('read a written segment as what it was', () => {
    const segment = fc.oneof(text, fc.constantFrom('{int}', '\\{int}', '\\\\{uuid}', '{', '}', '\\', '{int', '{hex}x'));
    fc.assert(
      fc.property(
        fc.array(
          segment.filter((s) => !s.includes(':')),
          { minLength: 1, maxLength: 5 },
        ),
        (segments) => {
          const path = parsePath(`${segments.map(escapeSegment).join(':')}:`, ':');
          expect(path.parts).toEqual(segments.map((s) => ({ text: s })));
          expect(path.tail).toEqual({ text: '' });
        },
      ),
    );
  });

  it('tell a folded segment from one that looks so', () => {
    expect(parsePath('a:{int}:', ':').parts[1]).toEqual({ form: '{int}', pieces: [{ kind: 'int' }] });
    expect(literalPrefix(parsePath('a:user_{int}:', ':'), ':')).toEqual({ text: 'a:user_', whole: false });
    expect(parsePath('a:\\{int}:', ':').parts[1]).toEqual({ text: '{int}' });
    expect(parsePath('a:{id}:', ':').parts[1]).toEqual({ text: '{id}' });
  });
});
