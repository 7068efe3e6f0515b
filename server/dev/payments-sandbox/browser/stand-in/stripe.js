/** Stand-in for Stripe.js, part 2: `window.Stripe` and its calls to the sandbox. */
(() => {
  const { createGroup, challenge } = globalThis.sandboxStripe;
  delete globalThis.sandboxStripe;
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
