import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { contract } from '#shared/api/index.ts';
import type { Notification } from '#shared/api/notifications.ts';
import { noticeChanges as mutationKey } from '#client/features/notifications/unread.ts';
import { api } from '#client/lib/api.ts';
import { invalidate, keyOf, queryFor } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';

const lists = { queryKey: keyOf(contract.notifications.list) };
const countKey = queryFor(contract.notifications.unreadCount).queryKey;

const setLists = (queryClient: QueryClient, change: (list: Notification[]) => Notification[]) =>
  queryClient.setQueriesData<Notification[]>(lists, (list) => list && change(list));
const addUnread = (queryClient: QueryClient, by: number) =>
  queryClient.setQueryData(countKey, (last) => last && { count: Math.max(0, last.count + by) });

const newestFirst = (a: Notification, b: Notification) => b.createdAt.getTime() - a.createdAt.getTime();
/** Puts a notice back as it was, whatever happened to the others meanwhile. */
const restore = (list: Notification[], notice: Notification) =>
  list.some(({ id }) => id === notice.id)
    ? list.map((each) => (each.id === notice.id ? notice : each))
    : [...list, notice].toSorted(newestFirst);

/** The lists are asked for again after the last of several changes: an answer in between would undo what is shown. */
const settle = (queryClient: QueryClient) =>
  queryClient.isMutating({ mutationKey }) > 1
    ? undefined
    : invalidate(queryClient, contract.notifications.list, contract.notifications.unreadCount);

const failed = (description: string) => toast({ title: 'Error', description, variant: 'destructive' });

type Change = {
  send: (args: { params: { id: string } }) => Promise<unknown>;
  change: (list: Notification[], notice: Notification) => Notification[];
  done?: string;
  failed: string | null;
};

/** Shown at once, taken back if it fails; the list is refetched after each change (A §4). */
const useChange = ({ send, change, done, failed: failure }: Change) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey,
    mutationFn: ({ id }: Notification) => send({ params: { id } }),
    onMutate: async (notice) => {
      await queryClient.cancelQueries(lists);
      setLists(queryClient, (list) => change(list, notice));
      if (!notice.isRead) addUnread(queryClient, -1);
    },
    onSuccess: () => {
      if (done) toast({ title: done });
    },
    onError: (_error, notice) => {
      setLists(queryClient, (list) => restore(list, notice));
      if (!notice.isRead) addUnread(queryClient, 1);
      if (failure) failed(failure);
    },
    onSettled: () => settle(queryClient),
  }).mutate;
};

const asRead = (list: Notification[], { id }: Notification) =>
  list.map((each) => (each.id === id ? { ...each, isRead: true } : each));

export const useMarkRead = () =>
  useChange({
    send: api.notifications.read,
    change: asRead,
    done: 'Notification marked as read',
    failed: 'Failed to mark notification as read.',
  });

/** For a notice that was followed: its page says enough. */
export const useFollowed = () => useChange({ send: api.notifications.read, change: asRead, failed: null });

export const useDelete = () =>
  useChange({
    send: api.notifications.remove,
    change: (list, { id }) => list.filter((each) => each.id !== id),
    done: 'Notification deleted',
    failed: 'Failed to delete notification.',
  });

export const useMarkAllRead = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey,
    mutationFn: () => api.notifications.readAll(),
    onMutate: async () => {
      await queryClient.cancelQueries(lists);
      const before = queryClient.getQueriesData<Notification[]>(lists);
      const count = queryClient.getQueryData(countKey);
      setLists(queryClient, (list) => list.map((each) => ({ ...each, isRead: true })));
      queryClient.setQueryData(countKey, { count: 0 });
      return { before, count };
    },
    onSuccess: () => toast({ title: 'All notifications marked as read' }),
    onError: (_error, _none, shown) => {
      for (const [key, list] of shown?.before ?? []) queryClient.setQueryData(key, list);
      queryClient.setQueryData(countKey, shown?.count);
      failed('Failed to mark notifications as read.');
    },
    onSettled: () => settle(queryClient),
  });
};
