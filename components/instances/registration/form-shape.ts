import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { TypedInstance } from '@/lib/model/servers/instance';
import { type FormValues, toInput } from './form-values';

/**
 * The check of the form, and its values as the server takes them. It is loaded when the form is first checked, so that
 * opening the form does not wait for the schemas.
 */
export const FormShape = z.custom<FormValues>().transform(toInput).pipe(TypedInstance);

export const checkForm = zodResolver(FormShape);
