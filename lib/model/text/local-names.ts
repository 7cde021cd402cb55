/** Who acts where nobody signs in, and what acts by itself, in logs and files. Pages have words of their own. */
export const LOCAL_ADMIN_NAME = 'local admin';
export const ENGINE_NAME = 'engine';
