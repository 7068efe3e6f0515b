import { brand } from '#shared/brand.ts';
import { formatAbn } from '#shared/rules/australia.ts';

export type MailContent = {
  /** What an inbox shows after the subject. */
  preheader: string;
  heading: string;
  /** Plain text; each becomes a paragraph. */
  paragraphs: readonly string[];
  action?: { label: string; url: string };
  /** Why the reader gets this mail. */
  footer?: string;
  /** Where reminders end: only in mails that somebody may not want (Spam Act). */
  unsubscribeUrl?: string;
};

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
const withBreaks = (text: string) => escape(text).replace(/\n/g, '<br>');

/** One mail in both forms. Whatever is given is text: markup in a name stays visible text. */
export function renderMail(content: MailContent): { html: string; text: string } {
  if (content.action && !/^https?:\/\//.test(content.action.url)) throw new Error('A mail links to http(s) only.');
  return { html: renderHtml(content), text: renderText(content) };
}

const sender = `${brand.sellerName} · ABN ${formatAbn(brand.sellerAbn)} · ${brand.supportEmail}`;

function renderText({ heading, paragraphs, action, footer, unsubscribeUrl }: MailContent): string {
  const link = action ? [`${action.label}:\n${action.url}`] : [];
  const end = `-- \n${brand.name} – ${brand.tagline}\n${sender}`;
  const last = [
    ...(footer ? [footer] : []),
    ...(unsubscribeUrl ? [`Unsubscribe from reminders:\n${unsubscribeUrl}`] : []),
  ];
  return [heading, ...paragraphs, ...link, ...last, end].join('\n\n');
}

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

function renderHtml({ preheader, heading, paragraphs, action, footer, unsubscribeUrl }: MailContent): string {
  const body = paragraphs.map((p) => `<p style="margin:0 0 16px">${withBreaks(p)}</p>`).join('\n');
  const button = action
    ? `<p style="margin:24px 0"><a href="${escape(action.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0f5f5c;color:#ffffff;text-decoration:none;font-weight:600">${escape(action.label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:#475569">If the button does not work, open this address:<br><a href="${escape(action.url)}" style="color:#0f5f5c;word-break:break-all">${escape(action.url)}</a></p>`
    : '';
  const reason = footer ? `<p style="margin:0 0 8px">${withBreaks(footer)}</p>` : '';
  const leave = unsubscribeUrl
    ? `<p style="margin:0 0 8px"><a href="${escape(unsubscribeUrl)}" style="color:#475569">Unsubscribe from reminders</a></p>`
    : '';
  return `<!doctype html>
<html lang="en-AU">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(heading)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f1f5f9;color:#0f172a;font-size:16px;line-height:1.5;${font}">
<div style="display:none;max-height:0;overflow:hidden">${escape(preheader)}</div>
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 16px;font-weight:700;font-size:18px">${escape(brand.name)}</p>
<div style="padding:28px;border-radius:12px;background:#ffffff">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escape(heading)}</h1>
${body}
${button}</div>
<div style="padding:16px 4px;font-size:13px;color:#475569">${reason}${leave}<p style="margin:0">${escape(sender)}</p></div>
</div>
</body>
</html>`;
}
