/** Makes a value once for each long-lived owner, such as the database or Stripe's client, and drops it with that owner. */
export function memoOf<Owner extends object, Value>(make: (owner: Owner) => Value): (owner: Owner) => Value {
  const made = new WeakMap<Owner, Value>();
  return (owner) => {
    const existing = made.get(owner);
    if (existing !== undefined) return existing;
    const value = make(owner);
    made.set(owner, value);
    return value;
  };
}
