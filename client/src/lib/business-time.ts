/** Business time: the server's clock, which development can move (decisions §12). The client's only clock. */
let offset = 0;

/** Takes the `Business-Date` header of an answer. */
export const recordBusinessDate = (header: string | null) => {
  const at = header === null ? NaN : Date.parse(header);
  if (!Number.isNaN(at)) offset = at - Date.now();
};

export const businessNow = () => new Date(Date.now() + offset);
