/** Stand-in for Stripe.js, part 2: the elements `payment` and `card`, and the group `stripe.elements()` answers. */
(() => {
  const sandbox = globalThis.sandboxStripe;
  const { token, make, fields, makeField, reformat, brandOf } = sandbox;

  function createElement(type, options, group) {
    const listeners = {};
    let box = null;
    let parts = null;
    let settings = { ...options };
    let ready = false;
    const emit = (event, payload) => (listeners[event] ?? []).slice().forEach((listener) => listener(payload));
    const each = () => Object.values(parts ?? {});
    const problem = () =>
      each().reduce((first, part) => first ?? part.problem(), null) ?? (parts ? null : fields.number.check(''));
    const isEmpty = () => each().every((part) => part.digits() === '');
    const setDisabled = () =>
      each().forEach((part) => (part.input.disabled = Boolean(settings.disabled || settings.readOnly)));

    function announce() {
      const complete = !problem();
      const wrong = each()
        .map((part) => part.problem())
        .find((found) => found && !found.code.startsWith('incomplete'));
      const shared = { elementType: type, empty: isEmpty(), complete };
      if (type === 'payment') emit('change', { ...shared, collapsed: false, value: { type: 'card' } });
      else
        emit('change', { ...shared, error: wrong, value: { postalCode: '' }, brand: brandOf(parts.number.digits()) });
    }

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
      box.dataset.sandboxStripe = type;
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
          emit('focus', { elementType: type });
        });
        part.input.addEventListener('blur', () => {
          part.input.style.outline = '';
          if (part.digits()) part.complain(part.problem());
          emit('blur', { elementType: type });
        });
        part.input.addEventListener(
          'keydown',
          (event) => event.key === 'Escape' && emit('escape', { elementType: type }),
        );
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
      setDisabled();
    }

    const element = {
      _type: type,
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
        const root = typeof place === 'string' ? document.querySelector(place) : place;
        if (!root) throw new Error('IntegrationError: the element to mount on does not exist.');
        if (!box) build();
        root.replaceChildren(box);
        queueMicrotask(() => emit('loaderstart', { elementType: type }));
        setTimeout(() => {
          if (!box?.isConnected) return;
          ready = true;
          emit('ready', { elementType: type });
        }, 0);
        return element;
      },
      unmount() {
        box?.remove();
        box = null;
        parts = null;
        ready = false;
      },
      destroy() {
        element.unmount();
        group._remove(element);
      },
      on(event, listener) {
        (listeners[event] ??= []).push(listener);
        if (event === 'ready' && ready) queueMicrotask(() => listener({ elementType: type }));
        return element;
      },
      once(event, listener) {
        const once = (payload) => {
          element.off(event, once);
          listener(payload);
        };
        return element.on(event, once);
      },
      off(event, listener) {
        listeners[event] = listener ? (listeners[event] ?? []).filter((known) => known !== listener) : [];
        return element;
      },
      update(changes) {
        settings = { ...settings, ...changes };
        setDisabled();
        return element;
      },
      clear: () => each().forEach((part) => ((part.input.value = ''), part.complain(null))),
      focus: () => parts?.number.input.focus(),
      blur: () => each().forEach((part) => part.input.blur()),
      collapse: () => element,
    };
    return element;
  }
  const isOf = (element, wanted) => element._type === wanted || element._type === wanted?.__elementType;

  sandbox.createGroup = (options = {}) => {
    let elements = [];
    let settings = { ...options };
    const group = {
      _settings: () => settings,
      _submitted: false,
      _remove: (element) => (elements = elements.filter((known) => known !== element)),
      create(type, elementOptions) {
        if (type !== 'payment' && type !== 'card')
          throw new Error(`IntegrationError: the payments sandbox has no element "${type}".`);
        if (elements.some((known) => known._type === type))
          throw new Error(`IntegrationError: Can only create one Element of type ${type} through a single elements().`);
        const element = createElement(type, elementOptions, group);
        elements.push(element);
        return element;
      },
      // react-stripe-js asks with its component, which carries the type
      getElement: (wanted) => elements.find((element) => isOf(element, wanted)) ?? null,
      update: (changes) => (settings = { ...settings, ...changes }),
      fetchUpdates: () => Promise.resolve({}),
      on: () => group,
      submit() {
        const element = group.getElement('payment') ?? group.getElement('card');
        const error = element ? element._problem() : { type: 'validation_error', message: 'There is no card form.' };
        if (error) element?._complain();
        else group._submitted = true;
        return Promise.resolve(error ? { error } : { selectedPaymentMethod: 'card' });
      },
    };
    return group;
  };
})();
