import type { Pool } from 'pg';

/** The real time, for sessions, rate limits, logs and signatures. Business code uses `context.now()` instead. */
export function realNow(): Date {
  return new Date();
}

export type Clock = {
  /** Business time: the real time plus the offset that the development console set. */
  now(): Date;
  offsetMs(): number;
  /** Moves business time forward, by milliseconds, for every replica on this database; returns the new business time. */
  advance(ms: number): Promise<Date>;
  /** Sets back a clock that was never moved, for a demonstration that begins in the past; false if it was moved. */
  setBack(ms: number): Promise<boolean>;
  refresh(): Promise<void>;
  close(): void;
};

const FOLLOW_EVERY_MS = 1000;

/** The clock of one process. A movable one shares its offset with other replicas through the table `app_clock`. */
export async function createClock({ pool, movable }: { pool: Pool; movable: boolean }): Promise<Clock> {
  let offset = 0;
  const now = () => new Date(Date.now() + offset);
  if (!movable) {
    return {
      now,
      offsetMs: () => 0,
      advance: () => Promise.reject(new Error('The clock can be moved in development only.')),
      setBack: () => Promise.reject(new Error('The clock can be moved in development only.')),
      refresh: () => Promise.resolve(),
      close: () => undefined,
    };
  }

  let moves = 0;
  const refresh = async () => {
    const before = moves;
    const { rows } = await pool.query<{ offset_ms: string }>('select offset_ms from app_clock');
    // An answer from before a move would set the clock back for a second.
    if (moves === before) offset = Number(rows[0]?.offset_ms ?? 0);
  };
  await refresh();
  // While the database is away, the last known offset stays.
  const timer = setInterval(() => void refresh().catch(() => undefined), FOLLOW_EVERY_MS);
  timer.unref();

  return {
    now,
    offsetMs: () => offset,
    advance: async (ms) => {
      if (!Number.isSafeInteger(ms) || ms < 0) throw new RangeError('The clock moves forward, by whole milliseconds.');
      const { rows } = await pool.query<{ offset_ms: string }>(
        `insert into app_clock (id, offset_ms) values (true, $1)
         on conflict (id) do update set offset_ms = app_clock.offset_ms + excluded.offset_ms returning offset_ms`,
        [ms],
      );
      moves += 1;
      offset = Number(rows[0]?.offset_ms ?? offset);
      return now();
    },
    setBack: async (ms) => {
      const { rowCount } = await pool.query(
        `insert into app_clock (id, offset_ms) values (true, $1)
         on conflict (id) do update set offset_ms = excluded.offset_ms where app_clock.offset_ms = 0`,
        [-ms],
      );
      await refresh();
      return rowCount === 1;
    },
    refresh,
    close: () => clearInterval(timer),
  };
}
