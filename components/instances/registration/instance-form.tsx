import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { FormProvider, useForm, useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { useHydrated } from '@/components/data/format/use-hydrated';
import { useSaveInstance } from '@/components/data/queries/use-instances';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { toast } from '@/components/ui/overlays/toast';
import { Skeleton } from '@/components/ui/skeleton';
import type { Instance, TypedInstance } from '@/lib/model/servers/instance';
import type { ConnectionReport } from '@/lib/model/servers/server-facts';
import { ConnectionFields } from './connection-fields';
import { ConnectionTestPanel } from './connection-test-panel';
import { findFieldFailure } from './field-failure';
import { EMPTY_FORM, type FormValues, toFormValues } from './form-values';
import { ScopeFields } from './scope-fields';
import { SignInFields } from './sign-in-fields';
import { takeTypedAddresses } from './take-typed-addresses';
import { TlsFields } from './tls-fields';
import { UrlField } from './url-field';
import { useConnectionTest } from './use-connection-test';
import { FROM_SERVER } from './use-field-error';

interface InstanceFormProps {
  instance: Instance | null;
  /** What the form of a new instance begins with. */
  initial?: FormValues;
  /** The version that another person has saved since the form was opened; null or undefined: none. */
  newer?: Instance | null;
  onChanged?: (changed: boolean) => void;
  onOpen?: (instance: Instance) => void;
  saveLabel: string;
  savedText: (name: string) => string;
  onSaved: (instance: Instance) => void;
  cancel: ReactNode;
}

/**
 * Registers or edits an instance: the form on the left, the connection test next to it. It is rendered only in the
 * browser: the HTML of the server would have empty fields, and hydration would mix what a person typed there with the
 * real values.
 */
export function InstanceForm(props: InstanceFormProps) {
  return useHydrated() ? <HydratedForm {...props} /> : <Skeleton className="h-96 rounded-lg" />;
}

function HydratedForm(props: InstanceFormProps) {
  const form = useForm<FormValues, unknown, TypedInstance>({
    resolver: async (...values) => (await import('./form-shape')).checkForm(...values),
    defaultValues: props.instance ? toFormValues(props.instance) : (props.initial ?? EMPTY_FORM),
  });
  return (
    <FormProvider {...form}>
      <FormFields {...props} />
    </FormProvider>
  );
}

/** Whether nodes are missing, so that a scan could not read all keys, and a person can do something about it. */
const lacksNodes = ({ unconfirmed, addressMap, warnings }: ConnectionReport): boolean =>
  unconfirmed.length > 0 ||
  addressMap.length > 0 ||
  warnings.some(({ code, severity }) => code === 'node_unreachable' && severity === 'danger');

function FormFields(props: InstanceFormProps) {
  const t = useTranslations('instances.form');
  const form = useFormContext<FormValues, unknown, TypedInstance>();
  const save = useSaveInstance(props.instance?.id ?? null);
  const test = useConnectionTest(props.instance?.id ?? null);
  const panel = useRef<HTMLElement>(null);
  /** Registering waits for a decision about the result of the test. */
  const [isStopped, setStopped] = useState(false);
  // While this form saves, the version that it saves is briefly newer than the one it was opened with.
  const theirs = save.isPending ? null : (props.newer ?? null);
  // An error that one field can correct is shown at that field.
  const isShownElsewhere = theirs !== null || findFieldFailure(save.error) !== null;
  const { onChanged } = props;
  const { isDirty } = form.formState;
  useEffect(() => onChanged?.(isDirty), [isDirty, onChanged]);
  const isLacking = test.error !== null || (test.report !== undefined && lacksNodes(test.report));
  async function register() {
    if (test.report && !test.isOutdated && !lacksNodes(test.report)) return store();
    const outcome = await test.run();
    if (outcome === 'invalid') return;
    if (outcome !== 'failed' && !lacksNodes(outcome)) return store();
    setStopped(true);
    panel.current?.focus();
  }
  // Uses a promise, because after saving another form replaces this one, and callbacks of `mutate` would be dropped.
  const store = form.handleSubmit((input) =>
    save.mutateAsync({ ...input, updatedAt: props.instance?.updatedAt }).then(
      (instance) => {
        toast.success(props.savedText(instance.name));
        props.onSaved(instance);
      },
      (error: unknown) => {
        const fieldFailure = findFieldFailure(error);
        if (fieldFailure)
          form.setError(fieldFailure.field, { type: FROM_SERVER, message: fieldFailure.check }, { shouldFocus: true });
      },
    ),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (props.instance === null) void register();
    else if (takeTypedAddresses(form)) void store();
  };
  return (
    <form
      onSubmit={submit}
      noValidate
      autoComplete="off"
      className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_27rem]"
    >
      <div className="min-w-0 space-y-4">
        <Card>
          <CardHeader title={t('connection')} />
          <CardBody className="space-y-4">
            {props.instance ? null : <UrlField />}
            <ConnectionFields registered={props.instance !== null} />
          </CardBody>
        </Card>
        <Card>
          <CardHeader title={t('signIn')} />
          <CardBody>
            <SignInFields instance={props.instance} />
          </CardBody>
        </Card>
        <TlsFields instance={props.instance} />
        <ScopeFields />
        {theirs ? <SavedMeanwhile onOpen={() => props.onOpen?.(theirs)} /> : null}
        <ErrorAlert error={isShownElsewhere ? null : save.error} detail />
        <div className="flex flex-wrap items-center gap-2">
          <Button
            type="submit"
            variant="primary"
            size="lg"
            disabled={theirs !== null}
            busy={save.isPending || (props.instance === null && test.isPending)}
          >
            {props.saveLabel}
          </Button>
          {props.cancel}
        </div>
      </div>
      <ConnectionTestPanel
        test={test}
        stopped={isStopped && isLacking ? { again: () => void register(), anyway: () => void store() } : null}
        panel={panel}
      />
    </form>
  );
}

/**
 * Another person has saved since the form was opened: the typed values stay readable but cannot overwrite the new
 * version.
 */
function SavedMeanwhile({ onOpen }: { onOpen: () => void }) {
  const t = useTranslations('instances.editPage');
  return (
    <Alert tone="warning">
      <p>{t('savedMeanwhile')}</p>
      <Button size="sm" className="mt-2" onClick={onOpen}>
        {t('openTheirs')}
      </Button>
    </Alert>
  );
}
