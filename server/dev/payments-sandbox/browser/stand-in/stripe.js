/** Stand-in for Stripe.js, part 4: `window.Stripe` and its calls to the sandbox. */
(() => {
  const { createGroup, challenge } = globalThis.sandboxStripe;
  delete globalThis.sandboxStripe;
  const base = new URL('v1', document.currentScript.src).href;

  const invalid = (message) => ({ error: { type: 'invalid_request_error', message } });
  const unreachable = {
    error: {
      type: 'api_connection_error',
      message:
        'We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.',
    },
  };

  async function call(method, path, form) {
    const body = new URLSearchParams(form);
    try {
      const response = await fetch(method === 'GET' ? `${base}/${path}?${body}` : `${base}/${path}`, {
        method,
        // a refusal is then answered with 200: browsers write every other status into the page's console
        headers: { accept: 'application/json', 'sandbox-stand-in': '1' },
        ...(method === 'GET' ? {} : { body }),
      });
      return await response.json();
    } catch {
      return unreachable;
    }
  }

  /** The two kinds of intent differ only in their names. */
  const kinds = {
    pi: { path: 'payment_intents', name: 'paymentIntent', failure: 'last_payment_error' },
    seti: { path: 'setup_intents', name: 'setupIntent', failure: 'last_setup_error' },
  };
  function parse(secret, prefix) {
    const [, id, found] = /^((pi|seti)_\w+?)_secret_\w+$/.exec(secret ?? '') ?? [];
    return id && found === prefix ? { id, ...kinds[found] } : null;
  }

  function Stripe(key) {
    if (!String(key).startsWith('pk_')) throw new Error('IntegrationError: Stripe() needs a publishable key.');

    async function settle(intent, { id, path, name, failure }, secret, beside) {
      if (intent.error) return { error: intent.error };
      if (intent.status !== 'requires_action') return { [name]: intent };
      const result = (await challenge(beside)) ? 'complete' : 'fail';
      const after = await call('POST', `${path}/${id}/authenticate`, { key, client_secret: secret, result });
      if (after.error) return { error: after.error };
      return after.status === 'succeeded'
        ? { [name]: after }
        : { error: { ...after[failure], [kinds.pi.path === path ? 'payment_intent' : 'setup_intent']: after } };
    }

    const confirmIntent =
      (prefix) =>
      async ({ elements, clientSecret: secret, redirect }) => {
        const target = parse(secret, prefix);
        if (!target) return invalid('Invalid value for the client secret.');
        if (redirect !== 'if_required') return invalid('The payments sandbox redirects only if required.');
        const element = elements._element;
        if (!element) return invalid('No card form is mounted in these elements.');
        const error = element._problem();
        if (error) {
          element._complain();
          return { error };
        }
        const form = { key, client_secret: secret };
        for (const [name, value] of Object.entries(element._card())) form[`payment_method_data[card][${name}]`] = value;
        const intent = await call('POST', `${target.path}/${target.id}/confirm`, form);
        return settle(intent, target, secret, element._box());
      };
    const retrievePaymentIntent = async (secret) => {
      const target = parse(secret, 'pi');
      if (!target) return invalid('Invalid value for the client secret.');
      const intent = await call('GET', `${target.path}/${target.id}`, { key, client_secret: secret });
      return intent.error ? { error: intent.error } : { [target.name]: intent };
    };
    const absent = (name) => () => Promise.resolve(invalid(`The payments sandbox has no stripe.${name}().`));

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
      createToken: absent('createToken'),
      createPaymentMethod: absent('createPaymentMethod'),
      confirmCardPayment: absent('confirmCardPayment'),
    };
  }
  // loadStripe calls it as a plain function, and compares this with its own version
  Stripe.version = 'endive';
  globalThis.Stripe = Stripe;
})();
