import { handle } from '@/lib/http/handle';
import { GrowingQuery, SeriesQuery, TrendPin } from '@/lib/model/snapshots/trends';
import { listGrowing } from '@/lib/trends/list-growing';
import { pinTrend, unpinTrend } from '@/lib/trends/pins';
import { getDeltas, getFleetDeltas, getTrendSeries, getTrends } from '@/lib/trends/read-trends';

export const trendRoutes = [
  handle('GET /api/instances/{id}/trends', {
    summary:
      'Keys, memory, score, keys without expiry and bigkeys of an instance over time, with its pinned prefixes and templates.',
    answer:
      'scans: what must be equal in two scans so that their points are comparable. total: the points of the whole keyspace (null = unknown). pinned: the series that somebody has pinned. memory: in how many days maxmemory is reached (null = nothing can be said).',
    act: ({ actor, id }) => getTrends(actor, id),
  }),
  handle('GET /api/instances/{id}/trends/series', {
    summary: 'One series: a node, rule, team, prefix, template or key over time.',
    answer: 'scans: the scans of the instance. series: its points, none if it is not recorded.',
    query: SeriesQuery,
    act: ({ actor, id, query }) => getTrendSeries(actor, id, query),
  }),
  handle('GET /api/instances/{id}/trends/growing', {
    summary: 'Keys and prefixes that grew most between the last two comparable scans, by memory, keys or elements.',
    answer:
      'between: the starts of the two scans (null = there are no two). rows: largest growth first, with the growth per day and when a limit is reached, if that can be said.',
    query: GrowingQuery,
    act: ({ actor, id, query }) => listGrowing(actor, id, query),
  }),
  handle('POST /api/instances/{id}/trends/pins', {
    summary: 'Pin a prefix or template, so that each scan adds a point of it.',
    answer: 'pin: what was pinned.',
    body: TrendPin,
    status: 201,
    act: async ({ actor, id, body }) => ({ pin: await pinTrend(actor, id, body) }),
  }),
  handle('DELETE /api/instances/{id}/trends/pins', {
    summary: 'Unpin a prefix or template.',
    answer: 'pin: what was unpinned.',
    body: TrendPin,
    act: async ({ actor, id, body }) => ({ pin: await unpinTrend(actor, id, body) }),
  }),
  handle('GET /api/snapshots/{id}/deltas', {
    summary: 'By how much the numbers of a snapshot changed since the scan before.',
    answer:
      'since: the start of that scan (null = there is none). total, rules (keys with findings) and teams: the changes; without those that are unknown or not comparable.',
    act: ({ actor, id }) => getDeltas(actor, id),
  }),
  handle('GET /api/trends/deltas', {
    summary: 'By how much the totals of each visible instance changed between its two newest scans.',
    answer: 'By id of the instance, the start of the earlier scan and the changes.',
    act: ({ actor }) => getFleetDeltas(actor),
  }),
];
