import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Input } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/members.ts';
import type { Tool } from '#shared/api/tools.ts';
import { launchDelayMs } from '#shared/rules/tools/tools.ts';
import { ApiError, sentenceOf } from '#client/lib/calls/api-error.ts';
import { api } from '#client/lib/calls/api.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { toastError } from '#client/lib/words/toast.ts';
import { refetchChangedBy, useApiQuery } from '#client/lib/calls/use-api.ts';

/**
 * Opens a blank window within the click, so that browsers do not block it; `show` gives it the address once there is a
 * token. Null if it is blocked anyway. `opener` is removed, so that the tool cannot reach our window.
 */
const openLaunchWindow = (toolName: string) => {
  const child = window.open('about:blank', '_blank');
  if (!child || child.closed) return null;
  child.opener = null;
  write(child.document, `Opening ${toolName}…`);
  return {
    /** Replaces the blank page, so that Back does not lead to it. */
    show: (url: string) => {
      if (!child.closed) child.location.replace(url);
    },
    close: () => child.close(),
  };
};

const write = (blank: Document, sentence: string) => {
  const ours = getComputedStyle(document.body);
  const line = blank.createElement('p');
  line.textContent = sentence;
  line.setAttribute('role', 'status');
  Object.assign(line.style, { margin: '40vh 1rem 0', textAlign: 'center', font: '16px system-ui, sans-serif' });
  Object.assign(blank.body.style, { background: ours.backgroundColor, color: ours.color });
  blank.documentElement.lang = 'en-AU';
  blank.title = sentence;
  blank.body.append(line);
};

const launchAddress = (url: string, token: string) => {
  const address = new URL(url);
  address.searchParams.set('auth_token', token);
  return address.href;
};

/** For which client and for what a tool is opened. */
type OpenedFor = Omit<Input<typeof contract.tools.launch>['body'], 'toolId'>;
/** The tool whose opening asks for that. Kept after its dialog closes, because that is animated. */
type AskedTool = { tool: Tool; open: boolean };

/** A launch whose window was blocked. Kept after the dialog closes, because the link is followed only then. */
export type BlockedLaunch = { toolName: string; address: string; open: boolean };

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export type Launching = ReturnType<typeof useLaunch>;

/** Opens one tool at a time. After a launch, usage is refetched whenever the adviser comes back to this page. */
export const useLaunch = () => {
  const [openingId, setOpeningId] = useState<string | null>(null);
  const [blocked, setBlocked] = useState<BlockedLaunch | null>(null);
  const [launched, setLaunched] = useState(false);
  const busy = useRef(false);
  const [asked, setAsked] = useState<AskedTool | null>(null);
  const subscriptions = useApiQuery(contract.subscriptions.list).data;
  const [, navigate] = useLocation();

  useEffect(() => {
    if (!launched) return;
    const refetch = () => {
      if (document.visibilityState === 'visible') void refetchChangedBy(contract.tools.launch);
    };
    window.addEventListener('focus', refetch);
    document.addEventListener('visibilitychange', refetch);
    return () => {
      window.removeEventListener('focus', refetch);
      document.removeEventListener('visibilitychange', refetch);
    };
  }, [launched]);

  /** Whether every subscription that opens the tool is a practice's that asks for a client. */
  const needsClient = (toolId: string) => {
    const opening = subscriptions?.filter((one) => one.toolId === toolId && one.hasAccess) ?? [];
    return opening.length > 0 && opening.every((one) => one.needsClient);
  };

  /** Whether it opened. Rejects where the server refuses what it is opened for; other failures are told here. */
  const open = async (tool: Tool, openedFor: OpenedFor): Promise<boolean> => {
    if (busy.current) return false;
    busy.current = true;
    setOpeningId(tool.id);
    const child = openLaunchWindow(tool.name);
    try {
      const { token, url } = await api.tools.launch({ body: { toolId: tool.id, ...openedFor } }, { early: true });
      const address = launchAddress(url, token);
      setLaunched(true);
      if (!child) setBlocked({ toolName: tool.name, address, open: true });
      else {
        await later(launchDelayMs);
        child.show(address);
      }
      return true;
    } catch (fault) {
      child?.close();
      if (fault instanceof ApiError && fault.code === 'invalid_input') throw fault;
      fail(fault);
      return false;
    } finally {
      busy.current = false;
      setOpeningId(null);
    }
  };

  const fail = (fault: unknown) => {
    const code = fault instanceof ApiError ? fault.code : null;
    // The end of the session has its own toast.
    if (code === 'unauthorized') return;
    if (code === 'team_factor_required') {
      toastError(sentenceOf(fault), 'Two-step verification needed');
      return navigate(paths.security);
    }
    if (code === 'tool_stopped') return toastError(sentenceOf(fault), 'No new sessions');
    if (code === 'tool_not_allowed') return toastError(sentenceOf(fault), 'Not allowed');
    if (code === 'team_microsoft_required') {
      toastError(sentenceOf(fault), 'Microsoft account needed');
      return navigate(paths.security);
    }
    if (code === 'team_address_unproved') return toastError(sentenceOf(fault), 'Address not verified');
    toastError('Failed to launch tool. Please try again.');
    if (code === 'subscription_required') void refetchChangedBy(contract.subscriptions.sync);
  };

  const ask = (tool: Tool) => setAsked({ tool, open: true });
  return {
    /** Opens the tool at once, or asks first for which client where its practice says so. */
    launch: (tool: Tool) => (needsClient(tool.id) ? ask(tool) : void open(tool, {}).catch(() => ask(tool))),
    open,
    ask,
    asked,
    closeAsked: () => setAsked((last) => last && { ...last, open: false }),
    needsClient,
    openingId,
    blocked,
    closeBlocked: () => setBlocked((last) => last && { ...last, open: false }),
  };
};
