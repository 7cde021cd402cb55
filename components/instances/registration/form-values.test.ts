import { describe, expect, it } from 'vitest';
import { FormShape } from './form-shape';
import { EMPTY_FORM, type FormValues, toFormValues } from './form-values';

const filled: FormValues = { ...EMPTY_FORM, name: 'orders', endpoints: [{ host: 'h', port: '6379' }] };
const paths = (values: FormValues) => [
  ...new Set(FormShape.safeParse(values).error?.issues.map((i) => i.path.join('.'))),
];

describe('instance form', () => {
  it('becomes the body that the API takes', () => {
    const input = FormShape.parse({ ...filled, databases: '0, 3', tags: 'eu，core team', owner: ' me ' });
    expect(input).toMatchObject({
      name: 'orders',
      endpoints: [{ host: 'h', port: 6379 }],
      databases: [0, 3],
      tags: ['eu', 'core team'],
      owner: 'me',
      readOnly: true,
    });
  });
  it('keeps, removes and sets secrets as three different things', () => {
    const secrets = (v: Partial<FormValues>) => FormShape.parse({ ...filled, ...v }).secrets.password;
    expect(secrets({})).toBeUndefined();
    expect(secrets({ forget: { ...EMPTY_FORM.forget, password: true } })).toBeNull();
    expect(secrets({ secrets: { ...EMPTY_FORM.secrets, password: ' p ' } })).toBe(' p ');
  });
  it('says which field is wrong', () => {
    expect(paths(EMPTY_FORM)).toEqual(['name', 'endpoints.0.host']);
    expect(paths({ ...filled, endpoints: [{ host: 'http://x/', port: '0' }] })).toEqual([
      'endpoints.0.host',
      'endpoints.0.port',
    ]);
    expect(paths({ ...filled, endpoints: [{ host: 'x', port: '63x' }] })).toEqual(['endpoints.0.port']);
    expect(paths({ ...filled, databases: '0, one' })).toEqual(['databases.1']);
    expect(paths({ ...filled, addressMap: 'a:1' })).toEqual(['addressMap.0.use.host', 'addressMap.0.use.port']);
  });
  it('asks one address of a standalone, and databases of a cluster too', () => {
    const two = [...filled.endpoints, { host: 'i', port: '1' }];
    expect(FormShape.parse({ ...filled, topology: 'cluster', databases: '4', endpoints: two })).toMatchObject({
      databases: [4],
      endpoints: [{ host: 'h' }, { host: 'i' }],
    });
    expect(FormShape.parse({ ...filled, endpoints: two }).endpoints).toHaveLength(1);
  });
  it('survives the way from instance to form and back', () => {
    const input = FormShape.parse({
      ...filled,
      databases: '1,2',
      tags: 'a, b',
      environment: 'prod',
      addressMap: 'a:1 = b:2',
    });
    const stored = {
      ...input,
      id: 'x',
      hasPassword: true,
      hasSentinelPassword: false,
      hasWritePassword: false,
      hasTlsKey: false,
      createdAt: 1,
      updatedAt: 1,
    };
    expect(FormShape.parse(toFormValues(stored))).toEqual(input);
  });
});
