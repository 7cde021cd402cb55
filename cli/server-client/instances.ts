import { EXIT, UsageError } from '@/cli/exit';
import { print, printJson } from '@/cli/print';
import { formatPlainTable } from '@/cli/units';
import { importInstances } from './import-instances';
import { keepAsking } from './keep-asking';
import { readArguments, readServerAccess } from './server-access';

/**
 * `colonnade instances --server URL` lists the registered instances that the token may see; `colonnade instances import
 * FILE --server URL` registers those of a list.
 */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { 'dry-run': { type: 'boolean' } });
  const [command, file, ...more] = positionals;
  const imports = command === 'import' && file !== undefined;
  if (more.length > 0 || (command !== undefined && !imports) || (values['dry-run'] && !imports))
    throw new UsageError(
      'The instances command is: colonnade instances --server URL, or colonnade instances import FILE [--dry-run] --server URL',
    );
  const access = readServerAccess(values);
  if (imports) return importInstances(access, file, { dryRun: values['dry-run'] === true, json: values.json === true });
  const answer = await keepAsking(access, 'GET /api/instances', {});
  if (values.json) await printJson(answer.instances);
  else if (answer.instances.length === 0) process.stderr.write('The token sees no instance.\n');
  else
    await print(
      formatPlainTable(
        ['id', 'name', 'topology', 'address', 'environment'],
        answer.instances.map(({ id, name, topology, endpoints, environment, production }) => [
          id,
          name,
          topology,
          endpoints.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(','),
          [environment, ...(production ? ['production'] : [])].filter(Boolean).join(', '),
        ]),
      ),
    );
  return EXIT.fine;
}
