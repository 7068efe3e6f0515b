/** Business time is the server's clock, which development can move. It is the client's only clock. */
let offset = 0;

/** Unlike Date.now(), does not jump when somebody sets the device's clock. */
const deviceNow = () => performance.timeOrigin + performance.now();

/** Takes the `Business-Date` header of an answer. */
export const recordBusinessDate = (header: string | null) => {
  const at = header === null ? NaN : Date.parse(header);
  if (!Number.isNaN(at)) offset = at - deviceNow();
};

export const businessNow = () => new Date(deviceNow() + offset);
