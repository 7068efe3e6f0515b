import { QueryObserver, type QueryObserverOptions } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { contract } from '#shared/api/index.ts';
import { api } from '#client/lib/calls/operator-api.ts';
import { queryClient } from '#client/lib/calls/query-client.ts';
import { queryFor, refetchChangedBy } from '#client/lib/calls/use-api.ts';

type Call = { method: string; path: string; body: unknown; answer: (body: unknown, status?: number) => void };
let calls: Call[];
const waiting = (path: string) => calls.filter((call) => call.path === path);
const called = (path: string, times = 1) => vi.waitFor(() => expect(waiting(path)).toHaveLength(times));

beforeEach(() => {
  calls = [];
  vi.stubGlobal('fetch', (path: string, { method = 'GET', body, signal }: RequestInit) => {
    return new Promise<Response>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      calls.push({
        method,
        path,
        body: typeof body === 'string' ? JSON.parse(body) : undefined,
        answer: (content, status = 200) => resolve(new Response(JSON.stringify(content), { status })),
      });
    });
  });
});
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  queryClient.clear();
  vi.unstubAllGlobals();
});

/** Shows an answer, as a component would. */
const show = <T>(options: QueryObserverOptions<T>) => {
  stops.push(new QueryObserver(queryClient, options).subscribe(() => undefined));
};
const count = queryFor(contract.notifications.unreadCount);
const notice = '11111111-1111-4111-8111-111111111111';

it('a write reads again what it changed before it answers: at once what is shown, the rest when it is next shown', async () => {
  const invoices = queryFor(contract.billing.invoices, { query: { page: 2 } }).queryKey;
  const settings = queryFor(contract.reminders.settings).queryKey;
  queryClient.setQueryData(invoices, { invoices: [], years: [], pagination: { page: 2, total: 0, totalPages: 0 } });
  queryClient.setQueryData(settings, {
    emailReminders: true,
    reminderDays: [],
    inAppNotifications: true,
    weeklyStatements: false,
  });
  queryClient.setQueryData(queryFor(contract.subscriptions.list).queryKey, []);
  show(queryFor(contract.subscriptions.list));

  let answered = false;
  const sync = api.subscriptions.sync({ params: { toolId: 'x' }, body: {} }).then(() => (answered = true));
  calls[0]!.answer(null);
  await called('/api/user/subscriptions');
  expect(answered).toBe(false);
  waiting('/api/user/subscriptions')[0]!.answer([]);
  await sync;
  expect(queryClient.getQueryState(invoices)?.isInvalidated).toBe(true);
  expect(queryClient.getQueryState(settings)?.isInvalidated).toBe(false);
  expect(calls).toHaveLength(2);
});

it('several writes to one list read it again once, after the last, even if that one fails', async () => {
  queryClient.setQueryData(count.queryKey, { count: 2 });
  show(count);
  const first = api.notifications.remove({ params: { id: notice } });
  const second = api.notifications.remove({ params: { id: notice } });
  calls[0]!.answer({ message: 'Gone' });
  await first;
  expect(calls).toHaveLength(2);
  calls[1]!.answer({ code: 'notification_not_found', message: 'No' }, 404);
  await called('/api/notifications/unread-count');
  waiting('/api/notifications/unread-count')[0]!.answer({ count: 1 });
  await expect(second).rejects.toThrow('404');
  expect(queryClient.getQueryData(count.queryKey)).toEqual({ count: 1 });
});

it('a write that was refused reads nothing again', async () => {
  queryClient.setQueryData(count.queryKey, { count: 2 });
  show(count);
  const removal = api.notifications.remove({ params: { id: notice } });
  calls[0]!.answer({ code: 'notification_not_found', message: 'No' }, 404);
  await expect(removal).rejects.toThrow('404');
  expect(calls).toHaveLength(1);
  expect(queryClient.getQueryState(count.queryKey)?.isInvalidated).toBe(false);
});

it('a write gives up an answer under way, which may be from before the write', async () => {
  show(count);
  await called('/api/notifications/unread-count');
  const refetched = refetchChangedBy(contract.notifications.readAll);
  await called('/api/notifications/unread-count', 2);
  calls[0]!.answer({ count: 9 });
  calls[1]!.answer({ count: 0 });
  await refetched;
  expect(queryClient.getQueryData(count.queryKey)).toEqual({ count: 0 });
});

it('a write may answer before what it changed has been read again', async () => {
  queryClient.setQueryData(queryFor(contract.tools.myUsage).queryKey, []);
  show(queryFor(contract.tools.myUsage));
  const launch = api.tools.launch({ body: { toolId: 'x' } }, { early: true });
  calls[0]!.answer({ token: 't', url: 'https://tool.example', expiresAt: new Date() });
  expect(await launch).toMatchObject({ token: 't' });
  await called('/api/user/usage');
});

it('a write of an administrator carries the token of the session, and a new one if that was refused', async () => {
  const refused = { code: 'csrf_invalid', message: 'Expired' };
  const replay = api.oversight.replay({ params: { id: 'a' } });
  const token = '/api/admin/csrf-token';
  const path = '/api/admin/incidents/a/replay';
  waiting(token)[0]!.answer({ csrfToken: 'old' });
  await called(path);
  waiting(path)[0]!.answer(refused, 403);
  await called(token, 2);
  waiting(token)[1]!.answer({ csrfToken: 'new' });
  await called(path, 2);
  expect(waiting(path).map(({ body }) => body)).toEqual([{ _csrf: 'old' }, { _csrf: 'new' }]);
  waiting(path)[1]!.answer(refused, 403);
  await expect(replay).rejects.toMatchObject({ code: 'csrf_invalid' });
  expect(calls).toHaveLength(4);
});
