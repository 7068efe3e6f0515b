import type { Input, Reply } from '#shared/api/endpoint.ts';
import type { toolsApi } from '#shared/api/tools.ts';
import { minute, plus } from '#shared/rules/dates.ts';
import { launchTokenMinutes, triedOut } from '#shared/rules/tools/tools.ts';
import { insertLaunchToken } from '#server/access-tokens/service.ts';
import { findTool } from '#server/catalogue/service.ts';
import { testAdvisers } from '#server/people/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { consume } from '#server/platform/http/rate-limit.ts';
import { hashToken, newToken } from '#server/platform/crypto/tokens.ts';
import { subjectOf } from './subject.ts';

/** `POST /api/tools/test-launches`: a token as of a launch by one of the tool's test advisers, for the check where the tool is built. */
export async function testLaunch(
  context: Context,
  toolId: string,
  { adviser, expired }: Input<typeof toolsApi.testLaunch>['body'],
): Promise<Reply<typeof toolsApi.testLaunch>> {
  const { db, now } = context;
  await consume(context, 'testLaunches', toolId);
  const tool = await findTool(db, toolId);
  if (!tool || !triedOut(tool)) throw new AppError('no_staging');
  const people = (await testAdvisers.testAdvisersOf(db, toolId)).filter(({ ended }) => ended === null);
  const person = people[adviser];
  if (!person) throw new AppError('test_adviser_needed');
  const token = newToken();
  const expiresAt = plus(now(), (expired ? -1 : launchTokenMinutes) * minute);
  const launch = { userId: person.id, toolId, token: hashToken(token), expiresAt, createdAt: now() };
  await insertLaunchToken(db, { ...launch, fromCheck: true });
  const { firstName, lastName, email } = person;
  return {
    token,
    adviser: { sub: subjectOf(tool, person.id), email, name: `${firstName} ${lastName}`, given_name: firstName },
  };
}
