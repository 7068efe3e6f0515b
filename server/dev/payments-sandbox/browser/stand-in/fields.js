/**
 * Stand-in for Stripe.js in the payments sandbox, part 1: what a card's owner types, and the three labelled fields. The
 * parts are served as one script. They keep to the page's content security policy: no inline script or style, no markup
 * made from text. Colours come from the page's own variables.
 */
(() => {
  const sandbox = (globalThis.sandboxStripe = {});
  let serial = 0;

  const token = (name, fallback) => `var(--color-${name}, ${fallback})`;
  function make(tag, styles = {}, text = '') {
    const node = document.createElement(tag);
    Object.assign(node.style, styles);
    if (text) node.textContent = text;
    return node;
  }

  const digitsOf = (value, limit) => value.replace(/\D/g, '').slice(0, limit);
  function luhn(digits) {
    const sum = [...digits].toReversed().reduce((total, digit, place) => {
      const doubled = place % 2 ? Number(digit) * 2 : Number(digit);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
    return sum % 10 === 0;
  }
  function expiryDigits(value, limit = 4) {
    // a browser may fill in "12/2034"; a month typed as 5 means 05
    const whole = value.replace(/\D/g, '').replace(/^(\d\d)20(\d\d)$/, '$1$2');
    return (Number(whole[0]) > 1 ? `0${whole}` : whole).slice(0, limit);
  }
  const fault = (code, message) => ({ type: 'validation_error', code, message });

  const fields = {
    number: {
      label: 'Card number',
      name: 'cardnumber',
      autocomplete: 'cc-number',
      digits: (value) => digitsOf(value, 19),
      show: (digits) => digits.replace(/(\d{4})(?=\d)/g, '$1 '),
      check: (digits) =>
        digits.length < 13
          ? fault('incomplete_number', 'Your card number is incomplete.')
          : !luhn(digits) && fault('invalid_number', 'Your card number is invalid.'),
    },
    expiry: {
      label: 'Expiry',
      hint: 'MM / YY',
      name: 'exp-date',
      autocomplete: 'cc-exp',
      digits: expiryDigits,
      show: (digits, deleting) =>
        digits.length > 2 || (digits.length === 2 && !deleting) ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits,
      check: (digits) => {
        if (digits.length < 4) return fault('incomplete_expiry', "Your card's expiry date is incomplete.");
        const month = Number(digits.slice(0, 2));
        if (month < 1 || month > 12) return fault('invalid_expiry_month', "Your card's expiry month is invalid.");
        const past = new Date(2000 + Number(digits.slice(2)), month) <= new Date();
        return past && fault('invalid_expiry_year_past', "Your card's expiry year is in the past.");
      },
    },
    cvc: {
      label: 'CVC',
      name: 'cvc',
      autocomplete: 'cc-csc',
      digits: (value) => digitsOf(value, 4),
      show: (digits) => digits,
      check: (digits) => digits.length < 3 && fault('incomplete_cvc', "Your card's security code is incomplete."),
    },
  };

  /** Groups the digits, and keeps the caret after the digit it was after. */
  function reformat(input, field, deleting) {
    const behind = field.digits(input.value.slice(0, input.selectionStart ?? input.value.length)).length;
    const atEnd = input.selectionStart === input.value.length;
    input.value = field.show(field.digits(input.value), deleting);
    if (atEnd || document.activeElement !== input) return;
    let caret = 0;
    for (let seen = 0; seen < behind && caret < input.value.length; caret += 1)
      seen += /\d/.test(input.value[caret]) ? 1 : 0;
    input.setSelectionRange(caret, caret);
  }

  function makeField(key, field) {
    const id = `sandbox-${field.name}-${(serial += 1)}`;
    const column = make('div', { minWidth: '0', gridColumn: key === 'number' ? '1 / -1' : 'auto' });
    const head = make('div', { display: 'flex', gap: '8px', marginBottom: '4px' });
    const label = make('label', { fontWeight: '500' }, field.label);
    label.htmlFor = id;
    head.append(label);
    const input = make('input', {
      display: 'block',
      width: '100%',
      boxSizing: 'border-box',
      minHeight: '40px',
      padding: '8px 12px',
      font: 'inherit',
      fontSize: '16px',
      color: 'inherit',
      background: 'transparent',
      border: `1px solid ${token('control', token('muted', 'currentColor'))}`,
      borderRadius: '8px',
    });
    Object.assign(input, {
      id,
      name: field.name,
      type: 'text',
      inputMode: 'numeric',
      autocomplete: field.autocomplete,
    });
    input.setAttribute('autocorrect', 'off');
    input.spellcheck = false;
    const error = make('p', { margin: '4px 0 0', color: token('danger', 'currentColor'), display: 'none' });
    Object.assign(error, { id: `${id}-error` });
    error.setAttribute('aria-live', 'polite');
    const described = [error.id];
    if (field.hint) {
      const hint = make('span', { color: token('muted', 'currentColor') }, field.hint);
      hint.id = `${id}-hint`;
      described.unshift(hint.id);
      head.append(hint);
    }
    input.setAttribute('aria-describedby', described.join(' '));
    column.append(head, input, error);
    const complain = (problem) => {
      input.setAttribute('aria-invalid', problem ? 'true' : 'false');
      error.textContent = problem ? problem.message : '';
      error.style.display = problem ? 'block' : 'none';
    };
    return {
      column,
      input,
      complain,
      digits: () => field.digits(input.value),
      problem: () => field.check(field.digits(input.value)) || null,
    };
  }

  Object.assign(sandbox, { token, make, fields, makeField, reformat });
})();
