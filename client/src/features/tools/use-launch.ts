import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { contract } from '#shared/api/index.ts';
import type { Tool } from '#shared/api/tools.ts';
import { launchDelayMs } from '#shared/rules/tools.ts';
import { launchAddress, openLaunchWindow } from '#client/features/tools/launch-window.ts';
import { api } from '#client/lib/api.ts';
import { ApiError } from '#client/lib/api-error.ts';
import { invalidate } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';

/** A session adds to figures, and may reach a milestone. */
const changedByUse = [
  contract.tools.myUsage,
  contract.analytics.dashboard,
  contract.analytics.usage,
  contract.notifications.unreadCount,
];

/** A launch whose window the browser refused: the adviser opens it by hand. Kept when closed, since the link is followed after. */
export type BlockedLaunch = { toolName: string; address: string; open: boolean };

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Opens tools (B §4), one at a time; afterwards usage is fetched again whenever the adviser comes back to this page. */
export const useLaunch = () => {
  const queryClient = useQueryClient();
  const [openingId, setOpeningId] = useState<string | null>(null);
  const [blocked, setBlocked] = useState<BlockedLaunch | null>(null);
  const [launched, setLaunched] = useState(false);
  const busy = useRef(false);

  useEffect(() => {
    if (!launched) return;
    const refresh = () => {
      if (document.visibilityState === 'visible') void invalidate(queryClient, ...changedByUse);
    };
    window.addEventListener('focus', refresh);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      window.removeEventListener('focus', refresh);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [launched, queryClient]);

  const launch = async (tool: Tool) => {
    if (busy.current) return;
    busy.current = true;
    setOpeningId(tool.id);
    const child = openLaunchWindow(tool.name);
    try {
      const { token, url } = await api.tools.launch({ body: { toolId: tool.id } });
      const address = launchAddress(url, token);
      setLaunched(true);
      if (!child) return setBlocked({ toolName: tool.name, address, open: true });
      await later(launchDelayMs);
      child.show(address);
    } catch (fault) {
      child?.close();
      fail(fault);
    } finally {
      busy.current = false;
      setOpeningId(null);
    }
  };

  const fail = (fault: unknown) => {
    const code = fault instanceof ApiError ? fault.code : null;
    // The session's end has its own toast (B §8).
    if (code === 'unauthorized') return;
    toast({ title: 'Error', description: 'Failed to launch tool. Please try again.', variant: 'destructive' });
    if (code === 'subscription_required') void invalidate(queryClient, contract.subscriptions.list);
  };

  return {
    launch: (tool: Tool) => void launch(tool),
    openingId,
    blocked,
    closeBlocked: () => setBlocked((last) => last && { ...last, open: false }),
  };
};
