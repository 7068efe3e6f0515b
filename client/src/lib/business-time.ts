/** Business time: the server's clock, which development can move (decisions §12). The client's only clock. */
let offset = 0;

/** Does not jump when the device's clock is set meanwhile. */
const deviceNow = () => performance.timeOrigin + performance.now();

/** Takes the `Business-Date` header of an answer. */
export const recordBusinessDate = (header: string | null) => {
  const at = header === null ? NaN : Date.parse(header);
  if (!Number.isNaN(at)) offset = at - deviceNow();
};

export const businessNow = () => new Date(deviceNow() + offset);
