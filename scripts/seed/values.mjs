/** Values of the keys, each as a command without the key name, which the seeder inserts as the second word. */
const STATES = ['created', 'paid', 'packed', 'shipped', 'delivered', 'refunded'];
const CITIES = ['Berlin', 'Shanghai', '北京', 'Nairobi', 'Lima', 'Oslo', '深圳', 'Austin'];

const json = (value) => JSON.stringify(value);
const repeat = (count, item) => Array.from({ length: count }, (_, i) => item(i)).flat();

const hash = (fields) => ['HSET', ...Object.entries(fields).flat()];

export const order = (g) =>
  hash({
    state: g.pick(STATES),
    uid: g.int(1, 90_000),
    total: (g.int(500, 90_000) / 100).toFixed(2),
    currency: g.pick(['EUR', 'CNY', 'USD']),
    items: g.int(1, 9),
    city: g.pick(CITIES),
    note: g.words(4),
  });
export const profile = (g) =>
  hash({
    name: g.words(2),
    city: g.pick(CITIES),
    level: g.int(1, 60),
    avatar: `https://img.example.com/${g.hex(16)}.webp`,
    born: `19${g.int(60, 99)}-0${g.int(1, 9)}-1${g.int(0, 9)}`,
  });
export const cart = (g) => ['HSET', ...repeat(g.int(1, 12), () => [`sku:${g.hex(8)}`, g.int(1, 4)])];
export const document = (g) => [
  'SET',
  json({ title: g.words(5), price: g.int(99, 99_999), tags: [g.words(1), g.words(1)], body: g.words(g.int(30, 160)) }),
];
/** Has the form of a JSON Web Token. */
export const token = (g) => ['SET', `eyJhbGciOiJIUzI1NiJ9.eyJ${g.token(24)}.${g.token(g.int(40, 110))}`];
export const counter = (g) => ['SET', g.int(1, 9_000_000)];
export const flag = (g) => ['SET', g.pick(['0', '1', 'on', 'off'])];
export const blob = (g) => ['SET', Buffer.from(g.hex(g.int(60, 400)), 'hex')];
export const reference = (g) => ['SET', g.uuid()];
export const members = (max) => (g) => ['SADD', ...repeat(g.int(1, max), () => g.int(1, 9_000_000))];
export const ranking = (max) => (g) => [
  'ZADD',
  ...repeat(g.int(1, max), () => [g.int(1, 100_000), `u${g.int(1, 900_000)}`]),
];
export const lines = (max) => (g) => [
  'RPUSH',
  ...repeat(g.int(1, max), () => json({ id: g.int(1, 1e6), text: g.words(5) })),
];
export const events = (g) => ['XADD', '*', 'type', g.pick(STATES), 'order', g.int(1, 1e6), 'at', g.int(1, 1e9)];
export const visitors = (g) => ['PFADD', ...repeat(g.int(20, 200), () => g.token(8))];
export const places = (g) => [
  'GEOADD',
  ...repeat(g.int(5, 60), (i) => [g.int(-179, 179), g.int(-80, 80), `shop-${i}`]),
];
