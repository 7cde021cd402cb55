import { describe, expect, it } from 'vitest';
import { defuse, joinLines, type Message, type MessageItem } from '@/lib/alerts/message';
import { signForDingTalk } from './dingtalk';
import { signForFeishu } from './feishu';
import { signWebhook } from './webhook';

it('signs as the robots expect', () => {
  expect(signForDingTalk('SEC000test', 1_700_000_000_000)).toBe('1hLl2KkRX3rps9FaitIUwaac+CtAFEaP345jvdrTL7c=');
  expect(signForFeishu('SEC000test', 1_700_000_000)).toBe('VJoDIs2fdNFeN6NS/KG4L8NIxm+bN/FYQRhY2lP3Mf8=');
});

it('signs a webhook as the example of Standard Webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const signature = signWebhook(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}');
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

const message: Message = {
  id: 'one',
  title: 'Alerts',
  items: [] as MessageItem[],
  words: { resolved: 'resolved', severity: { critical: 'critical', warning: 'warning', info: 'info' }, more: 'more' },
  link: 'https://c.example/alerts',
};

describe('joinLines', () => {
  it('cuts at whole lines and says how many are left out', () => {
    const lines = Array.from({ length: 50 }, (_, i) => `${i} 键名键名键名键名键名`);
    const text = joinLines(lines, message, 400);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(400);
    const shown = text.split('\n\n').slice(0, -2);
    expect(shown).toEqual(lines.slice(0, shown.length));
    expect(text).toContain(`+${50 - shown.length} more\n\nhttps://c.example/alerts`);
  });
  it('says nothing of a rest when everything fits', () => {
    expect(joinLines(['a', 'b'], { ...message, link: null }, 100)).toBe('a\n\nb');
  });
});

it('leaves nothing in a name that mentions, loads or formats', () => {
  const name = '<@all> <at id=all></at> <!channel> @here ![x](http://evil.example/x.png) **b** `c` \\@';
  expect(defuse(name)).not.toMatch(/[<>@[\]*`\\]/);
});
