import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { contract } from '#shared/api/index.ts';
import { invalidate, useApiQuery } from '#client/lib/query-client.ts';
import { onWritten } from '#client/lib/request.ts';

/** Names the changes of notices that are under way. */
export const noticeChanges = ['notifications'];

const pollMs = 60_000;
/** A change and what it brings with it are often two calls; the notices are asked for once, when it is quiet. */
const settleMs = 500;

/** Unread notices; undefined while it is not known. Asked for gently, whatever the page. */
export const useUnreadCount = () =>
  useApiQuery(contract.notifications.unreadCount, undefined, { refetchInterval: pollMs }).data?.count;

/** Looks for new notices after every change this page made, and renews the lists when the count has changed elsewhere. */
export const useFreshNotices = (unread: number | undefined) => {
  const queryClient = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onWritten(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void invalidate(queryClient, contract.notifications.unreadCount), settleMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [queryClient]);
  const last = useRef(unread);
  useEffect(() => {
    const changed = last.current !== undefined && last.current !== unread;
    last.current = unread;
    // What this page changes itself is shown already, and asked for again when it is done.
    if (changed && queryClient.isMutating({ mutationKey: noticeChanges }) === 0)
      void invalidate(queryClient, contract.notifications.list);
  }, [queryClient, unread]);
};
