/**
 * The demo's keyspace: the families of keys that real teams have, those that follow a naming standard and those that do
 * not.
 */
import { SECONDS } from './chance.mjs';
import * as value from './values.mjs';

const { MINUTE, HOUR, DAY } = SECONDS;
const never = () => null;
const between = (from, to) => (g) => g.int(from, to);
const sometimes = (share, from, to) => (g) => (g.happens(share) ? g.int(from, to) : null);
const cold = (share) => (g) => g.idleSeconds(share);
const fresh = () => 0;
const day = (i) => `2026-${String(1 + (i % 11)).padStart(2, '0')}-${String(1 + (i % 28)).padStart(2, '0')}`;
const PAGES = ['home', 'search', 'cart', 'checkout', 'account', 'help', 'deals', 'brand'];
const CITIES = ['beijing', 'berlin', 'lima', 'nairobi', 'oslo', 'osaka', 'shanghai', 'shenzhen'];

/** Families with this expiry all expire in the same minute. */
const STORM_IN_SECONDS = 6 * HOUR;

/**
 * `parts`: the share of the keys. `name(g, i)`, `value(g)`: the name and the value of a key. `expire(g)`: seconds from
 * now until the key expires, null for never. `idle(g)`: seconds since the last access. `more`: the database (`db`), or
 * that all keys expire in one minute (`storm`). `g` draws the random values (chance.mjs).
 */
const family = (parts, name, value, expire, idle, more = {}) => ({ parts, name, value, expire, idle, ...more });

export const STANDALONE = [
  family(30, (g, i) => `mall:order:${g.id(i)}:hash`, value.order, sometimes(0.8, DAY, 90 * DAY), cold(0.5)),
  family(16, (g, i) => `mall:order:${g.id(i)}:items`, value.lines(5), between(DAY, 90 * DAY), cold(0.5)),
  family(10, (g, i) => `mall:cart:${g.id(i, 1)}`, value.cart, between(HOUR, 30 * DAY), cold(0.2)),
  family(12, (_g, i) => `mall:sku:${(0x4f1a0000 + i * 37).toString(16)}:stock`, value.counter, never, cold(0.4)),
  family(
    9,
    (_g, i) => `mall:sku:${(0x4f1a0000 + i * 37).toString(16)}:detail`,
    value.document,
    sometimes(0.6, HOUR, 7 * DAY),
    cold(0.3),
  ),
  family(24, (g, i) => `user:profile:${g.id(i, 1)}`, value.profile, never, cold(0.6)),
  family(8, (g, i) => `user:email:${g.email(i)}`, value.counter, never, cold(0.6)),
  family(12, (g) => `user:token:${g.uuid()}`, value.token, between(30 * MINUTE, 2 * DAY), fresh),
  family(5, (g, i) => `user:follow:${g.id(i, 1)}`, value.members(40), never, cold(0.4)),
  family(4, (g, i) => `user:fans:${g.id(i, 1)}`, value.ranking(60), never, cold(0.4)),
  family(9, (_g, i) => `ugc:video:${i + 1}`, value.profile, never, cold(0.5)),
  family(4, (_g, i) => `ugc:video:${i + 1}:comments`, value.lines(12), never, cold(0.5)),
  family(3, (_g, i) => `ugc:video:${i + 1}:likes`, value.ranking(90), never, cold(0.5)),
  family(
    7,
    (_g, i) => `stat:pv:${day(i)}:${PAGES[i % 8]}:${i}`,
    value.counter,
    sometimes(0.3, DAY, 60 * DAY),
    cold(0.8),
  ),
  family(0.3, (_g, i) => `stat:uv:${day(i).replaceAll('-', '')}:${i}`, value.visitors, never, cold(0.8)),
  family(0.2, (_g, i) => `rank:daily:${day(i)}:${i}`, value.ranking(120), sometimes(0.5, DAY, 40 * DAY), cold(0.7)),
  family(0.1, (_g, i) => `geo:shop:${CITIES[i % 8]}:${i}`, value.places, never, cold(0.3)),
  family(0.1, (_g, i) => `mq:events:shard-${i}`, value.events, never, fresh),
  family(
    24,
    (g, i) => `promo:coupon:${g.id(i)}`,
    value.flag,
    () => STORM_IN_SECONDS,
    cold(0.1),
    { storm: true },
  ),
  family(1, (g, i) => `lock:order:${g.id(i)}`, value.reference, between(20 * MINUTE, 40 * MINUTE), fresh),
  family(
    5,
    (_g, i) => `iot:device:${(0xa0b1c2000000 + i * 911).toString(16)}:state`,
    value.blob,
    between(HOUR, DAY),
    fresh,
  ),
  // The families from here on violate the standards, each in its own way.
  family(3, (_g, i) => `PRO:USER:UID:${i + 18}`, value.profile, never, cold(0.9)),
  family(8, (g, i) => `Session_${g.token(10)}${i}`, value.token, sometimes(0.7, HOUR, DAY), cold(0.6)),
  family(4, (_g, i) => `userInfo:userId:${i + 1}`, value.document, never, cold(0.7)),
  family(2, (_g, i) => `orderCache_${day(i).replaceAll('-', '')}_${i}`, value.document, never, cold(0.9)),
  family(0.6, (_g, i) => `order list ${2019 + (i % 8)} ${i}`, value.lines(8), never, cold(0.9)),
  family(3, (_g, i) => `用户:资料:${i + 1}`, value.profile, never, cold(0.5)),
  family(1, (_g, i) => `商城:订单:${day(i)}:${i}`, value.order, sometimes(0.5, DAY, 30 * DAY), cold(0.5)),
  family(0.4, (_g, i) => `🎉:event:${i}`, value.flag, never, cold(0.5)),
  family(2, (_g, i) => `cache:api:v2:/goods/list?page=${i}&size=20`, value.document, between(5 * MINUTE, HOUR), fresh),
  family(1, (_g, i) => `test${i}`, value.flag, never, cold(1)),
  family(0.5, (g, i) => `a::b::${g.id(i)}`, value.counter, never, cold(0.9)),
  family(
    0.4,
    (g, i) =>
      Buffer.concat([Buffer.from('bin:'), Buffer.from([0xac, 0xed, 0x00, 0x05, 0x74]), Buffer.from(`${g.id(i)}`)]),
    value.blob,
    never,
    cold(0.8),
  ),
  family(
    0.3,
    (g, i) =>
      `this_is_a_very_long_key_name_that_somebody_generated_from_a_java_method_signature:com.example.mall.order.service.impl.OrderQueryServiceImpl.findByUserIdAndStateOrderByCreatedAtDesc:${g.id(i)}`,
    value.document,
    between(HOUR, DAY),
    fresh,
  ),
  // The families from here on are in other databases.
  family(12, (g, i) => `sess:${g.token(20)}${i}`, value.token, between(10 * MINUTE, 8 * HOUR), fresh, { db: 1 }),
  family(8, (g) => `celery-task-meta-${g.uuid()}`, value.document, sometimes(0.6, HOUR, DAY), cold(0.5), { db: 2 }),
  family(3, (_g, i) => `bull:mail:${i + 1}`, value.order, never, cold(0.8), { db: 2 }),
  family(4, (_g, i) => `legacy_user_${i}`, value.profile, never, cold(1), { db: 9 }),
];

const user = (i) => `{user:${1000 + (i % 9000)}}`;
export const CLUSTER = [
  family(30, (_g, i) => `${user(i)}:profile:${Math.floor(i / 9000)}`, value.profile, never, cold(0.5)),
  family(18, (_g, i) => `${user(i)}:cart:${Math.floor(i / 9000)}`, value.cart, between(HOUR, 30 * DAY), cold(0.2)),
  family(20, (g, i) => `order:${g.id(i)}:detail`, value.order, sometimes(0.7, DAY, 60 * DAY), cold(0.5)),
  // All keys share one hash tag, so they are in one slot of one node, which is overloaded.
  family(24, (g, i) => `{flash-sale}:item:${g.id(i)}`, value.cart, between(2 * HOUR, DAY), fresh),
  family(8, (_g, i) => `{flash-sale}:buyer:${i}`, value.flag, never, fresh),
  family(14, (g) => `idem:${g.uuid()}`, value.reference, between(HOUR, DAY), fresh),
  family(6, (_g, i) => `im:room:${i + 1}:messages`, value.lines(20), never, cold(0.4)),
  family(5, (_g, i) => `feed:timeline:${i + 1}`, value.ranking(50), sometimes(0.5, DAY, 14 * DAY), cold(0.4)),
  family(0.1, (_g, i) => `log:audit:${day(i)}:${i}`, value.events, never, fresh),
];
