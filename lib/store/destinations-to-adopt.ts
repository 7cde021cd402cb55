/** The setting that names the instances whose nodes are still to be taken over from their newest scan. */
export const NOT_ADOPTED = 'destinations.not_adopted';
