import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTestConnection } from '@/components/data/queries/use-instances';
import type { TypedInstance } from '@/lib/model/servers/instance';
import type { ConnectionReport } from '@/lib/model/servers/server-facts';
import { findFieldFailure } from './field-failure';
import type { FormValues } from './form-values';
import { takeTypedAddresses } from './take-typed-addresses';
import { FROM_SERVER } from './use-field-error';

/** The connection test of a form. `instanceId`: of a registered instance, whose stored secrets may be used. */
export function useConnectionTest(instanceId: string | null) {
  const form = useFormContext<FormValues, unknown, TypedInstance>();
  const test = useTestConnection();
  /** The values of the form at the last test, as JSON; null: nothing was tested yet. */
  const [tested, setTested] = useState<string | null>(null);
  const currentValues = JSON.stringify(useWatch<FormValues>());

  async function testInput(input: TypedInstance): Promise<ConnectionReport | 'failed'> {
    setTested(JSON.stringify(form.getValues()));
    try {
      return await test.mutateAsync(instanceId === null ? input : { ...input, instanceId });
    } catch (error) {
      const fieldFailure = findFieldFailure(error);
      if (fieldFailure)
        form.setError(fieldFailure.field, { type: FROM_SERVER, message: fieldFailure.check }, { shouldFocus: true });
      return 'failed';
    }
  }

  /** Tests the values of the form. `invalid`: a field is wrong, so nothing was tested. */
  async function run(): Promise<ConnectionReport | 'failed' | 'invalid'> {
    let outcome: ConnectionReport | 'failed' | 'invalid' = 'invalid';
    if (takeTypedAddresses(form))
      await form.handleSubmit(async (input) => {
        outcome = await testInput(input);
      })();
    if (outcome === 'invalid') {
      // The result of other values would contradict the errors of the fields.
      test.reset();
      setTested(null);
    }
    return outcome;
  }

  return {
    run,
    isIdle: test.isIdle,
    isPending: test.isPending,
    error: test.isPending ? null : test.error,
    report: test.isPending || test.error ? undefined : test.data,
    hasRun: tested !== null,
    /** Whether the form was changed after the test. */
    isOutdated: tested !== null && tested !== currentValues,
  };
}

export type ConnectionTestState = ReturnType<typeof useConnectionTest>;
