import { contract } from '#shared/api/members.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';

export const notificationActions = ['notifications'];

const pollMs = 60_000;

export const useUnread = () => useApiQuery(contract.notifications.unreadCount, undefined, { refetchInterval: pollMs });
