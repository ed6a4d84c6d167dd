/** Name of the queue database in the data directory. */
export const DATABASE_FILE = 'queue.db';
