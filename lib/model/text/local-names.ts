/**
 * Names of actors in logs and files: the person in single-user mode, and the engine itself. Pages use their own words.
 */
export const LOCAL_ADMIN_NAME = 'local admin';
export const ENGINE_NAME = 'engine';
