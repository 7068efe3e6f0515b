import { brand, seller } from '#shared/brand.ts';
import { formatAbn } from '#shared/rules/australia.ts';

/** An amount and what it is for; `note` explains it in smaller type. */
export type MailRow = { label: string; note?: string; amount: string };
/** Amounts one below the other, and what they come to. */
export type MailTable = { heading?: string; rows: readonly MailRow[]; total?: MailRow };

export type MailContent = {
  /** What an inbox shows after the subject. */
  preheader: string;
  heading: string;
  /** Plain text; each becomes a paragraph. */
  paragraphs: readonly string[];
  table?: MailTable;
  /** Paragraphs below the table, and a smaller table below those. */
  after?: readonly string[];
  secondTable?: MailTable;
  action?: { label: string; url: string } | undefined;
  /** Why the reader gets this mail. */
  footer?: string;
  /** The link to get no more such mails, which the Spam Act asks for in reminders. */
  stop?: { label: string; url: string };
};

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
const dates = /(?:(\d{1,2}) to )?(\d{1,2}) (Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec) (\d{4})/g;
/** What a discount takes off stays with its percentage, and a date, a card or a tool's name in one piece. */
const withBreaks = (text: string) =>
  escape(text)
    .replace(/\n/g, '<br>')
    .replace(/(?:(\w+) )?•••• (?=\d)/g, (_card, brand?: string) => `${brand ? `${brand}&nbsp;` : ''}••••&nbsp;`)
    .replace(dates, (date) => date.replaceAll(' ', '&nbsp;'))
    .replace(/ AI\b/g, '&nbsp;AI')
    .replace(
      /(\(\d+%[^()]{0,20}\) )?−\$[\d,.]*\d|\b[A-Z]\w{0,9}-[A-Z]\w{0,9}\b/g,
      '<span style="white-space:nowrap">$&</span>',
    );

/** One mail as HTML and as text. Everything given is plain text, so markup in a name is shown and not run. */
export function renderMail(content: MailContent): { html: string; text: string } {
  if (content.action && !/^https?:\/\//.test(content.action.url)) throw new Error('A mail links to http(s) only.');
  return { html: renderHtml(content), text: renderText(content) };
}

const sender = () => `${seller().name} · ABN ${formatAbn(seller().abn)}`;

const textWidth = 64;
const rule = '-'.repeat(textWidth);

/** Broken between words into lines of at most so many characters. */
const broken = (text: string, width: number): string[] =>
  text.split(' ').reduce<string[]>((lines, word) => {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= width) return [...lines, word];
    return [...lines.slice(0, -1), `${last} ${word}`];
  }, []);

/** The amounts stand one below the other, at the right. */
function rowText({ label, note, amount }: MailRow): string {
  const lines = broken(label, textWidth - amount.length - 1);
  const last = lines.pop() ?? '';
  const notes = note === undefined ? [] : broken(note, textWidth - amount.length - 4).map((line) => `  ${line}`);
  return [...lines, last + amount.padStart(textWidth - last.length), ...notes].join('\n');
}

const tableText = ({ heading, rows, total }: MailTable) =>
  [
    ...(heading === undefined ? [] : [heading, '']),
    ...rows.map(rowText),
    ...(total ? [rule, rowText(total)] : []),
  ].join('\n');

function renderText(content: MailContent): string {
  const { heading, paragraphs, table, after = [], secondTable, action, footer, stop } = content;
  const link = action ? [`${action.label}:\n${action.url}`] : [];
  const end = `-- \n${brand.name} – ${brand.tagline}\n${sender()} · ${seller().supportEmail}`;
  const last = [...(footer ? [footer] : []), ...(stop ? [`${stop.label}:\n${stop.url}`] : [])];
  const body = [
    ...paragraphs,
    ...(table ? [tableText(table)] : []),
    ...after,
    ...(secondTable ? [tableText(secondTable)] : []),
  ];
  return [heading, ...body, ...link, ...last, end].join('\n\n');
}

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Drawn with a table cell: mail programs block pictures and don't show SVG. */
const logo = `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px"><tr>
<td width="32" height="32" align="center" valign="middle" style="border-radius:8px;background:#0f5f5c;color:#ffffff;font-weight:700;font-size:18px;line-height:32px">${escape(brand.name.charAt(0))}</td>
<td style="padding-left:10px;font-weight:700;font-size:18px">${escape(brand.name)}</td>
</tr></table>`;

/** The note has a line of its own, over the whole width: a phone has no room beside the amount. */
const rowHtml = ({ label, note, amount }: MailRow, style: string, isLast = false) => `<tr>
<th scope="row" align="left" style="padding:8px 16px 0 0;${style}">${withBreaks(label)}</th>
<td align="right" valign="top" style="padding:8px 0 0;white-space:nowrap;${style}">${escape(amount)}</td>
</tr>
<tr><td colspan="2" class="line muted" style="padding:0 0 8px;font-size:13px;line-height:18px;color:#475569;${isLast ? '' : 'border-bottom:1px solid #e2e8f0'}">${note === undefined ? '' : withBreaks(note)}</td></tr>`;

const tableHtml = (
  { heading, rows, total }: MailTable,
  totalSize: number,
) => `${heading === undefined ? '' : `<h2 style="margin:24px 0 0;font-size:16px;line-height:1.3">${escape(heading)}</h2>`}<table width="100%" cellpadding="0" cellspacing="0" style="margin:16px 0 0;border-collapse:collapse">
${rows.map((row, index) => rowHtml(row, 'font-weight:400', !total && index === rows.length - 1)).join('\n')}
${total ? rowHtml(total, `font-weight:700;font-size:${totalSize}px`, true) : ''}
</table>`;

const paragraphsHtml = (paragraphs: readonly string[]) =>
  paragraphs.map((p) => `<p style="margin:16px 0 0">${withBreaks(p)}</p>`).join('\n');

/** Where the mail program knows them: a wide button on a phone, and dark colours. The others show the light ones, or their own. */
const looks = `<style>@media (max-width: 440px) {
.button { display: block !important; text-align: center }
}
@media (prefers-color-scheme: dark) {
.page { background: #0c0f12 !important; color: #e9edf1 !important }
.card { background: #14181c !important }
.muted { color: #a0abb6 !important }
.button { background: #4cc2b4 !important; color: #0c0f12 !important }
.line { border-color: #2a3138 !important }
}</style>`;

function renderHtml(content: MailContent): string {
  const { preheader, heading, paragraphs, table, after = [], secondTable, action, footer, stop } = content;
  const [first, second] = [table ? tableHtml(table, 20) : '', secondTable ? tableHtml(secondTable, 16) : ''];
  const body = [paragraphsHtml(paragraphs), first, paragraphsHtml(after), second].join('\n');
  const button = action
    ? `<p style="margin:24px 0 0"><a class="button" href="${escape(action.url)}" style="display:inline-block;white-space:nowrap;padding:12px 20px;border-radius:8px;background:#0f5f5c;color:#ffffff;text-decoration:none;font-weight:600">${escape(action.label)}</a></p>`
    : '';
  const reason = footer ? `<p style="margin:0 0 8px">${withBreaks(footer)}</p>` : '';
  const unsubscribe = stop
    ? `<p style="margin:0 0 8px"><a href="${escape(stop.url)}" class="muted" style="color:#475569">${escape(stop.label)}</a></p>`
    : '';
  return `<!doctype html>
<html lang="en-AU">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escape(heading)}</title>${looks}</head>
<body class="page" style="margin:0;padding:24px 12px;background:#f1f5f9;color:#0f172a;font-size:16px;line-height:1.5;${font}">
<div style="display:none;max-height:0;overflow:hidden">${escape(preheader)}</div>
<div style="max-width:560px;margin:0 auto">
${logo}
<div class="card" style="padding:28px;border-radius:12px;background:#ffffff;overflow-wrap:anywhere;word-break:break-word">
<h1 style="margin:0;font-size:22px;line-height:1.3">${withBreaks(heading)}</h1>
${body}
${button}</div>
<div class="muted" style="padding:16px 4px;font-size:13px;color:#475569">${reason}${unsubscribe}<p style="margin:0">${escape(sender())} · <a href="mailto:${escape(seller().supportEmail)}" class="muted" style="color:#475569">${escape(seller().supportEmail)}</a></p></div>
</div>
</body>
</html>`;
}
