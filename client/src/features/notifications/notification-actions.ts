import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { contract } from '#shared/api/members.ts';
import type { Notification } from '#shared/api/notifications.ts';
import { notificationActions as mutationKey } from '#client/features/notifications/unread-count.ts';
import { api } from '#client/lib/calls/api.ts';
import { keyOf, queryFor } from '#client/lib/calls/use-api.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';

const lists = { queryKey: keyOf(contract.notifications.list) };
const countKey = queryFor(contract.notifications.unreadCount).queryKey;

const setLists = (queryClient: QueryClient, change: (list: Notification[]) => Notification[]) =>
  queryClient.setQueriesData<Notification[]>(lists, (list) => list && change(list));
const addUnread = (queryClient: QueryClient, by: number) =>
  queryClient.setQueryData(countKey, (last) => last && { count: Math.max(0, last.count + by) });

const newestFirst = (a: Notification, b: Notification) => b.createdAt.getTime() - a.createdAt.getTime();
/** Puts back one notification, whatever has happened to the others since. */
const restore = (list: Notification[], notification: Notification) =>
  list.some(({ id }) => id === notification.id)
    ? list.map((each) => (each.id === notification.id ? notification : each))
    : [...list, notification].toSorted(newestFirst);

type Action = {
  send: (args: { params: { id: string } }) => Promise<unknown>;
  change: (list: Notification[], notification: Notification) => Notification[];
  done?: string;
  failed: string | null;
};

/** Changes the lists and the count at once, and undoes that if the call fails. */
const useOptimisticAction = ({ send, change, done, failed }: Action) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey,
    mutationFn: ({ id }: Notification) => send({ params: { id } }),
    onMutate: async (notification) => {
      await queryClient.cancelQueries(lists);
      setLists(queryClient, (list) => change(list, notification));
      if (!notification.isRead) addUnread(queryClient, -1);
    },
    onSuccess: () => {
      if (done) toast({ title: done });
    },
    onError: (_error, notification) => {
      setLists(queryClient, (list) => restore(list, notification));
      if (!notification.isRead) addUnread(queryClient, 1);
      if (failed) toastError(failed);
    },
  }).mutate;
};

const asRead = (list: Notification[], { id }: Notification) =>
  list.map((each) => (each.id === id ? { ...each, isRead: true } : each));

export const useMarkRead = () =>
  useOptimisticAction({
    send: api.notifications.read,
    change: asRead,
    done: 'Notification marked as read',
    failed: 'Failed to mark notification as read.',
  });

/** Without toasts, for a notification that was clicked and leads to another page. */
export const useMarkReadQuietly = () =>
  useOptimisticAction({ send: api.notifications.read, change: asRead, failed: null });

export const useDeleteNotification = () =>
  useOptimisticAction({
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
      toastError('Failed to mark notifications as read.');
    },
  });
};
