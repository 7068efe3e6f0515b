const last = new Map<string, Promise<unknown>>();

/**
 * Runs `work` after everything of the same key that this process began before. The lock in the database decides; this
 * only lets a crowd wait here, where it costs nothing, instead of with a connection each, which would empty the pool.
 */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(key);
  const mine = (before ?? Promise.resolve()).then(work, work);
  const settled = mine.catch(() => undefined);
  last.set(key, settled);
  try {
    return await mine;
  } finally {
    if (last.get(key) === settled) last.delete(key);
  }
}
