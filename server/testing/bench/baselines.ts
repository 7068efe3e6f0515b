import http from 'node:http';
import connectPgSimple from 'connect-pg-simple';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import pg from 'pg';
import { listenLocally } from '../ports.ts';

/**
 * What `GET /api/user` is measured against, each in a process of its own: `limit` is bare node:http with one prepared
 * primary-key SELECT; `naive` is Express with express-session, connect-pg-simple and passport as everyone writes it
 * (three queries and a touch per request). Arguments: which, database, user id.
 */
const [which, databaseUrl, userId] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const select = 'select * from users where id = $1';

function limit(): http.Server {
  return http.createServer((_req, res) => {
    pool.query({ name: 'user', text: select, values: [userId] }).then(
      ({ rows }) => {
        res.setHeader('content-type', 'application/json');
        res.end(JSON.stringify(rows[0]));
      },
      () => res.writeHead(500).end(),
    );
  });
}

function naive(): http.Server {
  const app = express();
  const PgStore = connectPgSimple(session);
  app.use(
    session({
      secret: 'bench',
      resave: false,
      saveUninitialized: false,
      store: new PgStore({ pool, tableName: 'naive_sessions', createTableIfMissing: true }),
    }),
  );
  const instance = new passport.Passport();
  instance.serializeUser((user, done) => done(null, (user as { id: string }).id));
  instance.deserializeUser((id, done) => {
    pool.query(select, [id]).then(({ rows }) => done(null, rows[0] as Express.User), done);
  });
  app.use(instance.initialize(), instance.session());
  app.post('/login', (req, res, next) => {
    req.logIn({ id: userId } as Express.User, (error) => (error ? next(error) : res.json({})));
  });
  app.get('/api/user', async (req, res) => {
    const { rows } = await pool.query(select, [(req.user as { id: string } | undefined)?.id]);
    res.json(rows[0]);
  });
  return http.createServer(app);
}

const { url } = await listenLocally(which === 'limit' ? limit() : naive());
process.send?.(url);
process.on('disconnect', () => process.exit());
