let ours = false;

/** Whether the page itself leads away, and comes back to what was typed: nobody has to be asked. */
export const leaving = () => ours;

export const leaveFor = (address: string) => {
  ours = true;
  window.location.assign(address);
};

export const reloadPage = () => {
  ours = true;
  window.location.reload();
};
