/** Next calls this once when the server starts. */
export async function register(): Promise<void> {
  // Written out, not read from the configuration: the bundler drops this branch from what is not Node.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { runServerEngine } = await import('@/lib/engine');
    const { ROUTE_TABLE } = await import('@/app/api/routes');
    await runServerEngine(ROUTE_TABLE);
  }
}
