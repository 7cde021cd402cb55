/**
 * Frameworks that choose the names of their keys themselves, so that nobody can rename these keys. Each form is a
 * regular expression (RE2 and JavaScript read it alike) over the template of a name, which has ids folded (`{int}`,
 * `{uuid}`, written-segment.ts), and must match from its first character. Forms are taken from the documentation or the
 * source of the framework; only default names are listed, because a name that a team chose is not recognisable.
 *
 * The file is long because it is one table.
 */
export interface FrameworkForm {
  /** A real name of this form. */
  example: string;
  type: string;
  /** Group 1 is what all names of the form begin with. Without `$` at its end, any text may follow. */
  pattern: string;
  /** Group 1 is the whole name. */
  whole?: true;
  /** Types that such keys have; absent = any. */
  types?: readonly string[];
  /** Many other programs use such names: they count only if the snapshot has another form of the framework. */
  weak?: true;
  /** The exemption for these keys (a glob), if it cannot be derived from group 1. */
  glob?: string;
}

export interface Framework {
  id: string;
  name: string;
  /** Where the names are described. */
  url: string;
  /** Key rules about names that names of these forms violate under some preset, in the order of the catalogue. */
  violates: readonly string[];
  forms: readonly FrameworkForm[];
}

const ID = '\\{(?:uuid|hex|alnum|b64|int)\\}';
const UUID = '5f2e8a1c-9b3d-4e7f-8a6b-0c1d2e3f4a5b';
const MD5 = '9e107d9d372bb6826bd81d3542a419d6';
const WORDS = '[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*';
const WORDPRESS_GROUPS = [
  ...['posts', 'post_meta', 'options', 'site-options', 'terms', 'term_meta', 'users', 'user_meta', 'useremail'],
  ...['userlogins', 'userslugs', 'comment', 'comment_meta', 'counts', 'transient', 'site-transient', 'bookmark'],
  ...['category_relationships', 'post_tag_relationships', 'blog-details', 'blog-lookup', 'site-details', 'default'],
  ...['post-queries', 'term-queries', 'user-queries', 'comment-queries', 'theme_files', 'translation_files'],
].join('|');
const BULL_KEYS = [
  ...['id', 'meta', 'events', 'wait', 'waiting-children', 'active', 'completed', 'failed', 'delayed', 'paused'],
  ...['prioritized', 'priority', 'stalled', 'stalled-check', 'marker', 'limiter', 'repeat', 'pc', 'de', 'metrics', ID],
].join('|');

/** The first form that matches counts, so more specific frameworks come first. */
export const FRAMEWORKS: readonly Framework[] = [
  {
    id: 'spring-session',
    name: 'Spring Session',
    url: 'https://docs.spring.io/spring-session/reference/configuration/redis.html',
    violates: ['N4', 'N5', 'N8', 'N10', 'N12', 'N13', 'N14', 'N18'],
    forms: [
      { example: `spring:session:sessions:${UUID}`, type: 'hash', pattern: '(spring:session:)' },
      { example: 'spring:session:expirations:1796000000000', type: 'set', pattern: '(spring:session:)' },
      {
        example:
          'spring:session:index:org.springframework.session.FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME:ada',
        type: 'set',
        pattern: '(spring:session:)',
      },
    ],
  },
  {
    id: 'redisson',
    name: 'Redisson',
    url: 'https://redisson.pro/docs/data-and-services/locks-and-synchronizers/',
    violates: ['N1', 'N2', 'N3', 'N4', 'N5', 'N8', 'N10', 'N12', 'N13', 'N14'],
    forms: [
      { example: 'redisson_lock_queue:{order_17}', type: 'list', pattern: '(redisson_)' },
      { example: 'redisson__timeout__set:{uinfo}', type: 'zset', pattern: '(redisson_)' },
      { example: 'redisson:tomcat_session:6C3B2F', type: 'hash', pattern: '(redisson:)' },
    ],
  },
  {
    id: 'laravel',
    name: 'Laravel',
    url: 'https://laravel.com/docs/redis',
    violates: ['N1', 'N2', 'N3', 'N4', 'N5', 'N8', 'N10', 'N12', 'N13', 'N14'],
    forms: [
      {
        example: 'laravel_database_laravel_cache_:users.17.profile',
        type: 'string',
        pattern: '(laravel[_-](?:cache|database|horizon)[_:-])',
      },
      {
        example: 'shop_database_shop_cache_:users.17.profile',
        type: 'string',
        pattern: `(${WORDS}[_-]database[_-])(?:queues:|${WORDS}[_-]cache[_:-])`,
      },
      { example: 'shop_horizon:recent_jobs', type: 'zset', pattern: `(${WORDS}_horizon:)` },
    ],
  },
  {
    id: 'django',
    name: 'Django cache (django-redis)',
    url: 'https://docs.djangoproject.com/en/stable/topics/cache/#cache-key-transformation',
    violates: ['N1', 'N2', 'N3', 'N4', 'N5', 'N7', 'N8', 'N10', 'N12', 'N13', 'N14'],
    forms: [
      // The name begins with the empty prefix and the version.
      { example: ':1:user_profile_17', type: 'string', pattern: '(:\\{int\\}:)', glob: ':[0-9]*:*' },
      {
        example: `shop:1:views.decorators.cache.cache_page..GET.${MD5}.en-us.UTC`,
        type: 'string',
        pattern:
          '([^:{}]+:\\{int\\}:(?:views\\.decorators\\.cache\\.|django\\.contrib\\.sessions\\.|template\\.cache\\.))',
      },
    ],
  },
  {
    id: 'celery',
    name: 'Celery',
    url: 'https://docs.celeryq.dev/projects/kombu/en/stable/reference/kombu.transport.redis.html',
    violates: ['N1', 'N2', 'N3', 'N4', 'N5', 'N7', 'N8', 'N10', 'N11', 'N12', 'N13', 'N14'],
    forms: [
      { example: `celery-task-meta-${UUID}`, type: 'string', pattern: '(celery-task-meta-)' },
      { example: `celery-taskset-meta-${UUID}`, type: 'string', pattern: '(celery-taskset-meta-)' },
      { example: '_kombu.binding.celery', type: 'set', pattern: '(_kombu\\.binding\\.)' },
      { example: 'unacked_index', type: 'zset', pattern: '(unacked(?:_index|_mutex)?)$', whole: true, weak: true },
      { example: 'celery', type: 'list', pattern: '(celery)$', whole: true, types: ['list'], weak: true },
    ],
  },
  {
    id: 'sidekiq',
    name: 'Sidekiq',
    url: 'https://github.com/sidekiq/sidekiq/wiki/Using-Redis',
    violates: ['N1', 'N2', 'N3', 'N4', 'N5', 'N8', 'N14'],
    forms: [
      { example: 'stat:processed:2026-11-01', type: 'string', pattern: '(stat:(?:processed|failed):)\\{date\\}$' },
      { example: 'stat:processed', type: 'string', pattern: '(stat:(?:processed|failed))$', whole: true, weak: true },
      { example: 'queue:default', type: 'list', pattern: '(queue:)[^:]+$', types: ['list'], weak: true },
      { example: 'queues', type: 'set', pattern: '(queues|processes)$', whole: true, types: ['set'], weak: true },
      { example: 'retry', type: 'zset', pattern: '(retry|schedule|dead)$', whole: true, types: ['zset'], weak: true },
    ],
  },
  {
    id: 'resque',
    name: 'Resque',
    url: 'https://github.com/resque/resque#namespaces',
    violates: ['N2', 'N4', 'N5', 'N14'],
    forms: [{ example: 'resque:queue:default', type: 'list', pattern: '(resque:)' }],
  },
  {
    id: 'bullmq',
    name: 'BullMQ',
    url: 'https://docs.bullmq.io/guide/queues',
    violates: ['N2', 'N4', 'N5', 'N8', 'N14'],
    forms: [
      { example: 'bull:mail:stalled-check', type: 'string', pattern: `(bull:)[^:]+:(?:${BULL_KEYS})(?::.*)?$` },
      { example: 'bull:mail:welcome-ada', type: 'hash', pattern: '(bull:)[^:]+:', weak: true },
    ],
  },
  {
    id: 'rq',
    name: 'RQ',
    url: 'https://python-rq.org/docs/',
    violates: ['N1', 'N2', 'N3', 'N4', 'N5', 'N8', 'N14'],
    forms: [
      {
        example: `rq:job:${UUID}`,
        type: 'hash',
        pattern: '(rq:)(?:job|queue|worker|results|wip|started|finished|failed|deferred|scheduled|canceled):',
      },
      { example: 'rq:workers', type: 'set', pattern: '(rq:)(?:queues|workers)$', types: ['set'] },
    ],
  },
  {
    id: 'rails-cache',
    name: 'Rails cache',
    url: 'https://guides.rubyonrails.org/caching_with_rails.html',
    violates: ['N2', 'N4', 'N5', 'N8', 'N11', 'N14'],
    forms: [
      {
        example: `production:views/products/show:${MD5}/products/17-20261101`,
        type: 'string',
        pattern: '((?:[A-Za-z0-9_.-]+:)?views/).*\\{hex\\}',
        types: ['string'],
      },
    ],
  },
  {
    id: 'rack-attack',
    name: 'Rack::Attack',
    url: 'https://github.com/rack/rack-attack#cache-store-configuration',
    violates: ['N4', 'N5', 'N8', 'N11', 'N14'],
    forms: [
      {
        example: 'rack::attack:2993333:req/ip:10.0.0.1',
        type: 'string',
        pattern: '((?:[A-Za-z0-9_.-]+:)*rack::attack:)',
      },
    ],
  },
  {
    id: 'magento',
    name: 'Magento (Cm_Cache)',
    url: 'https://github.com/colinmollenhour/Cm_Cache_Backend_Redis',
    violates: ['N1', 'N2', 'N3', 'N4', 'N5', 'N8', 'N10', 'N11', 'N14'],
    forms: [
      { example: 'zc:k:0a3_PRODUCT_17', type: 'hash', pattern: '(zc:)(?:k|ti):' },
      { example: 'zc:tags', type: 'set', pattern: '(zc:)(?:tags|ids)$', types: ['set'] },
      {
        example: 'sess_e50hu9lk5rkblb7tdlm3310fk4',
        type: 'hash',
        pattern: '(sess_)[^:]+$',
        types: ['hash'],
        weak: true,
      },
    ],
  },
  {
    id: 'wordpress',
    name: 'WordPress object cache',
    url: 'https://github.com/rhubarbgroup/redis-cache',
    violates: ['N2', 'N4', 'N5', 'N8', 'N10', 'N14'],
    forms: [
      {
        example: 'wp_:posts:17',
        type: 'string',
        pattern: `([A-Za-z0-9_.-]*wp[A-Za-z0-9_.-]*:)(?:\\{int\\}:)?(?:${WORDPRESS_GROUPS}):`,
      },
      {
        example: 'shop:options:alloptions',
        type: 'string',
        pattern: '([^:{}]+:)options:(?:alloptions|notoptions)$',
      },
    ],
  },
  {
    id: 'php-sessions',
    name: 'PHP sessions (phpredis)',
    url: 'https://github.com/phpredis/phpredis#php-session-handler',
    violates: ['N1', 'N2', 'N3', 'N4', 'N5', 'N8', 'N10', 'N12', 'N13'],
    forms: [
      {
        example: 'PHPREDIS_SESSION:e50hu9lk5rkblb7tdlm3310fk4',
        type: 'string',
        pattern: '(PHPREDIS_(?:CLUSTER_)?SESSION:)',
      },
    ],
  },
  {
    id: 'shiro',
    name: 'Apache Shiro (shiro-redis)',
    url: 'https://github.com/alexxiyang/shiro-redis',
    violates: ['N2', 'N4', 'N5', 'N8', 'N14'],
    forms: [{ example: `shiro:session:${UUID}`, type: 'string', pattern: '(shiro:(?:session|cache):)' }],
  },
  {
    id: 'sa-token',
    name: 'Sa-Token',
    url: 'https://sa-token.cc/doc.html',
    violates: ['N4', 'N8', 'N14'],
    forms: [{ example: `satoken:login:token:${UUID}`, type: 'string', pattern: '(satoken:login:)' }],
  },
  {
    id: 'flask-caching',
    name: 'Flask-Caching',
    url: 'https://flask-caching.readthedocs.io/en/latest/#configuring-flask-caching',
    violates: ['N1', 'N2', 'N3', 'N4', 'N5', 'N8', 'N10', 'N11', 'N14'],
    forms: [{ example: 'flask_cache_view//api/v1/item/17', type: 'string', pattern: '(flask_cache_)' }],
  },
  {
    id: 'connect-redis',
    name: 'connect-redis (Express sessions)',
    url: 'https://github.com/tj/connect-redis#prefix',
    violates: ['N1', 'N2', 'N3', 'N4', 'N5', 'N8', 'N12', 'N13', 'N14'],
    forms: [
      {
        example: 'sess:Kq3vTz9LmXw2Rb7YcN4pHs8JdF6gAe1U',
        type: 'string',
        pattern: '(sess:)\\{(?:b64|hex|alnum|uuid)\\}$',
        types: ['string'],
      },
      {
        example: 'sess:abcdefghKLMNOPQR-stuvwxyz',
        type: 'string',
        pattern: '(sess:)[^:]+$',
        types: ['string'],
        weak: true,
      },
    ],
  },
  {
    id: 'spring-java-names',
    name: 'Spring Data Redis (names serialised by Java)',
    url: 'https://docs.spring.io/spring-data/redis/reference/redis/template.html#redis:serializer',
    violates: ['N2', 'N4', 'N5', 'N7', 'N8', 'N9', 'N11', 'N14'],
    forms: [{ example: '\\java\\user:cache:17', type: 'string', pattern: '(\\\\java\\\\)' }],
  },
  {
    id: 'spring-cache',
    name: 'Spring Cache',
    url: 'https://docs.spring.io/spring-data/redis/reference/redis/redis-cache.html',
    violates: ['N1', 'N2', 'N3', 'N4', 'N5', 'N8', 'N12', 'N13', 'N14'],
    forms: [
      {
        example: 'users::com.acme.UserService.getById::17',
        type: 'string',
        pattern: '([A-Za-z][A-Za-z0-9_.-]*::)(?:[^A-Z:]|SimpleKey)',
        types: ['string'],
      },
      {
        example: 'users::ADA',
        type: 'string',
        pattern: '([A-Za-z][A-Za-z0-9_.-]*::)[A-Z]',
        types: ['string'],
        weak: true,
      },
    ],
  },
];
