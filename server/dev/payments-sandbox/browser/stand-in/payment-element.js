/** Stand-in for Stripe.js, part 2: the payment element, and the group that `stripe.elements()` returns. */
(() => {
  const sandbox = globalThis.sandboxStripe;
  const { token, make, fields, makeField, reformat } = sandbox;

  function createElement(group) {
    const listeners = {};
    let box = null;
    let parts = null;
    let ready = false;
    const emit = (event, payload) => (listeners[event] ?? []).slice().forEach((listener) => listener(payload));
    const each = () => Object.values(parts ?? {});
    const problem = () =>
      each().reduce((first, part) => first ?? part.problem(), null) ?? (parts ? null : fields.number.check(''));
    const announce = () =>
      emit('change', {
        elementType: 'payment',
        empty: each().every((part) => part.digits() === ''),
        complete: !problem(),
        collapsed: false,
        value: { type: 'card' },
      });

    function build() {
      box = make('div', {
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
        gap: '12px',
        color: token('text', 'inherit'),
        fontFamily: 'inherit',
        fontSize: '14px',
        lineHeight: '20px',
      });
      box.setAttribute('role', 'group');
      box.setAttribute('aria-label', 'Card details');
      box.dataset.sandboxStripe = 'payment';
      parts = {};
      for (const [key, field] of Object.entries(fields)) {
        const part = makeField(key, field);
        parts[key] = part;
        part.input.addEventListener('input', (event) => {
          reformat(part.input, field, String(event.inputType ?? '').startsWith('delete'));
          if (part.input.getAttribute('aria-invalid') === 'true') part.complain(part.problem());
          announce();
        });
        part.input.addEventListener('focus', () => {
          Object.assign(part.input.style, {
            outline: `2px solid ${token('primary', 'currentColor')}`,
            outlineOffset: '1px',
          });
        });
        part.input.addEventListener('blur', () => {
          part.input.style.outline = '';
          if (part.digits()) part.complain(part.problem());
        });
        box.append(part.column);
      }
      const badge = make('p', {
        gridColumn: '1 / -1',
        margin: '0',
        display: 'flex',
        flexWrap: 'wrap',
        gap: '4px 8px',
        alignItems: 'center',
        fontSize: '12px',
        color: token('muted', 'inherit'),
      });
      const pill = {
        padding: '1px 8px',
        border: `1px solid ${token('border', 'currentColor')}`,
        borderRadius: '999px',
        fontWeight: '600',
      };
      badge.append(
        make('strong', pill, 'Sandbox payments, no real card'),
        make('span', {}, 'Pays: 4242 4242 4242 4242'),
      );
      box.append(badge);
    }

    const element = {
      _box: () => box,
      _problem: problem,
      _complain() {
        each().forEach((part) => part.complain(part.problem()));
        each()
          .find((part) => part.problem())
          ?.input.focus();
      },
      _card() {
        const expiry = parts.expiry.digits();
        return {
          number: parts.number.digits(),
          exp_month: String(Number(expiry.slice(0, 2))),
          exp_year: `20${expiry.slice(2)}`,
          cvc: parts.cvc.digits(),
        };
      },
      mount(place) {
        if (!box) build();
        place.replaceChildren(box);
        setTimeout(() => {
          if (!box?.isConnected) return;
          ready = true;
          emit('ready', { elementType: 'payment' });
        }, 0);
        return element;
      },
      destroy() {
        box?.remove();
        box = null;
        parts = null;
        ready = false;
        group._element = null;
      },
      on(event, listener) {
        (listeners[event] ??= []).push(listener);
        if (event === 'ready' && ready) queueMicrotask(() => listener({ elementType: 'payment' }));
        return element;
      },
      off(event, listener) {
        listeners[event] = listener ? (listeners[event] ?? []).filter((known) => known !== listener) : [];
        return element;
      },
    };
    return element;
  }

  /** One payment element at a time: React mounts, destroys and mounts again. */
  sandbox.createGroup = () => {
    const group = {
      _element: null,
      create(type) {
        if (type !== 'payment') throw new Error(`IntegrationError: the payments sandbox has no element "${type}".`);
        if (group._element) throw new Error('IntegrationError: Can only create one Element of type payment.');
        group._element = createElement(group);
        return group._element;
      },
      update() {},
      submit() {
        const element = group._element;
        const error = element ? element._problem() : { type: 'validation_error', message: 'There is no card form.' };
        if (error) element?._complain();
        return Promise.resolve(error ? { error } : { selectedPaymentMethod: 'card' });
      },
    };
    return group;
  };
})();
