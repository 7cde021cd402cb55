import { expect, it, vi } from 'vitest';
import { encodeKey } from '@/lib/model/keys/key-id';
import Page from './page';

vi.mock('@/app/locale', () => ({ readLocale: async () => 'en' }));

/** Returns the page itself, without the provider of answers around it. */
const open = async (k: string) => {
  const page = await Page({ params: Promise.resolve({ id: 'i1', k }), searchParams: Promise.resolve({}) });
  return page.props.children;
};

it('opens a key by the identity of its name', async () => {
  const k = encodeKey(Buffer.from([0x66, 0xff, 0x3a]));
  expect((await open(encodeURIComponent(k))).props).toEqual({ instanceId: 'i1', k });
  expect((await open('~')).props.k).toBe('~');
});

it.each(['!!', 'YWJjZ', '%2521', '%25', 'a b', ''])('there is no page at %s', async (k) => {
  await expect(open(k)).rejects.toThrow('404');
});
