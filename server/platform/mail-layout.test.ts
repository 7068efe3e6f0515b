import { expect, test } from 'vitest';
import { brand } from '#shared/brand.ts';
import { renderMail } from './mail-layout.ts';

const content = {
  preheader: 'Short',
  heading: 'Welcome, <b>Jo</b> & "Co"',
  paragraphs: ['First <script>alert(1)</script>', 'Line one\nline two'],
  action: { label: 'Open <it>', url: 'https://adviserly.example/x?a=1&b="2' },
  footer: 'You asked for this.',
};

test('whatever is given stays text in the HTML', () => {
  const { html } = renderMail(content);
  expect(html).not.toMatch(/<script|<b>|<it>/);
  expect(html).toContain('Welcome, &lt;b&gt;Jo&lt;/b&gt; &amp; &quot;Co&quot;');
  expect(html).toContain('href="https://adviserly.example/x?a=1&amp;b=&quot;2"');
  expect(html).toContain('Line one<br>line two');
});

test('the text form says the same, with the address in clear and the seller', () => {
  const { text } = renderMail(content);
  for (const part of [content.heading, ...content.paragraphs, content.action.url, content.footer, brand.sellerName]) {
    expect(text).toContain(part);
  }
});

test('a mail without an action has no link', () => {
  const { html, text } = renderMail({ preheader: 'p', heading: 'h', paragraphs: ['x'] });
  expect(html).not.toContain('<a ');
  expect(text).not.toContain('http');
});

test('only web addresses are linked', () => {
  const action = { label: 'x', url: 'javascript:alert(1)' };
  expect(() => renderMail({ ...content, action })).toThrow('http(s) only');
});
