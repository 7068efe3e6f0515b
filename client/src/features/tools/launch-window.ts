/**
 * A window for a tool, opened within the click so that no browser blocks it; the address follows when the token is
 * there. Null if the browser blocked it all the same. The new window never knows ours.
 */
export const openLaunchWindow = (toolName: string) => {
  const child = window.open('about:blank', '_blank');
  if (!child || child.closed) return null;
  child.opener = null;
  write(child.document, `Opening ${toolName}…`);
  return {
    /** Replaces the blank page, so that Back does not lead to it; nothing if the adviser has closed the window. */
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

/** The tool's address with the token, in the parameter tools read (B §4). */
export const launchAddress = (url: string, token: string) => {
  const address = new URL(url);
  address.searchParams.set('auth_token', token);
  return address.href;
};
