import { createAdmin } from './factories.ts';
import type { TestApp } from './test-app.ts';

/** A signed-in administrator whose writes carry the session's token in the body, as the page sends them. */
export async function administrator(app: TestApp) {
  const user = await createAdmin(app.context);
  const { agent } = await app.signIn(user.email);
  const { body } = await agent.get('/api/admin/csrf-token').expect(200);
  const { csrfToken } = body as { csrfToken: string };
  return {
    user,
    agent,
    csrfToken,
    post: (path: string, values: object = {}) => agent.post(path).send({ ...values, _csrf: csrfToken }),
    remove: (path: string) => agent.delete(path).send({ _csrf: csrfToken }),
  };
}
