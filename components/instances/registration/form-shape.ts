import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { TypedInstance } from '@/lib/model/servers/instance';
import { type FormValues, toInput } from './form-values';

/** Loaded when the form is first checked, so that opening the form does not wait for the schemas. */
export const FormShape = z
  .custom<FormValues>()
  .transform(toInput)
  .pipe(
    TypedInstance.superRefine((input, context) => {
      if (input.topology === 'sentinel' && !input.sentinelName)
        context.addIssue({ code: 'custom', path: ['sentinelName'], message: 'required' });
    }),
  );

export const checkForm = zodResolver(FormShape);
