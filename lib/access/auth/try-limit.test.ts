import { expect, it } from 'vitest';
import { toAddressGroup } from './address-group';
import { assertTokenTries, countUnknownToken, rememberToken, UNKNOWN_TOKENS } from './token-tries';
import { countTry, forgetTries, TRIES } from './try-limit';

const readCode = (act: () => void) => {
  try {
    act();
    return 'done';
  } catch (error) {
    return (error as { code?: string }).code;
  }
};
let nth = 0;
/** Each test uses its own network and account, so that counts of other tests do not matter. */
const network = () => `2001:db8:${(nth++).toString(16)}:7`;
const account = () => `person-${nth++}`;

it('an address is counted as its /64, in every spelling', () => {
  expect(
    ['2001:db8:0:7::1', '2001:DB8:0:7:ffff::', '2001:0db8:0000:0007:1:2:3:4', '2001:db8::7:0:0:0:9'].map(
      toAddressGroup,
    ),
  ).toEqual(Array(4).fill('2001:db8:0:7'));
  expect(['::1', '10.1.2.3', '::ffff:10.1.2.3', '::FFFF:10.1.2.3'].map(toAddressGroup)).toEqual([
    '0:0:0:0',
    '10.1.2.3',
    '10.1.2.3',
    '10.1.2.3',
  ]);
  expect(toAddressGroup('2001:db8:0:8::1')).not.toBe(toAddressGroup('2001:db8:0:7::1'));
});

it('another address of the same /64 is no new beginning, for one account and for all', () => {
  const here = network();
  const ada = account();
  for (let i = 0; i < TRIES.pair; i++) countTry(ada, `${here}::${i}`);
  expect(readCode(() => countTry(ada, `${here}:ffff::1`))).toBe('too_often');
  expect(readCode(() => countTry(ada, `${network()}::1`))).toBe('done');
  const there = network();
  for (let i = 0; i < TRIES.address; i++) countTry(account(), `${there}::${i}`);
  expect(readCode(() => countTry(account(), `${there}:ffff::1`))).toBe('too_often');
});

it('from many networks an account is locked, but not where its person has signed in', () => {
  const ada = account();
  const home = network();
  countTry(ada, `${home}::1`);
  forgetTries(ada, `${home}::1`);
  for (let i = 0; i < TRIES.account; i++) countTry(ada, `${network()}::1`);
  expect(readCode(() => countTry(ada, `${network()}::1`))).toBe('too_often');
  expect(readCode(() => countTry(ada, `${home}:2::2`))).toBe('done');
  for (let i = 1; i < TRIES.pair; i++) countTry(ada, `${home}::${i}`);
  expect(readCode(() => countTry(ada, `${home}::1`))).toBe('too_often');
});

it('unknown tokens are counted so too, and those that were right go on in the whole /64', () => {
  const here = network();
  rememberToken('right', `${here}::1`);
  for (let i = 0; i < UNKNOWN_TOKENS; i++) countUnknownToken(`${here}::${i}`);
  expect(readCode(() => assertTokenTries('new', `${here}:a::b`))).toBe('too_often');
  expect(readCode(() => assertTokenTries('right', `${here}:c::d`))).toBe('done');
  expect(readCode(() => assertTokenTries('new', `${network()}::1`))).toBe('done');
});
