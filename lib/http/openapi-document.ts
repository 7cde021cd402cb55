import { z } from 'zod';
import { OWN_HEADER } from '@/lib/http/access/guard-request';
import { Actor } from '@/lib/model/actor';
import { closeSchema } from '@/lib/model/close-schema';
import { ERROR_STATUS } from '@/lib/model/errors';
import { Cost, Progress, Speed, WaitReason } from '@/lib/model/job';
import { JOB_STATES } from '@/lib/model/job-states';
import { ReportQuery } from '@/lib/model/reports/query';
import { ConnectionTest, Instance, InstanceInput, InstanceUpdate } from '@/lib/model/servers/instance';
import { ConnectionReport } from '@/lib/model/servers/server-facts';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { KeyRow, SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { config } from '@/lib/runtime/config';
import type { Route } from './handle';
import { listPathParts, PATH_PARTS } from './path-parts';

const toSchema = (shape: z.ZodType, io: 'input' | 'output') => {
  // Requests are parsed with strict shapes, so the document describes those.
  const asParsed = io === 'input' ? closeSchema(shape) : shape;
  const { $schema: _, ...schema } = z.toJSONSchema(asParsed, { io, unrepresentable: 'any' });
  return schema;
};

const SENT = { InstanceInput, InstanceUpdate, ConnectionTest, ScanOptions, ReportQuery };
const RETURNED = {
  Instance,
  ConnectionReport,
  SnapshotManifest,
  KeyRow,
  JobState: z.enum(JOB_STATES),
  Speed,
  Progress,
  Cost,
  WaitReason,
  Actor,
};

const ErrorShape = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: Object.keys(ERROR_STATUS) },
        message: { type: 'string' },
        details: { type: 'object' },
      },
    },
  },
};

/** The API document (OpenAPI 3.1), generated from the shapes that the routes parse with, so that both always agree. */
export function buildOpenApiDocument(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    paths[route.path]![route.method.toLowerCase()] = describeRoute(route);
  }
  const schemas = {
    ...Object.fromEntries(Object.entries(SENT).map(([name, shape]) => [name, toSchema(shape, 'input')])),
    ...Object.fromEntries(Object.entries(RETURNED).map(([name, shape]) => [name, toSchema(shape, 'output')])),
    Error: ErrorShape,
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Colonnade',
      version: '1',
      description:
        `Times are epoch milliseconds, sizes bytes, null means unknown. Keys are addressed by base64url of their bytes. ` +
        `Changes need Content-Type: application/json and, with the cookie of a session, ${OWN_HEADER}: 1 and an Origin ` +
        `header of this server. Programs send Authorization: Bearer and an API token instead of a cookie.`,
    },
    paths,
    security: [{ token: [] }, { session: [] }],
    components: {
      schemas,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: `colonnade_${config.port}` },
      },
    },
  };
}

function describeRoute({ method, path, says }: Route): object {
  const inPath = listPathParts(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: toSchema(PATH_PARTS[name], 'input'),
  }));
  const query = says.query ? toSchema(says.query, 'input') : null;
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, schema]) => ({ name, in: 'query', schema }));
  const own = method === 'GET' ? [] : [{ name: OWN_HEADER, in: 'header', required: false, schema: { const: '1' } }];
  return {
    summary: says.summary,
    parameters: [...inPath, ...inQuery, ...own],
    ...(says.body && {
      requestBody: { required: true, content: { 'application/json': { schema: toReference(says.body, 'input') } } },
    }),
    responses: {
      [says.status ?? 200]: {
        description: says.answer,
        content: { [says.contentType ?? 'application/json']: { schema: describeFields(says.holds) } },
      },
      default: {
        description: 'An error with a stable code.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

const findShapeName = (shape: z.ZodType): string | undefined =>
  Object.entries({ ...SENT, ...RETURNED }).find(([, known]) => known === shape)?.[0];
const toReference = (shape: z.ZodType, io: 'input' | 'output') => {
  const name = findShapeName(shape);
  return name ? { $ref: `#/components/schemas/${name}` } : toSchema(shape, io);
};

function describeFields(fields: Record<string, z.ZodType> | undefined): object {
  if (!fields) return {};
  const properties = Object.entries(fields).map(([name, shape]) => [
    name,
    shape instanceof z.ZodArray
      ? { type: 'array', items: toReference(shape.element as z.ZodType, 'output') }
      : toReference(shape, 'output'),
  ]);
  return { type: 'object', required: Object.keys(fields), properties: Object.fromEntries(properties) };
}
