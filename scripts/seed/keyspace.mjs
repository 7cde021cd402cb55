/**
 * The demo's keyspace: the families of keys that real teams have, those that follow a naming standard and those that do
 * not. A family is { db, parts, name(g, i), value(g), expire(g), idle(g) }: `parts` is its share of the keys, `expire`
 * returns the seconds from now until the key expires or null for never, `idle` the seconds since the last access.
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
export const STORM_IN_SECONDS = 6 * HOUR;

export const STANDALONE = [
  {
    parts: 30,
    name: (g, i) => `mall:order:${g.id(i)}:hash`,
    value: value.order,
    expire: sometimes(0.8, DAY, 90 * DAY),
    idle: cold(0.5),
  },
  {
    parts: 16,
    name: (g, i) => `mall:order:${g.id(i)}:items`,
    value: value.lines(5),
    expire: between(DAY, 90 * DAY),
    idle: cold(0.5),
  },
  {
    parts: 10,
    name: (g, i) => `mall:cart:${g.id(i, 1)}`,
    value: value.cart,
    expire: between(HOUR, 30 * DAY),
    idle: cold(0.2),
  },
  {
    parts: 12,
    name: (_g, i) => `mall:sku:${(0x4f1a0000 + i * 37).toString(16)}:stock`,
    value: value.counter,
    expire: never,
    idle: cold(0.4),
  },
  {
    parts: 9,
    name: (_g, i) => `mall:sku:${(0x4f1a0000 + i * 37).toString(16)}:detail`,
    value: value.document,
    expire: sometimes(0.6, HOUR, 7 * DAY),
    idle: cold(0.3),
  },
  { parts: 24, name: (g, i) => `user:profile:${g.id(i, 1)}`, value: value.profile, expire: never, idle: cold(0.6) },
  { parts: 8, name: (g, i) => `user:email:${g.email(i)}`, value: value.counter, expire: never, idle: cold(0.6) },
  {
    parts: 12,
    name: (g) => `user:token:${g.uuid()}`,
    value: value.token,
    expire: between(30 * MINUTE, 2 * DAY),
    idle: fresh,
  },
  { parts: 5, name: (g, i) => `user:follow:${g.id(i, 1)}`, value: value.members(40), expire: never, idle: cold(0.4) },
  { parts: 4, name: (g, i) => `user:fans:${g.id(i, 1)}`, value: value.ranking(60), expire: never, idle: cold(0.4) },
  { parts: 9, name: (_g, i) => `ugc:video:${i + 1}`, value: value.profile, expire: never, idle: cold(0.5) },
  { parts: 4, name: (_g, i) => `ugc:video:${i + 1}:comments`, value: value.lines(12), expire: never, idle: cold(0.5) },
  { parts: 3, name: (_g, i) => `ugc:video:${i + 1}:likes`, value: value.ranking(90), expire: never, idle: cold(0.5) },
  {
    parts: 7,
    name: (_g, i) => `stat:pv:${day(i)}:${PAGES[i % 8]}:${i}`,
    value: value.counter,
    expire: sometimes(0.3, DAY, 60 * DAY),
    idle: cold(0.8),
  },
  {
    parts: 0.3,
    name: (_g, i) => `stat:uv:${day(i).replaceAll('-', '')}:${i}`,
    value: value.visitors,
    expire: never,
    idle: cold(0.8),
  },
  {
    parts: 0.2,
    name: (_g, i) => `rank:daily:${day(i)}:${i}`,
    value: value.ranking(120),
    expire: sometimes(0.5, DAY, 40 * DAY),
    idle: cold(0.7),
  },
  {
    parts: 0.1,
    name: (_g, i) => `geo:shop:${CITIES[i % 8]}:${i}`,
    value: value.places,
    expire: never,
    idle: cold(0.3),
  },
  { parts: 0.1, name: (_g, i) => `mq:events:shard-${i}`, value: value.events, expire: never, idle: fresh },
  {
    parts: 24,
    storm: true,
    name: (g, i) => `promo:coupon:${g.id(i)}`,
    value: value.flag,
    expire: () => STORM_IN_SECONDS,
    idle: cold(0.1),
  },
  {
    parts: 1,
    name: (g, i) => `lock:order:${g.id(i)}`,
    value: value.reference,
    expire: between(20 * MINUTE, 40 * MINUTE),
    idle: fresh,
  },
  {
    parts: 5,
    name: (_g, i) => `iot:device:${(0xa0b1c2000000 + i * 911).toString(16)}:state`,
    value: value.blob,
    expire: between(HOUR, DAY),
    idle: fresh,
  },
  // The families from here on violate the standards, each in its own way.
  { parts: 3, name: (_g, i) => `PRO:USER:UID:${i + 18}`, value: value.profile, expire: never, idle: cold(0.9) },
  {
    parts: 8,
    name: (g, i) => `Session_${g.token(10)}${i}`,
    value: value.token,
    expire: sometimes(0.7, HOUR, DAY),
    idle: cold(0.6),
  },
  { parts: 4, name: (_g, i) => `userInfo:userId:${i + 1}`, value: value.document, expire: never, idle: cold(0.7) },
  {
    parts: 2,
    name: (_g, i) => `orderCache_${day(i).replaceAll('-', '')}_${i}`,
    value: value.document,
    expire: never,
    idle: cold(0.9),
  },
  {
    parts: 0.6,
    name: (_g, i) => `order list ${2019 + (i % 8)} ${i}`,
    value: value.lines(8),
    expire: never,
    idle: cold(0.9),
  },
  { parts: 3, name: (_g, i) => `用户:资料:${i + 1}`, value: value.profile, expire: never, idle: cold(0.5) },
  {
    parts: 1,
    name: (_g, i) => `商城:订单:${day(i)}:${i}`,
    value: value.order,
    expire: sometimes(0.5, DAY, 30 * DAY),
    idle: cold(0.5),
  },
  { parts: 0.4, name: (_g, i) => `🎉:event:${i}`, value: value.flag, expire: never, idle: cold(0.5) },
  {
    parts: 2,
    name: (_g, i) => `cache:api:v2:/goods/list?page=${i}&size=20`,
    value: value.document,
    expire: between(5 * MINUTE, HOUR),
    idle: fresh,
  },
  { parts: 1, name: (_g, i) => `test${i}`, value: value.flag, expire: never, idle: cold(1) },
  { parts: 0.5, name: (g, i) => `a::b::${g.id(i)}`, value: value.counter, expire: never, idle: cold(0.9) },
  {
    parts: 0.4,
    name: (g, i) =>
      Buffer.concat([Buffer.from('bin:'), Buffer.from([0xac, 0xed, 0x00, 0x05, 0x74]), Buffer.from(`${g.id(i)}`)]),
    value: value.blob,
    expire: never,
    idle: cold(0.8),
  },
  {
    parts: 0.3,
    name: (g, i) =>
      `this_is_a_very_long_key_name_that_somebody_generated_from_a_java_method_signature:com.example.mall.order.service.impl.OrderQueryServiceImpl.findByUserIdAndStateOrderByCreatedAtDesc:${g.id(i)}`,
    value: value.document,
    expire: between(HOUR, DAY),
    idle: fresh,
  },
  // The families from here on are in other databases.
  {
    db: 1,
    parts: 12,
    name: (g, i) => `sess:${g.token(20)}${i}`,
    value: value.token,
    expire: between(10 * MINUTE, 8 * HOUR),
    idle: fresh,
  },
  {
    db: 2,
    parts: 8,
    name: (g) => `celery-task-meta-${g.uuid()}`,
    value: value.document,
    expire: sometimes(0.6, HOUR, DAY),
    idle: cold(0.5),
  },
  { db: 2, parts: 3, name: (_g, i) => `bull:mail:${i + 1}`, value: value.order, expire: never, idle: cold(0.8) },
  { db: 9, parts: 4, name: (_g, i) => `legacy_user_${i}`, value: value.profile, expire: never, idle: cold(1) },
];

const user = (i) => `{user:${1000 + (i % 9000)}}`;
export const CLUSTER = [
  {
    parts: 30,
    name: (_g, i) => `${user(i)}:profile:${Math.floor(i / 9000)}`,
    value: value.profile,
    expire: never,
    idle: cold(0.5),
  },
  {
    parts: 18,
    name: (_g, i) => `${user(i)}:cart:${Math.floor(i / 9000)}`,
    value: value.cart,
    expire: between(HOUR, 30 * DAY),
    idle: cold(0.2),
  },
  {
    parts: 20,
    name: (g, i) => `order:${g.id(i)}:detail`,
    value: value.order,
    expire: sometimes(0.7, DAY, 60 * DAY),
    idle: cold(0.5),
  },
  // All keys share one hash tag, so they are in one slot of one node, which is overloaded.
  {
    parts: 24,
    name: (g, i) => `{flash-sale}:item:${g.id(i)}`,
    value: value.cart,
    expire: between(2 * HOUR, DAY),
    idle: fresh,
  },
  { parts: 8, name: (_g, i) => `{flash-sale}:buyer:${i}`, value: value.flag, expire: never, idle: fresh },
  { parts: 14, name: (g) => `idem:${g.uuid()}`, value: value.reference, expire: between(HOUR, DAY), idle: fresh },
  { parts: 6, name: (_g, i) => `im:room:${i + 1}:messages`, value: value.lines(20), expire: never, idle: cold(0.4) },
  {
    parts: 5,
    name: (_g, i) => `feed:timeline:${i + 1}`,
    value: value.ranking(50),
    expire: sometimes(0.5, DAY, 14 * DAY),
    idle: cold(0.4),
  },
  { parts: 0.1, name: (_g, i) => `log:audit:${day(i)}:${i}`, value: value.events, expire: never, idle: fresh },
];
