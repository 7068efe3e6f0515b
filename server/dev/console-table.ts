import { html, type Html } from './sample-tool/html.ts';

/** A table that scrolls on its own, or a sentence where it has no rows. */
export const table = (head: string[], rows: Html[][], empty: string): Html =>
  rows.length === 0
    ? html`<p>${empty}</p>`
    : html`<div class="scroll" tabindex="0">
        <table>
          <thead>
            <tr>
              ${head.map((name) => html`<th scope="col">${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (cells) =>
                html`<tr>
                  ${cells.map((cell) => html`<td>${cell}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
