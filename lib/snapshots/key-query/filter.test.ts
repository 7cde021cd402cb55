import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldSegment } from '@/lib/model/names/fold-segment';
import { detectSegmentKind } from '@/lib/model/names/id-kinds';
import { escapeSegment } from '@/lib/model/names/written-segment';
import { buildFilterWhere } from './filter-where';
import { findLiteralPrefix, parsePath } from './folded-path';
import { findNextPrefix } from './next-prefix';

const order = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const text = fc.string({ unit: 'binary', maxLength: 6 });

describe('a prefix range', () => {
  it('holds exactly what begins with the prefix', () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), (prefix, other, joined) => {
        const name = joined ? prefix + other : other;
        const next = findNextPrefix(prefix);
        const inRange = order(name, prefix) >= 0 && (next === null || order(name, next) < 0);
        expect(inRange).toBe(name.startsWith(prefix));
      }),
      { numRuns: 2000 },
    );
  });

  it('at the edges of Unicode', () => {
    expect(findNextPrefix('rank:')).toBe('rank;');
    expect(findNextPrefix('a\u{10ffff}')).toBe('b');
    expect(findNextPrefix('\u{10ffff}\u{10ffff}')).toBeNull();
    expect(findNextPrefix('\ud7ff')).toBe('\ue000');
    expect(findNextPrefix('\u{ffff}')).toBe('\u{10000}');
    expect(findNextPrefix('')).toBeNull();
  });
});

describe('the filter as SQL', () => {
  it('never holds what a user wrote', () => {
    const marker = "x'); DROP TABLE keys; --";
    const where = buildFilterWhere(
      {
        prefix: marker,
        search: marker,
        template: `${marker}:{int}:${marker}`,
        type: [marker],
        encoding: [marker, 'unknown'],
        tag: marker,
      },
      { asOf: 0 },
      marker,
    );
    expect(where.sql).not.toContain('DROP');
    expect(where.values.filter((value) => String(value).includes('DROP')).length).toBeGreaterThanOrEqual(6);
  });

  it('takes a wildcard right behind the mark of a Java string for one, and no escape there', () => {
    const asked = (search: string) => buildFilterWhere({ search }, { asOf: 0 }).values;
    for (const pattern of asked('\\java\\*:lock')) expect(pattern).toMatch(/^\(\?:A\[C\]\).*\(\?:6\[B\]\)$/);
    for (const pattern of asked('\\java\\\\[')) expect(pattern).toMatch(/^\(\?:\.\.\)\*.*\(\?:\.\.\)\*$/);
  });

  it('takes names that end at the template where a prefix narrows it too', () => {
    const where = buildFilterWhere({ prefix: 'user:1', template: 'user:{int}', exact: true }, { asOf: 0 });
    expect(where.sql).not.toContain('name = ');
    expect(buildFilterWhere({ prefix: 'user:1', exact: true }, { asOf: 0 }).sql).toContain('name = ');
  });

  it('takes the key with the empty name for an exact empty prefix, not every key', () => {
    expect(buildFilterWhere({ prefix: '', exact: true }, { asOf: 0 })).toMatchObject({ values: [''] });
    expect(buildFilterWhere({ prefix: '', exact: true }, { asOf: 0 }).sql).toContain('name = ');
    expect(buildFilterWhere({ prefix: '' }, { asOf: 0 }).sql).toBe(buildFilterWhere({}, { asOf: 0 }).sql);
  });

  it('depends on which fields are set, not on their values', () => {
    fc.assert(
      fc.property(text, text, fc.double({ noNaN: true }), fc.double({ noNaN: true }), (a, b, x, y) => {
        fc.pre(findNextPrefix(a) !== null && findNextPrefix(b) !== null);
        const one = buildFilterWhere({ prefix: a, tag: a, bytesMin: x, ttlMax: x }, { asOf: 0 });
        const two = buildFilterWhere({ prefix: b, tag: b, bytesMin: y, ttlMax: y }, { asOf: 0 });
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
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig-_x', 'b64'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0', null],
    ['0x0', 'hex'],
    ['0xDeadBeef', 'hex'],
    ['0x', null],
    ['0xg', null],
    ['01ARZ3NDEKTSV4RRFFQ69G5FAV', 'alnum'],
    ['01arz3ndektsv4rrffq69g5fav', 'alnum'],
    ['cjld2cjxh0000qzrmn831i7rn', 'alnum'],
    ['01arz3ndektsv4rrffq69g5FAV', 'b64'],
    ['01ARZ3NDEKTSV4RRFFQ69G5', null],
    // A long word followed by a version number.
    ['applicationconfigurations2', null],
    ['user', null],
    ['', null],
    ['{int}', null],
    ['x1', null],
    ['1e309', null],
    ['１２', null],
  ])('%s is %s', (segment, kind) => {
    expect(detectSegmentKind(segment)).toBe(kind);
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
    ['user_01h455vb4pex5vsknk084sn02q', 'user_{alnum}'],
    ['{01ARZ3NDEKTSV4RRFFQ69G5FAV}', '{{alnum}}'],
    ['web-7d4b9c6f5d-x2k9p', 'web-{alnum}'],
    ['web-24567892-45678', 'web-{int}-{int}'],
    ['oid:0x21000000000000', 'oid:{hex}'],
    ['SO000960957304', 'SO{int}'],
    ['backup20261120', 'backup{int}'],
    ['user123456_9', 'user{int}_{int}'],
    ['{SO000960957304}', '{SO{int}}'],
    ['%E4%BD%A0123456', null],
    ['\\xac123456', null],
    ['用户123', '用户{int}'],
    ['第3章', '第{int}章'],
    ['用户abc', null],
    ['é17', null],
    ['2026-11-20T10', '{date}T{int}'],
    ['20261120T103000Z', '{date}T{int}Z'],
    ['2026-11-20T10:30:33.123Z', '{date}T{int}:{int}:{int}.{int}Z'],
    ['33Z', '{int}Z'],
    ['33+02', '{int}+{int}'],
    // A number after a joining character is an id however short it is; digits within a word are not.
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
    // An escape character joins nothing, and neither does a percent encoding.
    ['x\\17', null],
    ['x%2017', null],
  ])('%s folds to %s', (segment, form) => {
    expect(foldSegment(segment)).toBe(form);
  });

  const words = `ipv4 ipv6 s3 ec2 k8s i18n b2b h264 mp3 utf8 utf8mb4 sha256 md5 base64 base64url win32api x86 arm64v8
    v1 v2beta1 v1alpha12 v10 q4 fy2026 iso8601 iso27001 gb18030 cp65001 rs232 x509 pkcs12 aes256gcm oauth2 oauth2token
    oauth2authorizationcode sha256withrsa log4j2 web3 http2 order2024list room12345 user1 user12345 a1b2 2fa 3d 4g 1st
    24h 7days decade facade deadbeef cafebabe acceded defaced feedback effaced added internationalization
    counterrevolutionaries backup-daily web-https-proxy rate-limits-https x-forwarded-for T10 Z 5Zx aT10 0x x0 10x
    SHA256 MD5 UTF8 ISO8859 ISO27001 GB18030 RFC2616 AB12345 getUserById UserCache OAuth2Token README 用户 用户:资料 é3 ß1`;
  it.each(words.split(/\s+/))('%s is a word', (word) => expect(foldSegment(word)).toBeNull());

  it('are found again by their form, whatever they hold', () => {
    const piece = fc.oneof(
      fc.constantFrom('{int}', '\\', '_', '-', '.', '{', '}', 'user', '2024-01-15'),
      fc.nat().map(String),
      fc.uuid(),
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (some) => {
        const segment = some.join('');
        const form = foldSegment(segment);
        const path = parsePath(`${form ?? escapeSegment(segment)}:`, ':');
        if (form === null) expect(path.parts[0]).toEqual({ text: segment });
        else expect(path.parts[0]).toMatchObject({ form });
        expect(segment.startsWith(findLiteralPrefix(path, '').text)).toBe(true);
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
    expect(findLiteralPrefix(parsePath('a:user_{int}:', ':'), ':')).toEqual({ text: 'a:user_', whole: false });
    expect(parsePath('a:\\{int}:', ':').parts[1]).toEqual({ text: '{int}' });
    expect(parsePath('a:{id}:', ':').parts[1]).toEqual({ text: '{id}' });
  });
});
