/**
 * Stand-in for Stripe.js in the payments sandbox: the card form, the bank's question, and `window.Stripe` with its calls to the sandbox.
 * Nothing here is made from what somebody typed, and colours come from the page's own variables.
 */
(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    .sandbox-card { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 12px; }
    .sandbox-card, .sandbox-challenge { font-size: 14px; line-height: 20px; color: var(--color-text, CanvasText); }
    .sandbox-card > :first-child, .sandbox-badge { grid-column: 1 / -1; }
    .sandbox-card label { font-weight: 500; margin-right: 4px; }
    .sandbox-card span { color: var(--color-muted, currentColor); }
    .sandbox-card input {
      display: block; box-sizing: border-box; width: 100%; min-height: 40px; margin-top: 4px; padding: 8px 12px;
      font: inherit; font-size: 16px; color: inherit; background: transparent;
      border: 1px solid var(--color-control, var(--color-muted, currentColor)); border-radius: 8px;
    }
    .sandbox-card input:focus { outline: 2px solid var(--color-primary, currentColor); outline-offset: 1px; }
    .sandbox-card > div > p { margin: 4px 0 0; color: var(--color-danger, currentColor); }
    .sandbox-card > div > p:empty { display: none; }
    .sandbox-badge { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; font-size: 12px; }
    .sandbox-badge strong { padding: 1px 8px; font-weight: 600; color: var(--color-muted, currentColor);
      border: 1px solid var(--color-border, currentColor); border-radius: 999px; }
    .sandbox-challenge { box-sizing: border-box; width: min(440px, calc(100vw - 32px)); margin: auto; padding: 24px;
      background: var(--color-surface, Canvas); border: 1px solid var(--color-border, currentColor); border-radius: 8px; }
    .sandbox-challenge h2 { margin: 0 0 8px; font-size: 16px; font-weight: 600; }
    .sandbox-challenge p { margin: 0 0 16px; }
    .sandbox-challenge button { min-height: 40px; margin: 0 8px 8px 0; padding: 8px 16px; font: inherit; font-weight: 500;
      cursor: pointer; color: inherit; background: transparent; border: 1px solid currentColor; border-radius: 8px; }
    .sandbox-challenge button:first-of-type { color: var(--color-surface, Canvas); background: var(--color-text, CanvasText); }
  `);
  document.adoptedStyleSheets.push(sheet);

  const digitsOf = (value) => value.replace(/\D/g, '');
  function expiryDigits(value) {
    // a browser may fill in "12/2034"; a month typed as 5 means 05
    const whole = digitsOf(value).replace(/^(\d\d)20(\d\d)$/, '$1$2');
    return Number(whole[0]) > 1 ? `0${whole}` : whole;
  }
  /** `least` and `most` count digits. Whether a complete card is a good one is the sandbox's answer. */
  const fields = {
    number: {
      label: 'Card number',
      name: 'cardnumber',
      autocomplete: 'cc-number',
      show: (digits) => digits.replace(/(\d{4})(?=\d)/g, '$1 '),
      least: 13,
      most: 19,
      incomplete: 'Your card number is incomplete.',
    },
    expiry: {
      label: 'Expiry',
      hint: 'MM / YY',
      name: 'exp-date',
      autocomplete: 'cc-exp',
      digits: expiryDigits,
      show: (digits) => digits.replace(/^(\d\d)(?=\d)/, '$1 / '),
      least: 4,
      most: 4,
      incomplete: "Your card's expiry date is incomplete.",
    },
    cvc: {
      label: 'CVC',
      name: 'cvc',
      autocomplete: 'cc-csc',
      least: 3,
      most: 4,
      incomplete: "Your card's security code is incomplete.",
    },
  };
  const fieldMarkup = ({ label, hint = '', name, autocomplete }, id) => `
    <div>
      <label for="${id}">${label}</label><span id="${id}-hint">${hint}</span>
      <input id="${id}" name="${name}" type="text" inputmode="numeric" autocomplete="${autocomplete}" autocorrect="off"
        spellcheck="false" aria-describedby="${id}-hint ${id}-error" />
      <p id="${id}-error" aria-live="polite"></p>
    </div>`;

  /** One field in its place in the form. */
  function createPart({ digits = digitsOf, show = String, least, most, incomplete }, column) {
    const [input, error] = [column.querySelector('input'), column.querySelector('p')];
    const typed = () => digits(input.value).slice(0, most);
    const problem = () => (typed().length < least ? { type: 'validation_error', message: incomplete } : null);
    const complain = () => {
      input.setAttribute('aria-invalid', String(problem() !== null));
      error.textContent = problem()?.message ?? '';
    };
    input.addEventListener('input', () => input.getAttribute('aria-invalid') === 'true' && complain());
    input.addEventListener('blur', () => {
      input.value = show(typed());
      if (typed()) complain();
    });
    return { input, typed, problem, complain };
  }

  let serial = 0;
  function buildForm() {
    const id = `sandbox-${(serial += 1)}`;
    const box = document.createElement('div');
    box.className = 'sandbox-card';
    box.setAttribute('role', 'group');
    box.setAttribute('aria-label', 'Card details');
    const columns = Object.entries(fields).map(([key, field]) => fieldMarkup(field, `${id}-${key}`));
    box.innerHTML = `${columns.join('')}
      <div class="sandbox-badge"><strong>Sandbox payments, no real card</strong><span>Pays: 4242 4242 4242 4242</span></div>`;
    const parts = Object.entries(fields).map(([key, field], index) => [key, createPart(field, box.children[index])]);
    return { box, parts: Object.fromEntries(parts) };
  }

  function createElement(group) {
    const listeners = {};
    let form = null;
    let ready = false;
    const element = {
      _box: () => form?.box,
      /** What is missing, which the form then shows. */
      _check() {
        const parts = Object.values(form?.parts ?? {});
        const wrong = parts.find((part) => part.problem());
        for (const part of parts) part.complain();
        wrong?.input.focus();
        return form ? (wrong?.problem() ?? null) : { type: 'validation_error', message: fields.number.incomplete };
      },
      _card() {
        const { number, expiry, cvc } = form.parts;
        const exp_month = String(Number(expiry.typed().slice(0, 2)));
        return { number: number.typed(), exp_month, exp_year: `20${expiry.typed().slice(2)}`, cvc: cvc.typed() };
      },
      mount(place) {
        form ??= buildForm();
        place.replaceChildren(form.box);
        setTimeout(() => {
          if (!form?.box.isConnected) return;
          ready = true;
          for (const listener of listeners.ready ?? []) listener({ elementType: 'payment' });
        }, 0);
        return element;
      },
      destroy() {
        form?.box.remove();
        form = null;
        ready = false;
        group._element = null;
      },
      on(event, listener) {
        (listeners[event] ??= []).push(listener);
        if (event === 'ready' && ready) queueMicrotask(() => listener({ elementType: 'payment' }));
        return element;
      },
      off(event, listener) {
        listeners[event] = (listeners[event] ?? []).filter((known) => known !== listener);
        return element;
      },
    };
    return element;
  }

  /** One payment element at a time: React mounts, destroys and mounts again. */
  const createGroup = () => {
    const group = {
      _element: null,
      create(type) {
        if (type !== 'payment') throw new Error(`IntegrationError: the payments sandbox has no element "${type}".`);
        if (group._element) throw new Error('IntegrationError: Can only create one Element of type payment.');
        group._element = createElement(group);
        return group._element;
      },
      update() {},
      async submit() {
        const missing = { type: 'validation_error', message: 'There is no card form.' };
        const error = group._element ? group._element._check() : missing;
        return error ? { error } : { selectedPaymentMethod: 'card' };
      },
    };
    return group;
  };

  /**
   * Resolves to true when the card's owner authenticates. The browser's own modal dialog keeps the focus inside. It stands
   * beside the card form, so that a dialog of the page around the form doesn't treat it as outside.
   */
  const challenge = (beside) =>
    new Promise((resolve) => {
      const opener = document.activeElement;
      const dialog = document.createElement('dialog');
      dialog.className = 'sandbox-challenge';
      dialog.setAttribute('aria-labelledby', 'sandbox-challenge-title');
      dialog.innerHTML = `
        <h2 id="sandbox-challenge-title">Confirm it is you</h2>
        <p>Your bank asks for authentication. These are sandbox payments, so you choose how it ends.</p>
        <button type="button">Complete authentication</button><button type="button">Fail authentication</button>`;
      const answer = (passed) => {
        dialog.close();
        dialog.remove();
        opener?.focus?.();
        resolve(passed);
      };
      const [complete, fail] = dialog.querySelectorAll('button');
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

  const base = new URL('v1', document.currentScript.src).href;

  const invalid = (message) => ({ error: { type: 'invalid_request_error', message } });
  async function call(path, form) {
    // a refusal is then answered with 200: browsers write every other status into the page's console
    const headers = { accept: 'application/json', 'sandbox-stand-in': '1' };
    try {
      const response = await fetch(`${base}/${path}`, { method: 'POST', headers, body: new URLSearchParams(form) });
      return await response.json();
    } catch {
      return { error: { type: 'api_connection_error', message: 'The payments sandbox does not answer.' } };
    }
  }

  /** The two kinds of intent differ only in their names. */
  const kinds = {
    pi: { object: 'payment_intent', name: 'paymentIntent', failure: 'last_payment_error' },
    seti: { object: 'setup_intent', name: 'setupIntent', failure: 'last_setup_error' },
  };
  function parse(secret, prefix) {
    const [, id, found] = /^((pi|seti)_\w+?)_secret_\w+$/.exec(secret ?? '') ?? [];
    return id && found === prefix ? { path: `${kinds[found].object}s/${id}`, ...kinds[found] } : null;
  }

  function Stripe(key) {
    if (!String(key).startsWith('pk_')) throw new Error('IntegrationError: Stripe() needs a publishable key.');

    async function settle(intent, { path, object, name, failure }, secret, beside) {
      if (intent.error) return { error: intent.error };
      if (intent.status !== 'requires_action') return { [name]: intent };
      const result = (await challenge(beside)) ? 'complete' : 'fail';
      const after = await call(`${path}/authenticate`, { key, client_secret: secret, result });
      if (after.error) return { error: after.error };
      return after.status === 'succeeded' ? { [name]: after } : { error: { ...after[failure], [object]: after } };
    }

    const confirmIntent =
      (prefix) =>
      async ({ elements, clientSecret: secret }) => {
        const target = parse(secret, prefix);
        if (!target) return invalid('Invalid value for the client secret.');
        const element = elements._element;
        if (!element) return invalid('No card form is mounted in these elements.');
        const error = element._check();
        if (error) return { error };
        const form = { key, client_secret: secret };
        for (const [name, value] of Object.entries(element._card())) form[`payment_method_data[card][${name}]`] = value;
        return settle(await call(`${target.path}/confirm`, form), target, secret, element._box());
      };
    const retrievePaymentIntent = async (secret) => {
      const target = parse(secret, 'pi');
      if (!target) return invalid('Invalid value for the client secret.');
      const intent = await call(`${target.path}/retrieve`, { key, client_secret: secret });
      return intent.error ? { error: intent.error } : { paymentIntent: intent };
    };
    const absent = () => Promise.resolve(invalid('The payments sandbox does not have this.'));

    return {
      elements: createGroup,
      confirmPayment: confirmIntent('pi'),
      confirmSetup: confirmIntent('seti'),
      retrievePaymentIntent,
      async handleNextAction({ clientSecret }) {
        const found = await retrievePaymentIntent(clientSecret);
        return found.error ? found : settle(found.paymentIntent, parse(clientSecret, 'pi'), clientSecret);
      },
      // <Elements> accepts only an object that has these
      createToken: absent,
      createPaymentMethod: absent,
      confirmCardPayment: absent,
    };
  }
  // loadStripe calls it as a plain function, and compares this with its own version
  Stripe.version = 'endive';
  globalThis.Stripe = Stripe;
})();
