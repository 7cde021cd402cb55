import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '@/lib/model/errors';
import { RespScanReply } from '@/lib/redis/scan/scan-reply';
import { RedisReplyError, type Reply, RespAnyReply } from './any-reply';
import { RAW_ERROR, RAW_NIL, RespColumns } from './resp-columns';
import { RESP_LIMITS, type RespExpectation, RespReader } from './resp-reader';

const raw = (text: string) => Buffer.from(text, 'latin1');

/** Encodes a value as a server would send it. */
function encode(value: Reply, protocol: 2 | 3): Buffer {
  if (Buffer.isBuffer(value)) return Buffer.concat([raw(`$${value.length}\r\n`), value, raw('\r\n')]);
  if (value instanceof RedisReplyError) return raw(`-${value.message}\r\n`);
  if (value === null) return raw(protocol === 3 ? '_\r\n' : '$-1\r\n');
  if (typeof value === 'boolean') return raw(value ? '#t\r\n' : '#f\r\n');
  if (typeof value === 'bigint') return raw(`(${value}\r\n`);
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) return raw(`:${value}\r\n`);
    return raw(`,${Number.isFinite(value) ? value : value > 0 ? 'inf' : value < 0 ? '-inf' : 'nan'}\r\n`);
  }
  if (Array.isArray(value))
    return Buffer.concat([raw(`*${value.length}\r\n`), ...value.map((v) => encode(v, protocol))]);
  const parts = [...value].flatMap(([k, v]) => [
    encode(typeof k === 'string' ? raw(k) : k, protocol),
    encode(v, protocol),
  ]);
  return Buffer.concat([raw(`%${value.size}\r\n`), ...parts]);
}

/** Pushes the stream in the given pieces and returns the finished expectations. */
function read(pieces: Buffer[], expectations: RespExpectation[], limits = RESP_LIMITS): RespExpectation[] {
  const reader = new RespReader(() => new RespAnyReply(true), limits);
  const done: RespExpectation[] = [];
  for (const expectation of expectations) reader.expect(expectation);
  for (const piece of pieces) reader.push(piece, (expectation) => done.push(expectation));
  return done;
}

const cut = (stream: Buffer, at: number[]) => {
  const edges = [0, ...new Set(at.map((n) => n % (stream.length + 1)).sort((a, b) => a - b)), stream.length];
  return edges.slice(1).map((edge, i) => stream.subarray(edges[i], edge));
};
const everyByte = (stream: Buffer) => Array.from(stream, (_, i) => stream.subarray(i, i + 1));

const scalar2 = fc.oneof(
  fc.uint8Array({ maxLength: 50 }).map((b): Reply => Buffer.from(b)),
  fc.maxSafeInteger().map((n): Reply => n),
  fc.constant<Reply>(null),
  fc.stringMatching(/^[A-Z]{2,9} [a-z ]{0,20}$/).map((text): Reply => new RedisReplyError(text)),
);
const scalar3 = fc.oneof(
  scalar2,
  fc.boolean().map((b): Reply => b),
  fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }).map((n): Reply => n),
  fc.double({ noInteger: true }).map((n): Reply => n),
);
const nested = (scalar: fc.Arbitrary<Reply>, maps: boolean) =>
  fc.letrec<{ value: Reply }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      scalar,
      fc.array(tie('value'), { maxLength: 5 }).map((items): Reply => items),
      ...(maps
        ? [
            fc
              .uniqueArray(fc.tuple(fc.string({ unit: 'grapheme-ascii', maxLength: 5 }), tie('value')), {
                maxLength: 3,
                selector: ([key]) => key,
              })
              .map((entries): Reply => new Map(entries as unknown as [Reply, Reply][])),
          ]
        : []),
    ),
  })).value;

describe('any reply', () => {
  for (const protocol of [2, 3] as const) {
    it(`reads what it was sent in RESP${protocol}, however it is cut`, () => {
      const value = protocol === 2 ? nested(scalar2, false) : nested(scalar3, true);
      fc.assert(
        fc.property(
          fc.array(value, { minLength: 1, maxLength: 5 }),
          fc.array(fc.nat(), { maxLength: 8 }),
          (values, at) => {
            const stream = Buffer.concat(values.map((v) => encode(v, protocol)));
            for (const pieces of [[stream], cut(stream, at), everyByte(stream)]) {
              const replies = values.map(() => new RespAnyReply());
              expect(read(pieces, replies)).toHaveLength(values.length);
              expect(replies.map((reply) => reply.value)).toEqual(values);
            }
          },
        ),
        { numRuns: 150 },
      );
    });
  }

  it('never throws anything but a named failure on garbage', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...'+-:$*_#,(!=%~>|'), (garbage, first) => {
        try {
          read([raw(first), Buffer.from(garbage)], [new RespAnyReply(), new RespAnyReply()]);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect((error as AppError).code).toBe('redis_protocol');
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('knows every RESP3 type', () => {
    const stream = raw(
      '=7\r\ntxt:abc\r\n!9\r\nERR oh no\r\n~2\r\n:1\r\n:2\r\n%1\r\n+k\r\n_\r\n#f\r\n,-inf\r\n(123456789012345678901\r\n*-1\r\n$0\r\n\r\n',
    );
    const replies = Array.from({ length: 9 }, () => new RespAnyReply());
    expect(read([stream], replies)).toHaveLength(9);
    expect(replies.map((reply) => reply.value)).toEqual([
      raw('abc'),
      new RedisReplyError('ERR oh no'),
      [1, 2],
      new Map([['k', null]]),
      false,
      Number.NEGATIVE_INFINITY,
      123456789012345678901n,
      null,
      Buffer.alloc(0),
    ]);
  });

  it('drops attributes and push messages, before and inside a reply', () => {
    const stream = raw(
      '|1\r\n+ttl\r\n:3600\r\n>2\r\n+invalidate\r\n*1\r\n+x\r\n*2\r\n|1\r\n+a\r\n|1\r\n+b\r\n:1\r\n:2\r\n:7\r\n:8\r\n>1\r\n+late\r\n',
    );
    for (const pieces of [[stream], everyByte(stream)]) {
      const reply = new RespAnyReply();
      expect(read(pieces, [reply])).toEqual([reply]);
      expect(reply.value).toEqual([7, 8]);
    }
  });

  it('hands over each element of a long array and keeps none: the limit of elements is for each of them', () => {
    const stream = raw(`*9\r\n${'*3\r\n$1\r\na\r\n:1\r\n*0\r\n'.repeat(9)}`);
    for (const pieces of [[stream], everyByte(stream)]) {
      const taken: Reply[] = [];
      const reply = new RespAnyReply(false, (element) => taken.push(element));
      expect(read(pieces, [reply], { ...RESP_LIMITS, elements: 9 })).toEqual([reply]);
      expect(taken).toEqual(Array.from({ length: 9 }, () => [raw('a'), 1, []]));
      expect(reply.value).toEqual([]);
    }
  });

  it('keeps integers exact beyond 2^53', () => {
    const reply = new RespAnyReply();
    read([raw(':9223372036854775807\r\n')], [reply]);
    expect(reply.value).toBe(9223372036854775807n);
  });
});

describe('limits', () => {
  const refused = (stream: string, limits = RESP_LIMITS) => {
    try {
      read([raw(stream)], [new RespAnyReply()], limits);
    } catch (error) {
      return (error as AppError).code;
    }
    return null;
  };

  it.each([
    '*2147483647\r\n',
    '*9999999999999999999\r\n',
    '$536870912\r\n',
    '%1000000000\r\n',
    '*-2\r\n',
    '$-5\r\n',
    ':12a\r\n',
    ':\r\n',
    '$1x\r\na\r\n',
    '$3\r\nabcde',
    '+no line feed\rx',
    '*?\r\n',
    '$?\r\n',
    '#x1\r\n',
    ',1..2\r\n',
    '(12x\r\n',
    `${'*1\r\n'.repeat(17)}:1\r\n`,
    `+${'x'.repeat(70_000)}`,
  ])('refuses %j before believing it', (stream) => {
    expect(refused(stream)).toBe('redis_protocol');
  });

  it('adds up many small elements: a reply has one limit', () => {
    const limits = { ...RESP_LIMITS, replyBytes: 1000 };
    expect(refused(`*100\r\n${'$10\r\n0123456789\r\n'.repeat(100)}`, limits)).toBe('redis_protocol');
    expect(refused(`*10\r\n${'$10\r\n0123456789\r\n'.repeat(10)}`, limits)).toBeNull();
  });

  it('the limit is for each reply, not for the connection', () => {
    const limits = { ...RESP_LIMITS, replyBytes: 1000 };
    const replies = Array.from({ length: 50 }, () => new RespAnyReply());
    const stream = raw(`$500\r\n${'x'.repeat(500)}\r\n`.repeat(50));
    expect(read([stream], replies, limits)).toHaveLength(50);
  });

  it.each([
    ['HTTP/1.1 400 Bad Request\r\n', 'redis_not_redis'],
    ['<html>', 'redis_not_redis'],
    ['SSH-2.0-OpenSSH', 'redis_not_redis'],
    ['\x15\x03\x01', 'redis_tls'],
  ])('%j is told apart: %s', (stream, code) => {
    expect(refused(stream)).toBe(code);
  });

  it('a reply nobody asked for ends the connection', () => {
    expect(() => read([raw('+OK\r\n')], [])).toThrow('without a request');
  });
});

describe('SCAN reply', () => {
  const name = fc.uint8Array({ maxLength: 60 }).map((b) => Buffer.from(b));
  it('gives names and cursor byte-exact, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.array(name, { maxLength: 40 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        (cursor, names, at) => {
          const stream = encode([raw(String(cursor)), names], 2);
          for (const pieces of [[stream], cut(stream, at), everyByte(stream)]) {
            const reply = new RespScanReply();
            const after = new RespAnyReply();
            const done = read([...pieces, raw('+next\r\n')], [reply, after]);
            expect(done).toEqual([reply, after]);
            expect(reply.cursor).toBe(String(cursor));
            expect(reply.names.map((n) => n.toString('hex'))).toEqual(names.map((n) => n.toString('hex')));
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('names do not keep the received chunk alive', () => {
    const reply = new RespScanReply();
    const rest = raw(':1\r\n'.repeat(10_000));
    const numbers = new Float64Array(10_000);
    const columns = new RespColumns([{ numbers, words: null }], 0, 10_000, null, () => undefined);
    read([Buffer.concat([encode([raw('5'), [raw('abc'), raw('de')]], 2), rest])], [reply, columns]);
    expect(reply.names[0]?.buffer.byteLength).toBeLessThan(100);
    expect(numbers[9999]).toBe(1);
  });

  it.each([
    '*3\r\n',
    '*2\r\n$2\r\nab\r\n',
    '*2\r\n$0\r\n\r\n',
    '*2\r\n$1\r\n0\r\n:5\r\n',
    '*2\r\n$1\r\n0\r\n*1\r\n$-1\r\n',
    '*2\r\n$1\r\n0\r\n*1\r\n:5\r\n',
    '*2\r\n$1\r\n0\r\n*2147483647\r\n',
    '*2\r\n$21\r\n184467440737095516150\r\n',
    '+OK\r\n',
  ])('refuses %j', (stream) => {
    expect(() => read([raw(stream)], [new RespScanReply()])).toThrow(AppError);
  });

  it('an error reply is a value', () => {
    const reply = new RespScanReply();
    read([raw('-NOPERM no\r\n')], [reply]);
    expect(reply.error?.code).toBe('NOPERM');
  });
});

describe('columns', () => {
  const cell = fc.oneof(
    fc.integer({ min: -2, max: 2 ** 52 }).map((value) => ({ stream: `:${value}\r\n`, number: value, word: null })),
    fc
      .constantFrom('string', 'hash', 'listpack', 'none')
      .map((w) => ({ stream: `+${w}\r\n`, number: RAW_ERROR, word: w })),
    fc
      .constantFrom('int', 'raw', 'stream')
      .map((w) => ({ stream: `$${w.length}\r\n${w}\r\n`, number: RAW_ERROR, word: w })),
    fc.constantFrom('$-1\r\n', '_\r\n', '*-1\r\n').map((stream) => ({ stream, number: RAW_NIL, word: null })),
    fc.constant({ stream: '-ERR no\r\n', number: RAW_ERROR, word: null }),
    fc
      .integer({ min: 0, max: 9 })
      .map((value) => ({ stream: `|1\r\n+a\r\n+b\r\n:${value}\r\n`, number: value, word: null })),
  );
  it('puts every reply where it belongs, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell), { maxLength: 30 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        (rows, at) => {
          const stream = raw(rows.map(([a, b]) => a.stream + b.stream).join(''));
          for (const pieces of [[stream], cut(stream, at), everyByte(stream)]) {
            const numbers = new Float64Array(rows.length);
            const words: (string | null)[] = new Array(rows.length).fill('untouched');
            const errors: number[] = [];
            const columns = new RespColumns(
              [
                { numbers, words: null },
                { numbers: null, words },
              ],
              0,
              rows.length,
              null,
              (index) => errors.push(index),
            );
            read([...pieces, raw('+end\r\n')], [columns, new RespAnyReply()]);
            expect(columns.done).toBe(true);
            expect([...numbers]).toEqual(rows.map(([a]) => a.number));
            expect(words).toEqual(rows.map(([, b]) => b.word));
            expect(errors).toHaveLength(rows.flat().filter((c) => c.stream.startsWith('-')).length);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('writes only the rows it was given', () => {
    const numbers = new Float64Array(6);
    const columns = new RespColumns([{ numbers, words: null }], 1, 3, [0, 4, 2, 5], () => undefined);
    read([raw(':7\r\n:8\r\n')], [columns]);
    expect([...numbers]).toEqual([0, 0, 8, 0, 7, 0]);
  });
});
