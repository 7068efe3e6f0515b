/** Stand-in for Stripe.js, part 3: the bank's question whether this is really the cardholder. */
(() => {
  const sandbox = globalThis.sandboxStripe;
  const { make, token } = sandbox;

  function button(text, primary) {
    const node = make(
      'button',
      {
        minHeight: '40px',
        padding: '8px 16px',
        font: 'inherit',
        fontWeight: '500',
        cursor: 'pointer',
        borderRadius: '8px',
        border: '1px solid currentColor',
        color: primary ? token('surface', 'Canvas') : token('text', 'CanvasText'),
        background: primary ? token('text', 'CanvasText') : 'transparent',
      },
      text,
    );
    node.type = 'button';
    return node;
  }

  /**
   * Resolves to true when the card's owner authenticates. The browser's own modal dialog keeps the focus inside. It stands
   * beside the card form, so that a dialog of the page around the form doesn't treat it as outside.
   */
  sandbox.challenge = (beside) =>
    new Promise((resolve) => {
      const opener = document.activeElement;
      const dialog = make('dialog', {
        width: 'min(440px, calc(100vw - 32px))',
        boxSizing: 'border-box',
        margin: 'auto',
        padding: '24px',
        border: `1px solid ${token('border', 'currentColor')}`,
        borderRadius: '8px',
        color: token('text', 'CanvasText'),
        background: token('surface', 'Canvas'),
        fontSize: '14px',
        lineHeight: '20px',
      });
      const title = make('h2', { margin: '0 0 8px', fontSize: '16px', fontWeight: '600' }, 'Confirm it is you');
      title.id = 'sandbox-challenge-title';
      dialog.setAttribute('aria-labelledby', title.id);
      const text = make(
        'p',
        { margin: '0 0 16px' },
        'Your bank asks for authentication. These are sandbox payments, so you choose how it ends.',
      );
      const buttons = make('div', { display: 'flex', flexWrap: 'wrap', gap: '8px' });
      const complete = button('Complete authentication', true);
      const fail = button('Fail authentication', false);
      buttons.append(complete, fail);
      dialog.append(title, text, buttons);

      const answer = (passed) => {
        dialog.close();
        dialog.remove();
        opener?.focus?.();
        resolve(passed);
      };
      complete.addEventListener('click', () => answer(true));
      fail.addEventListener('click', () => answer(false));
      dialog.addEventListener('cancel', (event) => {
        event.preventDefault();
        answer(false);
      });
      // keys belong to this question, not to whatever dialog the page has open around the form
      dialog.addEventListener('keydown', (event) => event.stopPropagation());
      (beside?.isConnected ? beside : document.body).append(dialog);
      dialog.showModal();
      complete.focus();
    });
})();
