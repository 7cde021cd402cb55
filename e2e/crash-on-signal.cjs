/** Loaded before everything else: on SIGUSR2 this process dies of an exception that nobody catches. */
process.on('SIGUSR2', () => {
  // Next logs it and goes on, the command line says it in a sentence: this is how Node itself ends.
  process.removeAllListeners('uncaughtException');
  setImmediate(() => {
    throw new Error('planted crash');
  });
});
