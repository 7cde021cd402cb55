import { listUserRows } from '@/lib/store/accounts/users';

/** Whether there is any account yet. Before, only the link that the server prints at its start leads in. */
export const hasAccounts = async (): Promise<boolean> => (await listUserRows()).length > 0;
